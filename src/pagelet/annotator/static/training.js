// The training dialog: start, follow and cancel a training; use, take away and delete models.

import { byId, formatValue, make, saveFile } from "../shared/elements.js";
import * as api from "./api.js";

const POLL_MS = 700;

// on: {project(), annotator(), guard(run), finished(training)}
export function setUpTraining(on) {
  let following = 0; // the training that is followed

  function show({ training, models, methods, corpora }) {
    if (!byId("train-method").options.length) {
      byId("train-method").replaceChildren(...methods.map((name) => make("option", { value: name }, name)));
    }
    byId("train-corpora-label").hidden = !corpora;
    showProgress(training);
    showModels(models);
  }

  function showProgress(training) {
    const running = training?.state === "running";
    byId("train-start").disabled = running;
    byId("train-cancel").hidden = !running;
    byId("training").hidden = !training;
    if (!training) return;
    byId("training-step").textContent = describe(training);
    byId("training-bar").hidden = !running;
    showShare(training.lines.at(-1) ?? "");
    byId("training-lines").textContent = training.lines.slice(-8).join("\n");
    byId("training-lines").hidden = !training.lines.length;
  }

  // How far the task of a line is, such as "reading labels: 3 of 7".
  function showShare(line) {
    const [, done, total] = /: ([\d,]+) of ([\d,]+)/.exec(line) ?? [];
    const bar = byId("training-bar");
    if (!total) return bar.removeAttribute("value");
    bar.max = Number(total.replaceAll(",", "")) || 1;
    bar.value = Number(done.replaceAll(",", ""));
    return undefined;
  }

  function showModels(models) {
    byId("model-list").replaceChildren(...models.map(makeModel), ...(models.length ? [] : [make("li", { class: "soft" }, "None yet.")]));
  }

  function makeModel({ id, method, made, scores, used }) {
    const use = makeButton(used ? "In use" : "Use for suggestions", `The project's suggestions by ${method} come from this model`, async () => {
      await api.setModelUsed(id, !used);
      await refresh();
    });
    use.ariaPressed = String(used);
    use.classList.add("use");
    const take = makeButton("Download", `${method}.npz, for pagelet ${method} --model`, async () =>
      saveFile(`${method}.npz`, "application/octet-stream", await api.downloadModel(id)));
    const drop = makeButton("Delete", "Delete this model", async () => {
      await api.deleteModel(id);
      await refresh();
    });
    const head = make("div", { class: "row" }, make("strong", {}, method), make("span", { class: "soft" }, made.replace("T", " ").slice(0, 16)), use, take, drop);
    return make("li", {}, head, ...makeScores(scores));
  }

  function makeButton(label, title, run) {
    const button = make("button", { type: "button", title }, label);
    button.addEventListener("click", on.guard(run));
    return button;
  }

  async function refresh() {
    const state = await api.loadTraining(on.project());
    show(state);
    return state.training;
  }

  async function follow(id) {
    if (following === id) return;
    following = id;
    for (;;) {
      const training = await refresh();
      if (training?.id !== id || training.state !== "running") {
        following = 0;
        if (training?.id === id) on.finished(training);
        return;
      }
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  const open = on.guard(async () => {
    const training = await refresh();
    byId("train-dialog").showModal();
    if (training?.state === "running") await follow(training.id);
  });

  const start = on.guard(async () => {
    const form = {
      annotator: on.annotator(), method: byId("train-method").value,
      all_projects: byId("train-all").checked, corpora: byId("train-corpora").checked,
    };
    byId("train-start").disabled = true;
    const { id } = await api.train(on.project(), form).finally(() => { byId("train-start").disabled = false; });
    await follow(id);
  });

  byId("train").addEventListener("click", open);
  byId("train-form").addEventListener("submit", (event) => { event.preventDefault(); start(); });
  byId("train-cancel").addEventListener("click", on.guard(async () => {
    byId("train-start").focus();
    await api.cancelTraining(following);
  }));
}

function describe({ method, state, step, seconds, problem }) {
  const time = `${Math.round(seconds)} s`;
  if (state === "running") return `${method}: ${step} … ${time}`;
  if (state === "done") return `${method}: trained in ${time}.`;
  return state === "cancelled" ? `${method}: cancelled after ${time}.` : `${method}: not trained. ${problem}`;
}

// The new model beside the present one first, all tables below; a note says why sites are not left out.
function makeScores({ tables = [], comparison = null, note = "" }) {
  const compared = comparison
    ? [make("div", { class: "wide comparison" }, makeTable(comparison.rows)), make("p", { class: "soft" }, comparison.how)]
    : [];
  const details = tables.map(({ title, rows, notes = [] }) => make("details", {}, make("summary", {}, `All scores: ${title ?? ""}`),
    make("div", { class: "wide" }, makeTable(rows)), ...notes.map((text) => make("p", { class: "soft" }, text))));
  const why = note ? [make("p", { class: "soft" }, `${comparison ? "Not scored on unseen sites" : "The new model is not scored"}: ${note}.`.replace("..", "."))] : [];
  return [...compared, ...why, ...details];
}

function makeTable(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const head = make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)));
  const lines = rows.map((row) => make("tr", { class: /unseen|^new model/.test(String(row[columns[0]])) ? "unseen" : "" },
    ...columns.map((name) => make("td", { class: "number" }, row[name] === null ? "–" : formatValue(row[name])))));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines));
}

/** The toolbar popup: actions on the current page, and the settings of the service. */

import { fillTexts, message } from "./messages.js";
import { checkService, parseAddress, parseToken } from "./service.js";
import { loadSettings, saveSettings } from "./store.js";
import { BUDGET, clearPage } from "./work.js";

const byId = (id) => document.getElementById(id);
const buttons = [...document.querySelectorAll("[data-action]")];
let answer = null;

/** The active tab, or the one that the address of the popup names. */
async function findTab() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return chrome.tabs.get(Number(named));
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab;
}

function showStatus(text, kind = "") {
  byId("news").className = kind;
  byId("news").textContent = text;
}

function showProblem({ problem: name, detail }) {
  showStatus(
    [message(name), detail && detail !== message(name) ? detail : ""].filter(Boolean).join("\n"),
    "problem",
  );
  byId("allow").hidden = name !== "notAllowed";
  if (["noToken", "wrongToken", "badAddress", "badToken", "notRunning"].includes(name)) {
    byId("settings").open = true;
  }
}

const setBusy = (on) => buttons.forEach((button) => (button.disabled = on));

const formatMegabytes = (bytes) => (bytes / 1e6).toFixed(1);

function showProgress(progress) {
  if (progress.stage === "failed") {
    setBusy(false);
    showProblem(progress);
  } else if (progress.stage === "done") {
    setBusy(false);
    ({ answer } = progress);
    byId("after").hidden = false;
    const lost = progress.of - progress.drawn;
    const note = lost > 0 ? `\n${message("lost", lost)}` : "";
    showStatus(`${progress.summary}${note}`, "done");
  } else if (progress.stage === "opened") {
    setBusy(false);
    showStatus(message("opened"), "done");
  } else if (progress.stage === "collecting") {
    const megabytes = formatMegabytes(progress.bytes ?? 0);
    showStatus(message("collecting", progress.pages ?? 0, BUDGET.pages, megabytes), "busy");
  } else {
    showStatus(message(progress.stage), "busy");
  }
}

async function runAction(action) {
  setBusy(true);
  byId("after").hidden = true;
  byId("allow").hidden = true;
  showStatus(message("reading"), "busy");
  const tab = await findTab();
  const port = chrome.runtime.connect();
  port.onMessage.addListener(showProgress);
  port.onDisconnect.addListener(() => setBusy(false));
  port.postMessage({ action, tab: tab.id });
}

async function saveService(event) {
  event.preventDefault();
  try {
    const service = {
      address: parseAddress(byId("address").value),
      token: parseToken(byId("token").value),
    };
    byId("address").value = service.address;
    byId("token").value = service.token;
    await saveSettings(service);
    await checkService(service);
    showStatus(message("paired"), "done");
    byId("settings").open = false;
  } catch (error) {
    showProblem({ problem: error.problem ?? "failed", detail: error.detail ?? error.message });
  }
}

async function begin() {
  fillTexts();
  byId("budget").textContent = message("budget", BUDGET.pages, BUDGET.bytes / 1e6, BUDGET.seconds);
  const stored = await loadSettings();
  byId("address").value = stored.address;
  byId("token").value = stored.token;
  byId("settings").open = !stored.token;
  if (!stored.token) showStatus(message("noToken"));
  for (const button of buttons)
    button.addEventListener("click", () => runAction(button.dataset.action));
  byId("service").addEventListener("submit", saveService);
  byId("open").addEventListener("click", () =>
    chrome.runtime.sendMessage({ type: "open", answer }),
  );
  byId("clear").addEventListener("click", async () => {
    await clearPage((await findTab()).id).catch(() => {});
    byId("after").hidden = true;
    showStatus("");
  });
  byId("allow").addEventListener("click", async () => {
    const origins = ["http://127.0.0.1/*", "http://localhost/*"];
    if (await chrome.permissions.request({ origins })) byId("allow").hidden = true;
  });
  document.body.dataset.ready = "yes";
}

begin();

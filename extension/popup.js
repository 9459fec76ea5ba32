/** The toolbar popup: four actions on the page in front, and where the service is. */

import { plainAddress, plainToken, check } from "./service.js";
import { keepSettings, settings } from "./store.js";
import { BUDGET, clear } from "./work.js";
import { fill, say } from "./words.js";

const by = (id) => document.getElementById(id);
const buttons = [...document.querySelectorAll("[data-action]")];
let answer = null;

/** The tab that is worked on: the one in front, or the one that the address of the popup names. */
async function tabOf() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return chrome.tabs.get(Number(named));
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab;
}

function tell(text, kind = "") {
  by("news").className = kind;
  by("news").textContent = text;
}

function problem({ problem: name, detail }) {
  tell(
    [say(name), detail && detail !== say(name) ? detail : ""].filter(Boolean).join("\n"),
    "problem",
  );
  by("allow").hidden = name !== "notAllowed";
  if (["noToken", "wrongToken", "badAddress", "badToken", "notRunning"].includes(name)) {
    by("settings").open = true;
  }
}

const busy = (on) => buttons.forEach((button) => (button.disabled = on));

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

function hear(news) {
  if (news.stage === "failed") {
    busy(false);
    problem(news);
  } else if (news.stage === "done") {
    busy(false);
    ({ answer } = news);
    by("after").hidden = false;
    const lost = news.of - news.drawn;
    tell(lost > 0 ? `${news.summary}\n${say("lost", lost)}` : news.summary, "done");
  } else if (news.stage === "collecting") {
    tell(say("collecting", news.pages ?? 0, BUDGET.pages, megabytes(news.bytes ?? 0)), "busy");
  } else {
    tell(say(news.stage), "busy");
  }
}

async function act(action) {
  busy(true);
  by("after").hidden = true;
  by("allow").hidden = true;
  tell(say("reading"), "busy");
  const tab = await tabOf();
  const port = chrome.runtime.connect();
  port.onMessage.addListener(hear);
  port.onDisconnect.addListener(() => busy(false));
  port.postMessage({ action, tab: tab.id });
}

async function save(event) {
  event.preventDefault();
  try {
    const service = {
      address: plainAddress(by("address").value),
      token: plainToken(by("token").value),
    };
    by("address").value = service.address;
    by("token").value = service.token;
    await keepSettings(service);
    await check(service);
    tell(say("paired"), "done");
    by("settings").open = false;
  } catch (error) {
    problem({ problem: error.problem ?? "failed", detail: error.detail ?? error.message });
  }
}

async function begin() {
  fill();
  by("budget").textContent = say("budget", BUDGET.pages, BUDGET.bytes / 1e6, BUDGET.seconds);
  const kept = await settings();
  by("address").value = kept.address;
  by("token").value = kept.token;
  by("settings").open = !kept.token;
  if (!kept.token) tell(say("noToken"));
  for (const button of buttons) button.addEventListener("click", () => act(button.dataset.action));
  by("service").addEventListener("submit", save);
  by("open").addEventListener("click", () => chrome.runtime.sendMessage({ type: "open", answer }));
  by("clear").addEventListener("click", async () => {
    await clear((await tabOf()).id).catch(() => {});
    by("after").hidden = true;
    tell("");
  });
  by("allow").addEventListener("click", async () => {
    const origins = ["http://127.0.0.1/*", "http://localhost/*"];
    if (await chrome.permissions.request({ origins })) by("allow").hidden = true;
  });
  document.body.dataset.ready = "yes";
}

begin();

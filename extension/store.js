/**
 * Settings and answers, in a database that only pages of the extension can read.
 *
 * The storage API of extensions is not used: it needs a permission, and by default it can be read
 * from the process of every page that the extension reads. The token must not be there.
 */

const DATABASE = "pagelet";
const MAX_ANSWERS = 8; // stored answers; older ones are deleted

export const DEFAULTS = Object.freeze({ address: "http://127.0.0.1:8707", token: "" });

function openDatabase() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("settings");
      request.result.createObjectStore("answers");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Run a request on one object store in a transaction; returns its result. */
async function transact(part, mode, work) {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(part, mode);
      const request = work(transaction.objectStore(part));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export async function loadSettings() {
  const stored = await transact("settings", "readonly", (store) => store.get("service"));
  return { ...DEFAULTS, ...stored };
}

export function saveSettings(service) {
  return transact("settings", "readwrite", (store) => store.put(service, "service"));
}

/** Store an answer; returns its name. */
export async function saveAnswer(answer) {
  const name = `${String(Date.now()).padStart(15, "0")}-${crypto.randomUUID()}`;
  await transact("answers", "readwrite", (store) => store.put(answer, name));
  const names = (await transact("answers", "readonly", (store) => store.getAllKeys())).sort();
  for (const old of names.slice(0, -MAX_ANSWERS)) {
    await transact("answers", "readwrite", (store) => store.delete(old));
  }
  return name;
}

export const loadAnswer = (name) => transact("answers", "readonly", (store) => store.get(name));

export const deleteAnswers = () => transact("answers", "readwrite", (store) => store.clear());

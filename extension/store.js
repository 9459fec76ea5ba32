/**
 * What is kept, in a database that only pages of the extension can read.
 *
 * The storage interface of extensions is not used: it needs a permission, and by default it can be
 * read from the process of every page that the extension looks at. The token must not be there.
 */

const DATABASE = "pagelet";
const ANSWERS = 8; // answers that are kept for their pages; older ones are forgotten

export const DEFAULTS = Object.freeze({ address: "http://127.0.0.1:8707", token: "" });

function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("settings");
      asked.result.createObjectStore("answers");
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** Do something with one part of the database; the result of the request is returned. */
async function within(part, mode, work) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(part, mode);
      const asked = work(transaction.objectStore(part));
      transaction.oncomplete = () => resolve(asked?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export async function settings() {
  const kept = await within("settings", "readonly", (store) => store.get("service"));
  return { ...DEFAULTS, ...kept };
}

export function keepSettings(service) {
  return within("settings", "readwrite", (store) => store.put(service, "service"));
}

/** Keep an answer for its page; returns the name by which it is found again. */
export async function keepAnswer(answer) {
  const name = `${String(Date.now()).padStart(15, "0")}-${crypto.randomUUID()}`;
  await within("answers", "readwrite", (store) => store.put(answer, name));
  const names = (await within("answers", "readonly", (store) => store.getAllKeys())).sort();
  for (const old of names.slice(0, -ANSWERS)) {
    await within("answers", "readwrite", (store) => store.delete(old));
  }
  return name;
}

export const keptAnswer = (name) => within("answers", "readonly", (store) => store.get(name));

export const forgetAnswers = () => within("answers", "readwrite", (store) => store.clear());

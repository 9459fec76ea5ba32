// Pages that were opened before, kept in this browser: they survive a reload, and can be opened again.

const NAME = "pagelet-explorer";
const PAGES = "pages";
const BY_TIME = "at"; // index of the pages by the time they were opened
const MAX_PAGES = 8;

function settle(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function openDatabase() {
  const request = indexedDB.open(NAME, 2);
  request.onupgradeneeded = () => {
    const { result: database, transaction } = request;
    const pages = database.objectStoreNames.contains(PAGES)
      ? transaction.objectStore(PAGES)
      : database.createObjectStore(PAGES, { keyPath: "digest" });
    pages.createIndex(BY_TIME, BY_TIME);
  };
  return settle(request);
}

async function withPages(mode, use) {
  const database = await openDatabase();
  try {
    return await use(database.transaction(PAGES, mode).objectStore(PAGES));
  } finally {
    database.close();
  }
}

// Without storage, as in some private windows, nothing is kept.
const orNothing = (result, otherwise) => result.catch(() => otherwise);

export const readPage = (digest) => orNothing(withPages("readonly", (pages) => settle(pages.get(digest))), undefined);

// The pages, the newest first.
export async function listPages() {
  const pages = await orNothing(withPages("readonly", (store) => settle(store.getAll())), []);
  return pages.sort((one, two) => two.at - one.at);
}

export async function keepPage(page) {
  await orNothing(withPages("readwrite", (pages) => settle(pages.put({ ...page, at: Date.now() }))));
  const digests = await orNothing(withPages("readonly", (pages) => settle(pages.index(BY_TIME).getAllKeys())), []);
  const old = digests.slice(0, -MAX_PAGES); // the newest are last
  for (const digest of old) await orNothing(withPages("readwrite", (pages) => settle(pages.delete(digest))));
}

export const forgetPages = () => orNothing(withPages("readwrite", (pages) => settle(pages.clear())));

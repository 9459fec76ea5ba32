// Pages that were opened before, kept in this browser: they survive a reload, and can be opened again.

const NAME = "pagelet-explorer";
const PAGES = "pages";
const MAX_PAGES = 8;

function settle(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function openDatabase() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(PAGES, { keyPath: "digest" });
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
  const old = (await listPages()).slice(MAX_PAGES);
  for (const { digest } of old) await orNothing(withPages("readwrite", (pages) => settle(pages.delete(digest))));
}

export const forgetPages = () => orNothing(withPages("readwrite", (pages) => settle(pages.clear())));

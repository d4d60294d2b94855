// Imports lazy files once they are there. Many browsers remember that a module could not be fetched, and never ask for
// it again: a file that was missed for a moment would be missing until the page is loaded anew. So each is fetched
// first, which may fail, and imported from the browser's cache. Only the files that the page begins with come as
// modules.
const FILES_PATH = "/app/-/";
/** A page that does not begin is loaded anew this often at most. */
const RELOAD_PAUSE_MS = 60_000;
const RELOADED_AT = "reloadedAt";

/** The fetch of each file, unless it failed. */
const fetches = new Map<string, Promise<unknown>>();
/** The files that the browser fetches as modules while the page loads. */
const first = new Set(
  [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map(({ href }) => new URL(href).pathname),
);

/** The bundle calls it in place of `import()`: the name of the file, and then of all that it imports. */
async function importFiles(...names: readonly [string, ...string[]]): Promise<unknown> {
  const paths = names.map((name) => FILES_PATH + name);
  const importFile = () => import(paths[0] as string);
  if (!paths.every((path) => first.has(path))) {
    await fetchAll(paths);
    return importFile();
  }
  return importFile().catch(async () => {
    await fetchAll(paths);
    return importFile().catch(beginAgain);
  });
}

async function fetchAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => fetches.get(path) ?? fetchFile(path)));
}

function fetchFile(path: string): Promise<unknown> {
  const file = wholeFile(path);
  fetches.set(path, file);
  file.catch(() => fetches.delete(path));
  return file;
}

/** @throws Error if it does not come */
async function wholeFile(path: string): Promise<void> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await response.arrayBuffer();
}

/** The browser remembers that a file was missing; it is there now, and nothing has been entered yet. */
function beginAgain(error: unknown): never {
  const lastMs = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - lastMs > RELOAD_PAUSE_MS) {
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
  }
  throw error;
}

Object.assign(globalThis, { importFiles });

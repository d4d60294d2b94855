// Imports lazy files once they are there. Many browsers remember that a module could not be fetched, and never ask for it
// again: a file that was missed for a moment would be missing until the page is loaded anew. So each is fetched first,
// which may fail, and then imported, usually from the browser's cache. Only the files that the page begins with come as
// modules, which is faster.
import { signal } from "./signal.ts";

const FILES_PATH = "/app/-/";
/** The file for which the page was loaded anew, in this tab. */
const RELOADED_FOR = "reloadedFor";

/** The browser remembers that a file was missing: only a reload brings it. */
export const needsReload = signal(false);

/** The page may hold entries that are not saved. */
let isUsed = false;
for (const what of ["pointerdown", "keydown", "input"])
  addEventListener(what, () => (isUsed = true), { capture: true, once: true });

/** The fetch of each file, unless it failed. */
const fetches = new Map<string, Promise<unknown>>();
/** The files that the browser fetches as modules while the page loads. */
const first = new Set(
  [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map(({ href }) => new URL(href).pathname),
);

/** The bundle calls it in place of `import()`: the name of the file, and then of all that it imports. */
async function fetchThenImport(...names: readonly [string, ...string[]]): Promise<unknown> {
  const paths = names.map((name) => FILES_PATH + name);
  const [path = ""] = paths;
  const module = paths.every((one) => first.has(one)) ? await import(path).catch(() => null) : null;
  if (module !== null) return module;
  await Promise.all(paths.map((one) => fetches.get(one) ?? fetchFile(one)));
  try {
    return await import(path);
  } catch (error) {
    if (paths.some((one) => first.has(one))) reload(path);
    throw error;
  }
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

/** Once a file, and only while nobody has used the page; later, a button does it. */
function reload(path: string): void {
  needsReload.set(true);
  if (isUsed || sessionStorage.getItem(RELOADED_FOR) === path) return;
  sessionStorage.setItem(RELOADED_FOR, path);
  location.reload();
}

Object.assign(globalThis, { fetchThenImport });

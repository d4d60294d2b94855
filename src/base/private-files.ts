// Files that only the user of the server may read, whatever the umask and the directory allow.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** The section of the guide about permissions that the system refuses to this user. */
export const ABOUT_RIGHTS = "docs/operate/troubles.md#a-permission-is-missing";

const OWNER_ALONE = 0o600;
const ANYBODY_ELSE = 0o077;

/** Makes an empty file unless it is there; one that is there is closed to others. */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", OWNER_ALONE));
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
    keepPrivate(path);
  }
}

/**
 * Closes a file to others, if it is there; answers false where that is not possible: it has another owner, or a medium
 * that is only read.
 */
export function keepPrivate(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || (stats.mode & ANYBODY_ELSE) === 0) return true;
  try {
    chmodSync(path, OWNER_ALONE);
    return true;
  } catch (error) {
    if (["EPERM", "EROFS", "ENOTSUP"].includes((error as { code?: string }).code ?? "")) return false;
    throw error;
  }
}

/** As `existsSync`, which takes a file in a closed folder for missing. @throws as the system says */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Gives files and folders that root has made to the owner of the directory: a server that runs as that user could not
 * open them. A link itself changes its owner, never its target.
 */
export function giveToOwnerOf(directory: string, paths: readonly string[]): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  for (const path of paths.flatMap(withContent)) lchownSync(path, uid, gid);
}

function withContent(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  return [path, ...(stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [])];
}

/** Writes a whole file, replacing what was there. */
export function writePrivate(path: string, content: string): void {
  makePrivate(path);
  writeFileSync(path, content);
}

/** Makes new names in the directory survive a loss of power. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  fsyncSync(directory);
  closeSync(directory);
}

/** The fault in words; null if the directory is closed to others or missing. */
export function faultOfDirectory(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || (stats.mode & ANYBODY_ELSE) === 0) return null;
  const mode = (stats.mode & 0o777).toString(8);
  return `The directory ${path} is open to other users (mode ${mode}). Its files are not, but close it as well: chmod 700 ${path}`;
}

/**
 * `what`: the start of the sentence, "A backup needs"; `otherwise`: what else to do. @throws Error if fewer bytes are
 * free
 */
export function refuseWithoutRoom(directory: string, neededBytes: number, what: string, otherwise = ""): void {
  const { bsize, bavail } = statfsSync(directory);
  if (bsize * bavail > neededBytes) return;
  const [needed, free] = [neededBytes, bsize * bavail].map((bytes) => `${Math.ceil(bytes / 1_000_000)} MB`);
  throw new Error(`${what} ${needed} in ${directory}, where ${free} are free. Make room. ${otherwise}`.trimEnd());
}

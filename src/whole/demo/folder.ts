// The folder of a demo: locked while its process lives, and removed with it. A killed demo leaves its folder to the
// next.
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spaceOf } from "../../store/space.ts";
import { lockFile } from "../../store/sqlite/connection.ts";

const PREFIX = "posthorn-demo-";
const LOCK = "demo.lock";
const MEMORY = "/dev/shm";
/** A demo takes some 30 MB, and what visitors add to it. */
const ROOM_BYTES = 512 * 1024 * 1024;

export class DemoFolder implements Disposable {
  private constructor(
    readonly path: string,
    private readonly unlock: () => void,
  ) {}

  /** `within`: the folder in which it is made; in memory where there is room, since what goes away needs no disk. */
  static make(within: string | undefined): DemoFolder {
    for (const place of within === undefined ? [MEMORY, tmpdir()] : [within]) removeDead(place);
    const path = mkdtempSync(join(within ?? roomyFolder(), PREFIX));
    const unlock = lockFile(join(path, LOCK));
    // Another demo that looked for dead ones was faster, and removes it.
    return unlock === null ? DemoFolder.make(within) : new DemoFolder(path, unlock);
  }

  [Symbol.dispose](): void {
    this.unlock();
    rmSync(this.path, { recursive: true });
  }
}

function roomyFolder(): string {
  return (spaceOf(MEMORY).freeBytes ?? 0) >= ROOM_BYTES ? MEMORY : tmpdir();
}

/** Only what a demo of this user has surely made. */
function removeDead(place: string): void {
  if (!existsSync(place)) return;
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    if (!name.startsWith(PREFIX) || !isOwn(path) || !existsSync(join(path, LOCK))) continue;
    const unlock = lockFile(join(path, LOCK));
    if (unlock === null) continue;
    unlock();
    rmSync(path, { recursive: true, force: true });
  }
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

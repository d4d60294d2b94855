// Temporary folders. They hold whole databases and keys, so the next process deletes those of a killed one.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Makes an empty one in `parent`; this process has no other of the kind there. Its maker removes it. */
export function workFolder(parent: string, kind: "backup" | "restore"): string {
  const start = `${kind}-in-work-`;
  for (const name of readdirSync(parent))
    if (name.startsWith(start) && !isOfAnother(Number(name.slice(start.length).split("-")[0])))
      rmSync(join(parent, name), { recursive: true, force: true });
  return mkdtempSync(join(parent, `${start}${process.pid}-`));
}

/** In a container each process may have the number of the one before. */
function isOfAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

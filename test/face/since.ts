// With POSTHORN_SCREENS_SINCE=<commit>, only the screens that have changed since are looked at.
import { programsChangedSince, isScreenChanged } from "../changed.ts";

const commit = process.env["POSTHORN_SCREENS_SINCE"];
const changed = commit === undefined ? null : programsChangedSince(commit);

/** `path`: below /app. What lies in test/face/ itself concerns every screen. */
export function isToShow(path: string): boolean {
  return (
    isScreenChanged(path, changed) ||
    [...(changed ?? [])].some((file) => /^test\/face\/[\w-]+(?<!\.test)\.ts$/.test(file))
  );
}

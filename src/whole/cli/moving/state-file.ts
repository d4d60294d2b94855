// The file of a move, beside where the command runs, so that the same command goes on where it was.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { MoveState } from "../../../desk/moving/state.ts";

/** Null if there is no file. @throws Error if it is that of another move */
export function readState(file: string, about: Pick<MoveState, "product" | "from" | "into">): MoveState | null {
  if (!existsSync(file)) return null;
  const state = parsed(file);
  const other = (["product", "from", "into"] as const).find((name) => state?.[name] !== about[name]);
  if (state !== null && other === undefined) return state;
  const what = state === null ? "is no file of a move" : `is that of another move (${OTHERS[other ?? "product"]})`;
  throw new Error(`${file} ${what}. Name another file with --state FILE.`);
}

const OTHERS = { product: "of another product", from: "from another address", into: "into another workspace" };

function parsed(file: string): MoveState | null {
  try {
    const state = JSON.parse(readFileSync(file, "utf8")) as MoveState | null;
    return typeof state?.part === "number" ? state : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** All or nothing. For its owner alone: examples name people. */
export function writeState(file: string, state: MoveState): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

// The file of a move, beside where the command runs, so that the same command goes on where it was.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { AppError } from "../../../base/errors.ts";
import { stateShape, type MoveState } from "../../../desk/moving/record.ts";
import { otherMove, type MoveAbout } from "../../../desk/moving/state.ts";
import { asBody } from "../../../http/body/shape.ts";

/** Null if there is no file. @throws Error if it is that of another move */
export function readState(file: string, about: MoveAbout): MoveState | null {
  if (!existsSync(file)) return null;
  const state = parsed(file);
  const wrong = state === null ? "is no file of a move" : otherMove(state, about);
  if (wrong === null) return state;
  throw new Error(`${file} ${wrong}. Name another file with --state FILE.`);
}

function parsed(file: string): MoveState | null {
  try {
    return asBody(stateShape)["~standard"].validate(JSON.parse(readFileSync(file, "utf8"))).value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AppError) return null;
    throw error;
  }
}

/** All or nothing. For its owner alone: examples name people. */
export function writeState(file: string, state: MoveState): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

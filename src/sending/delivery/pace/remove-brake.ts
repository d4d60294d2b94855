// Removing a brake by hand: a person knows that the provider takes mail again.
import { AppError } from "../../../base/errors.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Tx } from "../../../store/store.ts";
import type { Brake } from "./brake.ts";
import { brakeById, deleteBrake } from "./queries.ts";

/** Signalled when a brake was put on, changed or removed. */
export const BRAKES_CHANGED = "brakes changed";

/**
 * Removes a brake of the workspace; mail that waited for it leaves at full pace within seconds. If the provider still
 * demands less, a new brake is put on. Answers the brake.
 * @throws AppError BRAKE_NOT_FOUND
 */
export async function removeBrake(tx: Tx, workspace: number, id: string): Promise<Brake> {
  const brake = await brakeById(tx, workspace, id);
  if (!brake || (await deleteBrake(tx, brake)) === 0)
    throw new AppError("BRAKE_NOT_FOUND", `There is no brake ${id} in this workspace.`);
  brakesChanged(tx, workspace);
  return brake;
}

/** Other processes and open pages follow it. */
export function brakesChanged(tx: Tx, workspace: number): void {
  tx.signal(BRAKES_CHANGED);
  notifyChange(tx, "mails", workspace);
}

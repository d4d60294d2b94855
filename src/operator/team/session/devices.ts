// The browsers in which a user has signed in, known by a cookie that outlives sessions.
import { DAY_MS, iso } from "../../../base/clock.ts";
import { sha256Hex } from "../../../base/ids.ts";
import type { Tx } from "../../../store/store.ts";
import { deleteOldestDevices, hasDevices, insertDevice, touchDevice } from "./session-queries.ts";

/** As long as browsers keep a cookie. */
export const KNOWN_MS = 400 * DAY_MS;
const MOST_OF_A_PERSON = 50;

/**
 * Notes a sign-in with this token in the browser's cookie. Answers whether the browser is new among others of the user:
 * the first one of all is not.
 */
export async function noteDevice(tx: Tx, person: number, token: string): Promise<boolean> {
  const device = { person, hash: sha256Hex(token), endsAt: iso(tx.nowMs + KNOWN_MS) };
  if ((await touchDevice(tx, device)) > 0) return false;
  const hasOthers = await hasDevices(tx, person);
  const isNew = (await insertDevice(tx, device)) > 0;
  await deleteOldestDevices(tx, person, MOST_OF_A_PERSON);
  return isNew && hasOthers;
}

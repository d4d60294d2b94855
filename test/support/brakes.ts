// Brakes as the answers of a mailbox provider would put them on.
import { HOUR_MS, iso } from "../../src/base/clock.ts";
import type { Brake } from "../../src/sending/delivery/pace/brake.ts";
import { brakesChanged } from "../../src/sending/delivery/pace/remove-brake.ts";
import { allBrakes, putOnBrake } from "../../src/sending/delivery/pace/queries.ts";
import type { Posthorn } from "./posthorn.ts";

type Wanted = Partial<Pick<Brake, "workspace" | "way" | "mailbox" | "perHour" | "reply">> & {
  /** It takes nothing for an hour. */
  readonly isPaused?: boolean;
};

export const SLOWER = "421 4.7.28 Our system has detected an unusual rate of mail";
export const BLOCKED = "550 5.7.1 Blocked: the reputation of your server is low";

/** Of the first workspace and the default way, unless others are named. */
export async function putOn(
  posthorn: Posthorn,
  { workspace = 1, way = "default", mailbox = "gmail", perHour = 300, isPaused = false, reply }: Wanted = {},
): Promise<Brake> {
  await posthorn.store.write(async (tx) => {
    const pausedUntil = isPaused ? iso(tx.nowMs + HOUR_MS) : null;
    const change = { perHour, fullPerHour: 1_200, pausedUntil, pauses: isPaused ? 1 : 0 };
    await putOnBrake(tx, { workspace, way, mailbox }, change, {
      reply: reply ?? (isPaused ? BLOCKED : SLOWER),
      isHearsay: false,
    });
    brakesChanged(tx, workspace);
  });
  const brakes = await posthorn.store.read((reader) => allBrakes(reader, 100));
  return brakes.find((one) => one.workspace === workspace && one.mailbox === mailbox && one.way === way) as Brake;
}

// `posthorn clock accept`: confirms the clock of a server that doubts it, after the operator has checked it.
import { iso } from "../../../base/clock.ts";
import { acceptClock, seenIn, type ClockMark } from "../../../store/clock-queries.ts";
import type { Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { inStore } from "../beside.ts";
import { printOne } from "../print.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const CLOCK_ACCEPT: Verb = {
  name: "clock accept",
  summary: "Accepts a clock that is more than a day ahead of the latest time that the server has seen",
  notes: [
    "Until then, or until the server has run for an hour without a jump of the clock, nothing is deleted by age and no scheduled",
    "email leaves. Compare the time with another clock first.",
  ],
  options: JSON_OPTION,
  run: accept,
};

async function accept(call: VerbCall): Promise<void> {
  const [now, { seenAt, doubtedAt }] = await inStore(call, ({ store }) =>
    store.write(async (tx): Promise<[string, ClockMark]> => [iso(tx.nowMs), await accepted(tx)]),
  );
  printOne(call, { now, seenAt, doubtedAt }, () =>
    doubtedAt === null
      ? `The time ${now} is accepted; it was not in doubt.`
      : `The time ${now} is accepted: scheduled email leaves, and what is old is deleted. The latest time before was ${seenAt}.`,
  );
}

async function accepted(tx: Tx): Promise<ClockMark> {
  const before = await seenIn(tx);
  await acceptClock(tx);
  if (before.doubtedAt !== null) await noteAct(tx, { by: COMMAND_LINE, action: "clock accept" });
  return before;
}

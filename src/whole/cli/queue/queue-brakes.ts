// `posthorn queue brakes` and `full-pace`: the mailbox providers that are sent less mail, for all workspaces.
import { isPaused } from "../../../sending/delivery/pace/brake.ts";
import { removeBrake } from "../../../sending/delivery/pace/remove-brake.ts";
import {
  brakeOfAnyWorkspace,
  brakesByWorkspace,
  type BrakeOfWorkspace,
} from "../../../sending/delivery/pace/queries.ts";
import { AppError } from "../../../base/errors.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { inStore, type CliGround } from "../beside.ts";
import { printList, printOne } from "../print.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

const MOST = 1_000;

export const BRAKE_VERBS: readonly Verb[] = [
  {
    name: "queue brakes",
    summary: "Lists the mailbox providers that are sent less email for a while, with what they said",
    options: JSON_OPTION,
    run: (call) => inStore(call, (place) => listBrakes(call, place)),
  },
  {
    name: "queue full-pace",
    summary: "Sends to a mailbox provider at full pace again",
    notes: ["If it still asks for less email, it is sent less again. The ids are those of queue brakes."],
    argument: "ID",
    options: JSON_OPTION,
    run: (call) => inStore(call, (place) => release(call, place)),
  },
];

async function listBrakes(call: VerbCall, { store }: Pick<CliGround, "store">): Promise<void> {
  const brakes = await store.read((reader) => brakesByWorkspace(reader, MOST));
  printList(
    call,
    brakes.map((brake) => brakeLine(brake, store.clock.nowMs())),
    ({ id, workspace, mailbox, way, state, holds, perHour, pausedUntil, since, reply }) => ({
      id,
      workspace,
      mailbox,
      way,
      pace: state === "PAUSED" ? `paused until ${pausedUntil}` : `${perHour} an hour`,
      waits: holds === "ALL" ? "all email" : "marketing email",
      since,
      said: reply,
    }),
    "Every mailbox provider is sent email at full pace.",
  );
}

function brakeLine(brake: BrakeOfWorkspace, nowMs: number) {
  const { id, workspaceName, mailbox, way, perHour, pausedUntil, since, changedAt, reply } = brake;
  const state = isPaused(brake, nowMs) ? "PAUSED" : "SLOWED";
  const until = state === "PAUSED" ? pausedUntil : null;
  const holds = brake.isHearsay ? "MARKETING" : "ALL";
  const paced = { id, workspace: workspaceName, mailbox, way, state, holds, perHour, pausedUntil: until };
  return { ...paced, since, changedAt, reply };
}

async function release(call: VerbCall, { store }: Pick<CliGround, "store">): Promise<void> {
  const { argument: id } = call;
  const { mailbox } = await store.write(async (tx) => {
    const known = await brakeOfAnyWorkspace(tx, id);
    if (!known) throw new AppError("BRAKE_NOT_FOUND", `There is no brake ${id}.`);
    const { workspace, mailbox: name } = known;
    await noteAct(tx, {
      by: COMMAND_LINE,
      action: "queue full-pace",
      workspace,
      target: { id, kind: "queue", name },
    });
    return removeBrake(tx, workspace, id);
  });
  printOne(call, { id, mailbox }, () => `Email to ${mailbox} leaves at full pace again within seconds.`);
}

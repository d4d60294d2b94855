// The pace that a mailbox provider has asked for, as a limit: a brake of a workspace on a way.
import type { Clock } from "../../../base/clock.ts";
import { MARKETING, type Lane } from "../../../mail/emails/queue/holds.ts";
import type { MailToSend } from "../../../mail/emails/queries.ts";
import { paceOnly, type Limit, type LimitedMail, type LimitKind } from "../limits/limit.ts";
import { paceOfBrake, type Brake } from "./brake.ts";
import type { Brakes } from "./brakes.ts";
import { keepNextOfBrake, lockBrake } from "./queries.ts";

export function brakeLimits(brakes: Brakes, clock: Clock): LimitKind {
  return {
    concerns: (workspace) => brakes.has(workspace),
    mayHold: ({ workspace }) => brakes.has(workspace),
    holds: ({ workspace, kind }: MailToSend, way, mailbox) =>
      brakes.holding({ workspace, way, mailbox }, kind === "MARKETING") !== null,
    on: ({ workspace, mailbox }: LimitedMail, lane: Lane, way) => {
      const isMarketing = lane === MARKETING;
      if (!brakes.isOn({ workspace, mailbox }, isMarketing)) return null;
      const brake = brakes.holding({ workspace, way, mailbox }, isMarketing);
      return brake === null ? [] : [limitOf(brake, clock)];
    },
  };
}

function limitOf(brake: Brake, clock: Clock): Limit {
  return {
    pace: paceOfBrake(brake, clock.headStartMs),
    notBefore: brake.pausedUntil,
    lock: async (tx) => {
      const nextAtMs = await lockBrake(tx, brake.seq);
      return nextAtMs === null ? null : paceOnly(nextAtMs);
    },
    take: (tx, _, nextAtMs) => keepNextOfBrake(tx, brake.seq, nextAtMs),
  };
}

// GET /queue, and the actions on it.
import type { Config } from "../../../base/config.ts";
import { heldSince } from "../../../store/hold.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, remove, routes } from "../../../tenant/access/route-table.ts";
import { removeBrake } from "../pace/remove-brake.ts";
import type { RelayState } from "../../open-ways/way-choice.ts";
import { queueOf } from "./queue.ts";
import { queueShape } from "./record.ts";

export type QueueOptions = {
  /** 0 = no limit. */
  readonly delivery: Config["delivery"];
  readonly relay: () => RelayState;
};

export function queueRoutes(access: Access, { delivery, relay }: QueueOptions) {
  return routes(access, [
    get(
      "/queue",
      {
        name: "getQueue",
        summary: "See what waits in the queue, and why",
        answers: { 200: queueShape },
        permission: "read",
        description:
          "Counts stop at 50,000, of emails that are due later at 5,000 (`isLowerBound`). `campaigns` are the latest 20 that are under way; `notQueued` are their recipients without an email. On several nodes, `relay` is what the node that answers knows.",
      },
      async (reader, { caller: { workspace } }) => {
        const isHeld = (await heldSince(reader)) !== null;
        const { ratePerSecond: configuredRate } = delivery;
        return queueOf(reader, { workspace, nowMs: access.clock.nowMs(), configuredRate, relay: relay(), isHeld });
      },
      "long",
    ),
    remove(
      "/queue/brakes/:id",
      {
        name: "letBrakeGo",
        summary: "Send to a mailbox provider at full pace again",
        answers: { 204: null },
        permission: "mail.send",
        refuses: ["BRAKE_NOT_FOUND"],
        description:
          "What waits for it leaves within seconds. If the provider still asks for less, it is sent less again. The ids are in `brakes` of `GET /queue`.",
      },
      async (tx, { params, caller: { workspace } }) => {
        await removeBrake(tx, workspace, params.id);
      },
    ),
  ]);
}

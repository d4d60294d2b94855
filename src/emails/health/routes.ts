// GET /workspace/health: the figures by which mailbox providers judge a sender.
import { Elysia } from "elysia";
import { answers } from "../../http/answers.ts";
import { secretKey, type Gate } from "../../workspaces/auth.ts";
import { healthOf, type HealthLimits } from "./health.ts";
import { healthShape } from "./shape.ts";

const SHOWN = answers(
  "How the workspace's mail fares: bounces and complaints",
  { 200: healthShape },
  { description: "Of the last 30 days, or of the last 10,000 mails if there were more. Rates are in per cent." },
);

export function healthRoutes(gate: Gate, limits: HealthLimits) {
  const { store, clock } = gate;
  return new Elysia({ prefix: "/workspace/health" })
    .use(secretKey(gate))
    .get(
      "",
      ({ caller }) => store.read((reader) => healthOf(reader, caller.workspace, clock.nowMs(), limits), { long: true }),
      { detail: SHOWN },
    );
}

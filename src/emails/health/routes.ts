// GET /workspace/health: the figures by which mailbox providers judge a sender.
import { Elysia } from "elysia";
import { answers } from "../../http/answers.ts";
import { secretKey, type Access } from "../../workspaces/auth.ts";
import { healthOf, type HealthLimits } from "./health.ts";
import { healthShape } from "./shape.ts";

const SHOWN = answers(
  "How the workspace's mail fares: bounces and complaints",
  { 200: healthShape },
  { description: "Of the last 30 days, or of the last 10,000 mails if there were more. Rates are in per cent." },
);

export function healthRoutes(access: Access, limits: HealthLimits) {
  const { store, clock } = access;
  return new Elysia({ prefix: "/workspace/health" }).use(secretKey(access)).get(
    "",
    ({ caller }) =>
      store.read((reader) => healthOf(reader, caller.workspace, clock.nowMs(), limits), {
        longFor: caller.workspace,
      }),
    { detail: SHOWN },
  );
}

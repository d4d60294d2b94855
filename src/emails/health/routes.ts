// GET /workspace/health: the figures by which mailbox providers judge a sender.
import { Elysia } from "elysia";
import { answers } from "../../http/answers.ts";
import type { Log } from "../../log.ts";
import { secretKey, type Access } from "../../workspaces/auth.ts";
import { healthOf, type HealthLimits } from "./health.ts";
import { healthShape } from "./shape.ts";
import { setStop } from "./watch.ts";

const SHOWN = answers(
  "How the workspace's mail fares: bounces and complaints",
  { 200: healthShape },
  {
    description:
      "Of the last 30 days, or of the last 10,000 mails if there were more. Rates are in per cent. What they stop is stopped once this is answered.",
  },
);

export function healthRoutes(access: Access, limits: HealthLimits, log: Log) {
  const { store, clock } = access;
  return new Elysia({ prefix: "/workspace/health" }).use(secretKey(access)).get(
    "",
    async ({ caller: { workspace: seq, workspaceId: id } }) => {
      const health = await store.read((reader) => healthOf(reader, seq, clock.nowMs(), limits), { longFor: seq });
      await setStop({ store, log }, { seq, id }, health);
      return health;
    },
    { detail: SHOWN },
  );
}

// The HTTP room: whether the server is up, whom to tell of a weakness, and how long stored answers are kept.
import { Elysia, t } from "elysia";
import type { Ground, Room } from "../ground/ground.ts";
import { hourly } from "../base/jobs/loops.ts";
import type { Declaration } from "./answers.ts";
import { forgetOldKeys } from "./kept-answers.ts";
import { securityTextRoutes } from "./docs/security-text.ts";

const HEALTH: Declaration = {
  name: "getHealth",
  summary: "Check that the server runs",
  answers: { 200: t.Object({ status: t.String() }) },
  key: "none",
};
const EXPIRED_KEYS_A_BATCH = 1_000;

export function openHttp({ store, clock, config }: Ground): Room {
  return {
    routes: [
      new Elysia().get("/health", () => ({ status: "ok" }), { detail: HEALTH }),
      ...securityTextRoutes(config.http, clock),
    ],
    loops: [hourly("deleting old idempotency keys", EXPIRED_KEYS_A_BATCH, (most) => forgetOldKeys(store, most))],
  };
}

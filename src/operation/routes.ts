// GET /ready
import { Elysia, t } from "elysia";
import { AppError } from "../errors.ts";
import type { RelayState } from "../delivery/reachability.ts";
import type { Ground } from "../ground.ts";
import { countShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { build } from "../version.ts";
import type { Readiness } from "./readiness.ts";

const readyShape = t.Object(
  {
    status: t.Literal("ready"),
    version: t.String(),
    commit: t.String({ description: "That it was built from." }),
    date: nullable(timeShape),
    schema: t.Number({ multipleOf: 1, description: "Of the database." }),
    uptimeSeconds: countShape,
    relay: oneOf("ANSWERING", "AWAY", "UNKNOWN"),
  },
  { title: "Ready" },
);

const READY = answers(
  "getReady",
  "Check that the server can do its work",
  { 200: readyShape },
  {
    key: "none",
    refuses: ["NOT_READY"],
    description:
      "Ready is a server with a workspace, whose store took a change within the last ten seconds (if nobody made one, it makes one), and whose loops go on. `GET /health` says only that the process lives.",
  },
);

export function readyRoutes(readiness: Readiness, { schema, clock }: Ground, relay: () => RelayState) {
  const startedMs = clock.monotonicMs();
  return new Elysia().get(
    "/ready",
    async ({ set }) => {
      set.headers["cache-control"] = "no-store";
      const missing = await readiness.missing();
      if (missing.length === 0) {
        const uptimeSeconds = Math.floor((clock.monotonicMs() - startedMs) / 1000);
        return { status: "ready", ...build(), schema, uptimeSeconds, relay: relay().state };
      }
      const message = missing.map((one) => one.message).join(" ");
      throw new AppError("NOT_READY", message, { errors: missing, retryAfterSeconds: 5 });
    },
    { detail: READY },
  );
}

// GET /ready
import { Elysia, t } from "elysia";
import type { BackupStream } from "../backup/room.ts";
import { HEALTHS, healthSoon } from "../backup/stream/health.ts";
import { AppError } from "../../base/errors.ts";
import type { RelayState } from "../../sending/open-ways/way-choice.ts";
import type { Ground } from "../../ground/ground.ts";
import { countShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { type Declaration } from "../../http/answers.ts";
import { build } from "../../base/version.ts";
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
    waysAway: t.Array(t.String(), { description: "Of several sending routes, those that cannot be used, by name." }),
    stream: t.Union([oneOf(...HEALTHS), t.Null()], { description: "null = `backup.stream` is not set." }),
  },
  { title: "Ready" },
);

const READY: Declaration = {
  name: "getReady",
  summary: "Check that the server can do its work",
  answers: { 200: readyShape },
  key: "none",
  refuses: ["NOT_READY"],
  description:
    "Ready is a server with a workspace, whose store took a change within the last ten seconds (if nobody made one, it makes one), whose loops go on, and whose place in `backup.stream` no other server has taken. `GET /health` says only that the process lives.",
};

type ReadinessOptions = {
  readonly readiness: Readiness;
  readonly relay: () => RelayState;
  readonly stream: BackupStream | null;
};

export function readyRoutes({ readiness, relay, stream }: ReadinessOptions, { schema, clock }: Ground) {
  const startedMs = clock.monotonicMs();
  return new Elysia().get(
    "/ready",
    async ({ set }) => {
      set.headers["cache-control"] = "no-store";
      const missing = await readiness.missing();
      if (missing.length === 0) {
        const uptimeSeconds = Math.floor((clock.monotonicMs() - startedMs) / 1000);
        const shipping = stream && (await healthSoon(stream.state));
        const { state, ways } = relay();
        const waysAway = ways.filter((way) => way.state === "AWAY" && !way.isPaused).map(({ name }) => name);
        return { status: "ready", ...build(), schema, uptimeSeconds, relay: state, waysAway, stream: shipping };
      }
      const message = missing.map((one) => one.message).join(" ");
      throw new AppError("NOT_READY", message, { errors: missing, retryAfterSeconds: 5 });
    },
    { detail: READY },
  );
}

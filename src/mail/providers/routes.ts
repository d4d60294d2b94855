// POST /providers/{provider}/{token}: the endpoint for reports of the relay's provider. Its path is secret, and the
// posted reports are proved by that provider's method.
import { Elysia } from "elysia";
import type { SharedBytes } from "../../base/brakes/shared-bytes.ts";
import { WITH_BODY, type Declaration } from "../../http/answers.ts";
import { readText } from "../../http/body/body.ts";
import type { ProviderReports } from "./reports.ts";
import { reportsShape, takenShape } from "./shape.ts";

/** SparkPost sends up to a megabyte. */
const BODY_BYTES = 2 * 1024 * 1024;

const TAKEN: Declaration = {
  name: "receiveProviderReports",
  summary: "Receive reports of the relay's provider",
  answers: { 200: takenShape },
  key: "none",
  takes: { type: "application/json", schema: reportsShape },
  refuses: ["ROUTE_NOT_FOUND", "FORBIDDEN", "NOTICE_EARLY", "VALIDATION_ERROR", ...WITH_BODY],
  description:
    "The provider is `relay.provider`, and owners see the whole URL at `GET /installation`. Bodies are as the provider writes them, or a list of ProviderReport for `generic`. Each event counts once. Without a provider this route does not exist.",
};

/** `bodyMemory`: for bodies that are being read. */
export function providerRoutes(reports: ProviderReports, bodyMemory: SharedBytes) {
  const room = { limitBytes: BODY_BYTES, memory: bodyMemory, holder: "reports of the provider" };
  return new Elysia().post(
    "/providers/:provider/:token",
    async ({ request, params }) => {
      const name = reports.mustBeThere(params.provider, params.token);
      return reports.take(name, { headers: request.headers, text: await readText(request, room) });
    },
    { detail: TAKEN },
  );
}

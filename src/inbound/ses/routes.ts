// POST /webhooks/ses: where Amazon SNS delivers notices of Amazon SES. They carry no key; their signature is checked
// instead.
import { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import { content, WITH_BODY, type Declaration } from "../../http/answers.ts";
import { readJson } from "../../http/body.ts";
import { asBody } from "../../http/shape.ts";
import type { SharedBytes } from "../../brakes/shared-bytes.ts";
import type { SesNotices } from "./notices.ts";
import { snsShape } from "./shape.ts";

/** A message has 256 KB at most, and is a JSON text inside another. */
const BODY_BYTES = 640 * 1024;

const messages = asBody(snsShape);

const TAKEN: Declaration = {
  name: "receiveSesNotice",
  summary: "Receive a notice of Amazon SES from Amazon SNS",
  answers: { 204: null },
  key: "none",
  takes: content("text/plain"),
  refuses: ["ROUTE_NOT_FOUND", "FORBIDDEN", "NOTICE_EARLY", ...WITH_BODY],
  description:
    "Only signed messages of the configured topics are accepted, each once; their subscriptions are confirmed. Without topics this route does not exist.",
};

/** `bodyMemory`: for bodies that are being read. */
export function sesRoutes(notices: SesNotices, bodyMemory: SharedBytes) {
  const room = { limitBytes: BODY_BYTES, memory: bodyMemory, holder: "notices of SES" };
  return new Elysia().post(
    "/webhooks/ses",
    async ({ request, set }) => {
      if (!notices.areTaken) throw new AppError("ROUTE_NOT_FOUND", "There is no such route.");
      const body = await readJson(request, room);
      await notices.take(messages["~standard"].validate(body).value);
      set.status = 204;
    },
    { detail: TAKEN },
  );
}

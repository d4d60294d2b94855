// The calls of Resend's API beside those about emails: each maps to one of ours (docs/compat/resend.md).
import { routes } from "../../../tenant/access/route-table.ts";
import { broadcastCalls } from "./broadcasts.ts";
import type { CallDeps } from "./call.ts";
import { contactCalls } from "./contacts.ts";
import { domainCalls } from "./domains.ts";
import { RESEND } from "./refusals.ts";
import { segmentCalls } from "./segments.ts";
import { suppressionCalls } from "./suppressions.ts";
import { templateCalls } from "./templates.ts";
import { topicCalls } from "./topics.ts";
import { webhookCalls } from "./webhooks.ts";

export function resendCalls(deps: CallDeps) {
  const calls = [
    contactCalls,
    segmentCalls,
    topicCalls,
    broadcastCalls,
    templateCalls,
    domainCalls,
    webhookCalls,
    suppressionCalls,
  ];
  return routes(
    deps,
    deps.ours.routes(
      RESEND,
      calls.flatMap((of) => of(deps)),
    ),
  );
}

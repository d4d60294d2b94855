// Submission (RFC 6409, RFC 8314): mail programs submit messages on two ports, one with STARTTLS and one with TLS from
// the first byte.
import type { Ground, Room } from "../../ground/ground.ts";
import { MessageMemory } from "../../ground/smtp-listener/message-memory.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { submissionHandlers } from "./handlers.ts";
import { submissionRoutes } from "./routes.ts";

const LARGEST_MESSAGE_BYTES = 15 * 1024 * 1024;
const MOST_RECIPIENTS = 50;
/** Some 90 MB for both ports. A message is one piece, so the last step has space for more than the largest. */
const MEMORY = [
  { bytes: 512 * 1024, places: 64 },
  { bytes: LARGEST_MESSAGE_BYTES + 1, places: 4 },
];

export function openSubmission({ config }: Ground, access: Access): Room {
  const { smtp, delivery } = config;
  const both = {
    maxBytes: LARGEST_MESSAGE_BYTES,
    maxRecipients: MOST_RECIPIENTS,
    memory: new MessageMemory(MEMORY),
    // SES and Graph take no such addresses; a relay's support shows only in its session.
    utf8: () => !["ses", "graph"].includes(delivery.transport),
    handlers: submissionHandlers(access, smtp.tracking),
  };
  return {
    routes: [submissionRoutes(access, config)],
    ports: [
      { ...both, setting: "submissionPort", words: "STARTTLS", implicitTls: false },
      { ...both, setting: "submissionsPort", words: "TLS", implicitTls: true },
    ],
  };
}

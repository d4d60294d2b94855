// Submission (RFC 6409, RFC 8314): mail programs hand in messages on two ports, one with STARTTLS and one that begins encrypted.
import type { Config } from "../config.ts";
import type { Door } from "../smtp-listener/ports.ts";
import { Room } from "../smtp-listener/room.ts";
import type { Access } from "../workspaces/auth.ts";
import { submissionDesk } from "./desk.ts";

const LARGEST_MESSAGE_BYTES = 15 * 1024 * 1024;
const MOST_RECIPIENTS = 50;
/** Some 90 MB for both ports. A message is one piece, so the last step has space for more than the largest. */
const ROOM = [
  { bytes: 512 * 1024, places: 64 },
  { bytes: LARGEST_MESSAGE_BYTES + 1, places: 4 },
];

export function submissionDoors({ smtp, delivery }: Config, access: Access): readonly Door[] {
  const both = {
    maxBytes: LARGEST_MESSAGE_BYTES,
    maxRecipients: MOST_RECIPIENTS,
    room: new Room(ROOM),
    // SES takes no such addresses; of a relay it is known only when it is talked to.
    utf8: delivery.transport !== "ses",
    desk: submissionDesk(access, smtp.tracking),
  };
  return [
    { ...both, setting: "submissionPort", words: "STARTTLS", implicitTls: false },
    { ...both, setting: "submissionsPort", words: "TLS", implicitTls: true },
  ];
}

// Postmark: an event a request, proved by the secret path and, if one is set, a user and password.
import { hasPassword } from "./proofs.ts";
import { firstOf, oneOrMany, record, word, type Json, type Provider, type Report } from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, returned } from "./returned.ts";

/** Of its types of bounces: these change nothing, as it tries again or a person or a program has answered. */
const NO_BOUNCES = new Set(
  "Transient Subscribe Unsubscribe AutoResponder AddressChange ChallengeVerification OpenRelayTest".split(" "),
);
const HARD = new Set(["HardBounce", "BadEmailAddress"]);
const ABOUT_US = new Set(
  "Blocked SpamNotification VirusNotification DMARCPolicy SMTPApiError TemplateRenderingFailed".split(" "),
);

export const postmark: Provider = {
  title: "Postmark",
  key: "user:password",
  isGenuine: hasPassword,
  eventsOf: oneOrMany,
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const emailId = word(record(event["Metadata"])["posthorn-id"]);
    const recipient = firstOf(event["Recipient"], event["Email"]);
    return { about: { emailId, recipient, remoteId: word(event["MessageID"]) }, what };
  },
};

function whatOf(event: Json): Report["what"] | null {
  const type = word(event["RecordType"]);
  if (type === "Delivery") return DELIVERED;
  if (type === "SpamComplaint" || word(event["Type"]) === "SpamComplaint") return COMPLAINED;
  if (type === "Open") return { kind: "visited", link: null, isMachine: false };
  if (type === "Click") return { kind: "visited", link: word(event["OriginalLink"]), isMachine: false };
  return type === "Bounce" ? bounced(event) : null;
}

function bounced(event: Json): Report["what"] | null {
  const type = word(event["Type"]);
  if (type === "Transient") return delayed({ words: word(event["Details"]), fallback: "Postmark: put off" });
  if (NO_BOUNCES.has(type)) return null;
  const how = HARD.has(type) ? "hard" : ABOUT_US.has(type) ? "blocked" : "soft";
  const fallback = firstOf(event["Description"], event["Name"], `Postmark: ${type}`);
  if (type === "ManuallyDeactivated") return returned({ how: "blocked", fallback });
  return returned({ how, words: word(event["Details"]), fallback });
}

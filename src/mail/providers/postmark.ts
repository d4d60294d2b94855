// Postmark: an event a request, proved by the secret path and, if one is set, a user and password.
import { hasPassword } from "./proofs.ts";
import {
  firstOf,
  oneOrMany,
  jsonRecord,
  word,
  type ProviderJson,
  type ProviderAdapter,
  type ProviderEvent,
} from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, refusedByList, returned, unsubscribed } from "./returned.ts";

/** Types of bounces that change nothing: Postmark retries, or the answer is a person's or a program's. */
const NO_BOUNCES = new Set(
  "Transient Subscribe AutoResponder AddressChange ChallengeVerification OpenRelayTest InboundError".split(" "),
);
const HARD = new Set(["HardBounce", "BadEmailAddress"]);
/** About us, or about a domain that is not found: the words decide. */
const IN_WORDS = new Set(
  "Blocked SpamNotification VirusNotification DMARCPolicy SMTPApiError TemplateRenderingFailed DnsError".split(" "),
);
/** The address is on Postmark's list, for any reason in the words. */
const LISTED: Readonly<Record<string, "blocked" | "suppressed">> = {
  ManuallyDeactivated: "blocked",
  InactiveRecipient: "suppressed",
};

export const postmark: ProviderAdapter = {
  title: "Postmark",
  key: "user:password",
  isGenuine: hasPassword,
  eventsOf: oneOrMany,
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const emailId = word(jsonRecord(event["Metadata"])["posthorn-id"]);
    const recipient = firstOf(event["Recipient"], event["Email"]);
    return { about: { emailId, recipient, remoteId: word(event["MessageID"]) }, what };
  },
};

function whatOf(event: ProviderJson): ProviderEvent["what"] | null {
  const type = word(event["RecordType"]);
  if (type === "Delivery") return DELIVERED;
  if (type === "SpamComplaint" || word(event["Type"]) === "SpamComplaint") return COMPLAINED;
  if (type === "Open") return { kind: "visited", link: null, isMachine: false };
  if (type === "Click") return { kind: "visited", link: word(event["OriginalLink"]), isMachine: false };
  if (type === "SubscriptionChange") return changed(event);
  return type === "Bounce" ? bounced(event) : null;
}

/** Sending to an address was stopped there, or resumed: a subscription there is not a subscription here. */
function changed(event: ProviderJson): ProviderEvent["what"] | null {
  if (event["SuppressSending"] !== true) return null;
  const [reason, origin] = [word(event["SuppressionReason"]), word(event["Origin"])];
  const words = `Postmark: ${reason || "suppressed"}${origin && ` by ${origin}`}`;
  if (reason === "SpamComplaint") return { ...COMPLAINED, said: words };
  if (reason === "HardBounce") return returned({ how: "suppressed", fallback: words });
  return unsubscribed(words);
}

function bounced(event: ProviderJson): ProviderEvent["what"] | null {
  const [type, details] = [word(event["Type"]), word(event["Details"])];
  if (type === "Transient") return delayed({ words: details, fallback: "Postmark: deferred" });
  if (NO_BOUNCES.has(type)) return null;
  const fallback = firstOf(event["Description"], event["Name"], `Postmark: ${type}`);
  if (type === "Unsubscribe") return unsubscribed(`Postmark: ${firstOf(details, fallback)}`);
  const list = LISTED[type];
  if (list) return onList(event, list);
  if (type === "SMTPApiError" && /\binactive\b/i.test(details)) return onList(event, "suppressed");
  const how = HARD.has(type) ? "hard" : IN_WORDS.has(type) ? "blocked" : event["Inactive"] === true ? "hard" : "soft";
  return returned({ how, words: details, recipient: firstOf(event["Email"], event["Recipient"]), fallback });
}

function onList(event: ProviderJson, how: "blocked" | "suppressed"): ProviderEvent["what"] {
  const said = firstOf(event["Details"], event["Description"], event["Name"]);
  return refusedByList({ how, fallback: `Postmark: ${[word(event["Type"]), said].filter(Boolean).join(": ")}` });
}

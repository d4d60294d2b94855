// Mailgun: an event a request, with an HMAC of a time and a token inside it. The signature does not cover the event, so
// a token counts once.
import { hmacOf, isEqual, isTimely } from "./proofs.ts";
import {
  firstOf,
  jsonRecord,
  word,
  type ProviderJson,
  type ProviderRequest,
  type ProviderAdapter,
  type ProviderEvent,
} from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, refusedByList, returned, unsubscribed } from "./returned.ts";

export const mailgun: ProviderAdapter = {
  title: "Mailgun",
  key: "signing key",
  isGenuine: (posted, key, nowMs) => {
    const { timestamp, token, signature } = signatureOf(posted);
    if (key === null || token === "" || !isTimely(timestamp, nowMs)) return false;
    return isEqual(hmacOf(key, timestamp + token).toString("hex"), signature);
  },
  onceOf: (posted) => signatureOf(posted).token,
  eventsOf: (body) => [jsonRecord(jsonRecord(body)["event-data"])],
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const headers = jsonRecord(jsonRecord(event["message"])["headers"]);
    const emailId = word(jsonRecord(event["user-variables"])["posthorn-id"]);
    return { about: { emailId, messageId: word(headers["message-id"]), recipient: word(event["recipient"]) }, what };
  },
};

function signatureOf({ body }: ProviderRequest) {
  const { timestamp, token, signature } = jsonRecord(jsonRecord(body)["signature"]);
  return { timestamp: word(timestamp), token: word(token), signature: word(signature) };
}

function whatOf(event: ProviderJson): ProviderEvent["what"] | null {
  const type = word(event["event"]);
  if (type === "delivered") return DELIVERED;
  if (type === "complained") return COMPLAINED;
  if (type === "opened") return { kind: "visited", link: null, isMachine: isBot(event) };
  if (type === "clicked") return { kind: "visited", link: word(event["url"]), isMachine: isBot(event) };
  if (type === "unsubscribed") return unsubscribed("Mailgun: unsubscribed");
  if (type === "rejected") return rejected(jsonRecord(event["reject"]));
  if (type !== "failed") return null;
  // A temporary failure is retried by Mailgun.
  return word(event["severity"]) === "permanent" ? failed(event) : deferred(event);
}

function isBot(event: ProviderJson): boolean {
  return word(jsonRecord(event["client-info"])["bot"]) !== "";
}

function deferred(event: ProviderJson): ProviderEvent["what"] {
  const status = jsonRecord(event["delivery-status"]);
  const words = firstOf(status["message"], status["description"]);
  return delayed({ words, status: word(status["enhanced-code"]), fallback: "Mailgun: deferred" });
}

/** Mailgun refused the message. */
function rejected(reject: ProviderJson): ProviderEvent["what"] {
  const fallback = `Mailgun has rejected it: ${firstOf(reject["reason"], reject["description"])}`;
  return refusedByList({ how: "sender", fallback });
}

/** Mailgun's own codes for mail that it does not try: bounced before, unsubscribed, complained. */
const LISTS: Readonly<Record<string, string>> = {
  "605": "suppress-bounce",
  "606": "suppress-unsubscribe",
  "607": "suppress-complaint",
};
/** Also Mailgun's own, and final, though it looks like a temporary reply: the domain has no mail server. */
const NO_MX = "498";
/** All other reasons are about us, about pace, or missing. */
const ABOUT_ADDRESS = new Set(["bounce", "hardfail", ""]);

function failed(event: ProviderJson): ProviderEvent["what"] {
  const status = jsonRecord(event["delivery-status"]);
  const [said, code, kind] = [word(event["reason"]), word(status["code"]), word(status["bounce-type"])];
  const reason = said.startsWith("suppress-") ? said : (LISTS[code] ?? said);
  const words = firstOf(status["message"], status["description"]);
  const fallback = `Mailgun: ${reason || "failed"}`;
  if (reason.startsWith("suppress-"))
    return refusedByList({ how: "blocked", fallback: `${fallback}${words && `: ${words}`}` });
  const isHard = kind === "hard" || (kind === "" && ABOUT_ADDRESS.has(reason));
  const how = reason === "old" || kind === "soft" ? "soft" : isHard ? "hard" : "blocked";
  const recipient = word(event["recipient"]);
  const replied = code === NO_MX ? "" : code;
  return returned({ how, words, code: replied, recipient, status: word(status["enhanced-code"]), fallback });
}

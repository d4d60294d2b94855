// Mailjet: an event a request or many, proved by the secret path and, if one is set, a user and password.
import { hasPassword } from "./proofs.ts";
import { firstOf, oneOrMany, word, type ProviderJson, type ProviderAdapter, type ProviderEvent } from "./provider.ts";
import { COMPLAINED, DELIVERED, refusedByList, returned, unsubscribed } from "./returned.ts";

export const mailjet: ProviderAdapter = {
  title: "Mailjet",
  key: "user:password",
  isGenuine: hasPassword,
  eventsOf: oneOrMany,
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const remoteId = firstOf(event["Message_GUID"], event["MessageID"]);
    return { about: { emailId: word(event["CustomID"]), recipient: word(event["email"]), remoteId }, what };
  },
};

function whatOf(event: ProviderJson): ProviderEvent["what"] | null {
  const type = word(event["event"]);
  if (type === "sent") return DELIVERED;
  if (type === "spam") return COMPLAINED;
  if (type === "open") return { kind: "visited", link: null, isMachine: false };
  if (type === "click") return { kind: "visited", link: word(event["url"]), isMachine: false };
  if (type === "unsub") return unsubscribed(`Mailjet: unsub${word(event["agent"]) && ` by ${word(event["agent"])}`}`);
  return type === "bounce" || type === "blocked" ? bounced(event, type) : null;
}

/** The blamed part ("recipient", "domain", "content", "spam", "system", "mailjet"), with its words. */
function bounced(event: ProviderJson, type: string): ProviderEvent["what"] {
  const [part, error] = [word(event["error_related_to"]), word(event["error"])];
  const words = firstOf(event["comment"], error);
  const fallback = `Mailjet: ${type} ${part} ${error}`.trimEnd();
  if (part === "mailjet" && error === "preblocked")
    return refusedByList({ how: "suppressed", fallback: withComment(fallback, event) });
  const list = part === "recipient" ? LISTS[error] : undefined;
  if (list) return refusedByList({ how: "blocked", words: list, fallback: withComment(fallback, event) });
  if (["content", "spam", "mailjet"].includes(part)) return returned({ how: "sender", fallback: words || fallback });
  const how = event["hard_bounce"] === true ? "hard" : "soft";
  return returned({ how, words, recipient: word(event["email"]), fallback });
}

function withComment(fallback: string, event: ProviderJson): string {
  return [fallback, word(event["comment"])].filter(Boolean).join(": ");
}

/** The meaning of Mailjet's own names. */
const LISTS: Readonly<Record<string, string>> = {
  blacklisted: "blacklisted recipient",
  "spam reporter": "spam reporter",
};

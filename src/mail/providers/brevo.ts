// Brevo: one event or several a request, proved by the secret path and, if one is set, a user and password.
import { hasPassword } from "./proofs.ts";
import { firstOf, oneOrMany, word, type ProviderJson, type ProviderAdapter, type ProviderEvent } from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, refusedByList, returned, unsubscribed } from "./returned.ts";

export const brevo: ProviderAdapter = {
  title: "Brevo",
  key: "user:password",
  isGenuine: hasPassword,
  eventsOf: oneOrMany,
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const emailId = /posthorn-id:([\w-]+)/.exec(word(event["X-Mailin-custom"]))?.[1] ?? "";
    return { about: { emailId, messageId: word(event["message-id"]), recipient: word(event["email"]) }, what };
  },
};

function whatOf(event: ProviderJson): ProviderEvent["what"] | null {
  const type = word(event["event"]);
  const words = word(event["reason"]);
  const fallback = `Brevo: ${type.replace("_", " ")}`;
  if (type === "delivered") return DELIVERED;
  if (type === "spam" || type === "complaint") return COMPLAINED;
  if (/^(unique_)?(proxy_)?open(ed)?$/.test(type))
    return isFirst(type) ? null : { kind: "visited", link: null, isMachine: type.includes("proxy") };
  if (type === "click") return { kind: "visited", link: word(event["link"]), isMachine: false };
  if (type === "deferred") return delayed({ words, fallback });
  const recipient = word(event["email"]);
  if (type === "hard_bounce") return returned({ how: "hard", words, recipient, fallback });
  if (type === "soft_bounce") return returned({ how: "soft", words, recipient, fallback });
  if (/^unsubscribed?$/.test(type)) return unsubscribed(firstOf(words, "Brevo: unsubscribed"));
  if (type === "invalid_email" || type === "invalid")
    return returned({ how: "suppressed", fallback: words || fallback });
  if (type === "blocked") return refusedByList({ how: "blocked", fallback: words ? `Brevo: ${words}` : fallback });
  return type === "error" ? returned({ how: "sender", fallback: words || fallback }) : null;
}

/** The first open is reported a second time, as an ordinary open. */
function isFirst(type: string): boolean {
  return type.startsWith("unique_");
}

// SparkPost: many events a request, each wrapped, proved by the secret path and, if one is set, a user and password.
import { hasPassword } from "./proofs.ts";
import { firstOf, oneOrMany, record, word, type Json, type Provider, type Report } from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, returned } from "./returned.ts";

/** Of its classes of bounces: an invalid recipient, a generic bounce without RCPT. */
const HARD = new Set(["10", "30"]);
/** An automatic reply, a subscription, an unsubscribe. */
const NO_BOUNCES = new Set(["60", "80", "90"]);

export const sparkpost: Provider = {
  title: "SparkPost",
  key: "user:password",
  isGenuine: hasPassword,
  eventsOf: (body) => oneOrMany(body).flatMap((one) => Object.values(record(one["msys"])).map(record)),
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const emailId = word(record(event["rcpt_meta"])["posthorn-id"]);
    return { about: { emailId, recipient: word(event["rcpt_to"]), remoteId: word(event["message_id"]) }, what };
  },
};

function whatOf(event: Json): Report["what"] | null {
  const type = word(event["type"]);
  const fallback = `SparkPost: ${type.replaceAll("_", " ")}`;
  const words = firstOf(event["raw_reason"], event["reason"]);
  if (type === "delivery") return DELIVERED;
  if (type === "spam_complaint") return COMPLAINED;
  if (type === "open") return { kind: "visited", link: null, isMachine: event["is_prefetched"] === true };
  if (type === "click") return { kind: "visited", link: word(event["target_link_url"]), isMachine: false };
  if (type === "delay") return delayed({ words, fallback });
  if (type === "bounce" || type === "out_of_band") return bounced(event, words, fallback);
  if (!["policy_rejection", "generation_failure", "generation_rejection"].includes(type)) return null;
  return returned({ how: isSuppressed(event) ? "suppressed" : "sender", fallback: words || fallback });
}

function bounced(event: Json, words: string, fallback: string): Report["what"] | null {
  const kind = word(event["bounce_class"]);
  if (NO_BOUNCES.has(kind)) return null;
  if (kind === "25") return returned({ how: "sender", fallback: words || fallback });
  const how = HARD.has(kind) ? "hard" : /^5\d$/.test(kind) ? "blocked" : "soft";
  return returned({ how, words, code: word(event["error_code"]), fallback });
}

/** Its list has bounces, complaints and unsubscribes: only what names the recipient as invalid is a bounce. */
function isSuppressed(event: Json): boolean {
  return word(event["bounce_class"]) === "10" || /hard bounce/i.test(word(event["raw_reason"]));
}

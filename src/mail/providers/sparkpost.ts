// SparkPost: many events a request, each wrapped, proved by the secret path and, if one is set, a user and password.
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
import { complained, delayed, DELIVERED, refusedByList, returned, unsubscribed } from "./returned.ts";

/** Classes of bounces: an invalid recipient, a generic bounce without RCPT. */
const HARD = new Set(["10", "30"]);
/** An automatic reply, a subscription. */
const NO_BOUNCES = new Set(["60", "80"]);
/** The recipient has replied with an unsubscription. */
const UNSUBSCRIBE = "90";
/** About a domain that is not found: the words decide. */
const DNS = "21";
const ADMIN = "25";

export const sparkpost: ProviderAdapter = {
  title: "SparkPost",
  key: "user:password",
  isGenuine: hasPassword,
  eventsOf: (body) => oneOrMany(body).flatMap((one) => Object.values(jsonRecord(one["msys"])).map(jsonRecord)),
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const emailId = word(jsonRecord(event["rcpt_meta"])["posthorn-id"]);
    return { about: { emailId, recipient: word(event["rcpt_to"]), remoteId: word(event["message_id"]) }, what };
  },
};

function whatOf(event: ProviderJson): ProviderEvent["what"] | null {
  const type = word(event["type"]);
  const fallback = `SparkPost: ${type.replaceAll("_", " ")}`;
  const words = firstOf(event["raw_reason"], event["reason"]);
  if (type === "delivery") return DELIVERED;
  if (type === "spam_complaint") return complained(word(event["fbtype"]));
  if (type === "list_unsubscribe" || type === "link_unsubscribe") return unsubscribed(fallback);
  if (type === "open") return { kind: "visited", link: null, isMachine: event["is_prefetched"] === true };
  if (type === "click") return { kind: "visited", link: word(event["target_link_url"]), isMachine: false };
  if (type === "delay") return delayed({ words, fallback });
  if (type === "bounce" || type === "out_of_band") return bounced(event, words, fallback);
  if (!["policy_rejection", "generation_failure", "generation_rejection"].includes(type)) return null;
  return notTried(event, words || fallback);
}

function bounced(event: ProviderJson, words: string, fallback: string): ProviderEvent["what"] | null {
  const kind = word(event["bounce_class"]);
  if (NO_BOUNCES.has(kind)) return null;
  if (kind === UNSUBSCRIBE) return unsubscribed(`SparkPost: ${words || "unsubscribe"}`);
  if (kind === ADMIN) return notTried(event, words || fallback);
  const how = HARD.has(kind) ? "hard" : kind === DNS || /^5\d$/.test(kind) ? "blocked" : "soft";
  const [code, recipient] = [word(event["error_code"]), word(event["rcpt_to"])];
  return returned({ how, words, code, recipient, fallback });
}

/** SparkPost's list has bounces, complaints and unsubscriptions; all other refusals are because of us. */
function notTried(event: ProviderJson, words: string): ProviderEvent["what"] {
  if (word(event["bounce_class"]) === "10") return returned({ how: "suppressed", fallback: words });
  return /suppress/i.test(words)
    ? refusedByList({ how: "blocked", fallback: words })
    : returned({ how: "sender", fallback: words });
}

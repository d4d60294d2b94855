// SendGrid: many events a request, signed with ECDSA over a time and the bytes of the body.
import { isSignedByEcdsa, isTimely } from "./proofs.ts";
import { firstOf, oneOrMany, word, type ProviderJson, type ProviderAdapter, type ProviderEvent } from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, refusedByList, returned, unsubscribed } from "./returned.ts";

const SIGNATURE = "x-twilio-email-event-webhook-signature";
const TIMESTAMP = "x-twilio-email-event-webhook-timestamp";

export const sendgrid: ProviderAdapter = {
  title: "SendGrid",
  key: "signing key",
  isGenuine: ({ headers, text }, key, nowMs) => {
    const timestamp = headers.get(TIMESTAMP) ?? "";
    if (key === null || !isTimely(timestamp, nowMs)) return false;
    return isSignedByEcdsa(timestamp + text, headers.get(SIGNATURE) ?? "", key);
  },
  eventsOf: oneOrMany,
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const emailId = word(event["posthorn-id"]);
    const remoteId = word(event["sg_message_id"]).split(".")[0] ?? "";
    return { about: { emailId, messageId: word(event["smtp-id"]), recipient: word(event["email"]), remoteId }, what };
  },
};

function whatOf(event: ProviderJson): ProviderEvent["what"] | null {
  const type = word(event["event"]);
  const isMachine = event["sg_machine_open"] === true;
  if (type === "delivered") return DELIVERED;
  if (type === "spamreport") return COMPLAINED;
  if (type === "open") return { kind: "visited", link: null, isMachine };
  if (type === "click") return { kind: "visited", link: word(event["url"]), isMachine };
  if (type === "deferred") return delayed({ words: word(event["response"]), fallback: "SendGrid: deferred" });
  if (type === "bounce") return bounced(event);
  if (type === "unsubscribe" || type === "group_unsubscribe") return unsubscribed(left(event, type));
  return type === "dropped" ? dropped(word(event["reason"])) : null;
}

function bounced(event: ProviderJson): ProviderEvent["what"] {
  const how = word(event["type"]) === "blocked" ? "blocked" : "hard";
  const [words, status] = [firstOf(event["reason"], event["response"]), word(event["status"])];
  return returned({ how, words, status, recipient: word(event["email"]), fallback: "SendGrid: bounced" });
}

/** The person left all of the account, or a group of it. */
function left(event: ProviderJson, type: string): string {
  const group = word(event["asm_group_id"]);
  return `SendGrid: ${type.replace("_", " ")}${group && ` ${group}`}`;
}

/** The mail was not tried at all. */
function dropped(reason: string): ProviderEvent["what"] {
  const fallback = `SendGrid has dropped it: ${reason}`;
  // A wrong header of ours does not blame the address.
  if (/^invalid\b.*\b(header|smtpapi)|^spam content/i.test(reason)) return returned({ how: "sender", fallback });
  return refusedByList({ how: "sender", fallback });
}

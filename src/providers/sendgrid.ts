// SendGrid: many events a request, signed with ECDSA over a time and the bytes of the body.
import { isSignedByEcdsa, isTimely } from "./proofs.ts";
import { oneOrMany, word, type Json, type Provider, type Report } from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, returned } from "./returned.ts";

const SIGNATURE = "x-twilio-email-event-webhook-signature";
const TIMESTAMP = "x-twilio-email-event-webhook-timestamp";

export const sendgrid: Provider = {
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

function whatOf(event: Json): Report["what"] | null {
  const type = word(event["event"]);
  const isMachine = event["sg_machine_open"] === true;
  if (type === "delivered") return DELIVERED;
  if (type === "spamreport") return COMPLAINED;
  if (type === "open") return { kind: "visited", link: null, isMachine };
  if (type === "click") return { kind: "visited", link: word(event["url"]), isMachine };
  if (type === "deferred") return delayed({ words: word(event["response"]), fallback: "SendGrid: deferred" });
  if (type === "bounce") return bounced(event);
  return type === "dropped" ? dropped(word(event["reason"])) : null;
}

function bounced(event: Json): Report["what"] {
  const how = word(event["type"]) === "blocked" ? "blocked" : "hard";
  return returned({ how, words: word(event["reason"]), status: word(event["status"]), fallback: "SendGrid: bounced" });
}

/** Not tried at all. */
function dropped(reason: string): Report["what"] {
  const fallback = `SendGrid has dropped it: ${reason}`;
  if (/^(bounced address|invalid$)/i.test(reason)) return returned({ how: "suppressed", fallback });
  if (/unsubscribed|spam reporting/i.test(reason)) return returned({ how: "blocked", fallback });
  return returned({ how: "sender", fallback });
}

// Mailgun: an event a request, with an HMAC of a time and a token inside it. The signature does not cover the event, so
// a token counts once.
import { hmacOf, isEqual, isTimely } from "./proofs.ts";
import { firstOf, record, word, type Json, type Posted, type Provider, type Report } from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, returned } from "./returned.ts";

export const mailgun: Provider = {
  title: "Mailgun",
  key: "signing key",
  isGenuine: (posted, key, nowMs) => {
    const { timestamp, token, signature } = signatureOf(posted);
    if (key === null || token === "" || !isTimely(timestamp, nowMs)) return false;
    return isEqual(hmacOf(key, timestamp + token).toString("hex"), signature);
  },
  onceOf: (posted) => signatureOf(posted).token,
  eventsOf: (body) => [record(record(body)["event-data"])],
  read: (event) => {
    const what = whatOf(event);
    if (what === null) return null;
    const headers = record(record(event["message"])["headers"]);
    const emailId = word(record(event["user-variables"])["posthorn-id"]);
    return { about: { emailId, messageId: word(headers["message-id"]), recipient: word(event["recipient"]) }, what };
  },
};

function signatureOf({ body }: Posted) {
  const { timestamp, token, signature } = record(record(body)["signature"]);
  return { timestamp: word(timestamp), token: word(token), signature: word(signature) };
}

function whatOf(event: Json): Report["what"] | null {
  const type = word(event["event"]);
  if (type === "delivered") return DELIVERED;
  if (type === "complained") return COMPLAINED;
  if (type === "opened") return { kind: "visited", link: null, isMachine: isBot(event) };
  if (type === "clicked") return { kind: "visited", link: word(event["url"]), isMachine: isBot(event) };
  if (type !== "failed") return null;
  // A temporary failure is tried again.
  return word(event["severity"]) === "permanent" ? failed(event) : putOff(event);
}

function isBot(event: Json): boolean {
  return word(record(event["client-info"])["bot"]) !== "";
}

function putOff(event: Json): Report["what"] {
  const status = record(event["delivery-status"]);
  const words = firstOf(status["message"], status["description"]);
  return delayed({ words, status: word(status["enhanced-code"]), fallback: "Mailgun: put off" });
}

function failed(event: Json): Report["what"] {
  const status = record(event["delivery-status"]);
  const reason = word(event["reason"]);
  const words = firstOf(status["message"], status["description"]);
  const fallback = `Mailgun: ${reason || "failed"}`;
  if (reason === "suppress-bounce") return returned({ how: "suppressed", fallback: words || fallback });
  if (reason.startsWith("suppress-")) return returned({ how: "blocked", fallback: words || fallback });
  const how = reason === "old" || word(status["bounce-type"]) === "soft" ? "soft" : "hard";
  return returned({ how, words, code: word(status["code"]), status: word(status["enhanced-code"]), fallback });
}

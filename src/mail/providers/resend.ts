// Resend: an event a request, signed as Svix does: an HMAC over an id, a time and the bytes of the body.
import { hmacOf, isEqual, isTimely } from "./proofs.ts";
import { firstOf, jsonRecord, word, type ProviderJson, type ProviderAdapter, type ProviderEvent } from "./provider.ts";
import { COMPLAINED, DELIVERED, refusedByList, returned, unsubscribed } from "./returned.ts";

export const resend: ProviderAdapter = {
  title: "Resend",
  key: "signing key",
  isGenuine: ({ headers, text }, key, nowMs) => {
    const [id, timestamp] = [headers.get("svix-id") ?? "", headers.get("svix-timestamp") ?? ""];
    if (key === null || id === "" || !isTimely(timestamp, nowMs)) return false;
    const secret = Buffer.from(key.replace(/^whsec_/, ""), "base64");
    const expected = `v1,${hmacOf(secret, `${id}.${timestamp}.${text}`).toString("base64")}`;
    return (headers.get("svix-signature") ?? "").split(" ").some((one) => isEqual(one, expected));
  },
  onceOf: ({ headers }) => headers.get("svix-id") ?? "",
  eventsOf: (body) => [jsonRecord(body)],
  read: (event) => {
    const data = jsonRecord(event["data"]);
    const what = whatOf(word(event["type"]), data);
    if (what === null) return null;
    const recipient = recipientOf(data);
    const messageId = firstOf(data["message_id"], headerOf(data, "message-id"));
    return {
      about: { emailId: headerOf(data, "x-posthorn-id"), messageId, recipient, remoteId: word(data["email_id"]) },
      what,
    };
  },
};

/** The event of a contact has a single address. */
function recipientOf(data: ProviderJson): string {
  return firstOf(Array.isArray(data["to"]) ? data["to"][0] : data["to"], data["email"]);
}

function headerOf(data: ProviderJson, name: string): string {
  const headers = Array.isArray(data["headers"]) ? data["headers"].map(jsonRecord) : [];
  return word(headers.find((one) => word(one["name"]).toLowerCase() === name)?.["value"]);
}

function whatOf(type: string, data: ProviderJson): ProviderEvent["what"] | null {
  if (type === "email.delivered") return DELIVERED;
  if (type === "email.complained") return COMPLAINED;
  if (type === "email.opened") return { kind: "visited", link: null, isMachine: false };
  if (type === "email.clicked")
    return { kind: "visited", link: word(jsonRecord(data["click"])["link"]), isMachine: false };
  if (type === "email.bounced") return bounced(jsonRecord(data["bounce"]), recipientOf(data));
  if (type === "email.suppressed") return suppressed(jsonRecord(data["suppressed"]));
  if (type === "contact.updated") return data["unsubscribed"] === true ? unsubscribed("Resend: unsubscribed") : null;
  if (type !== "email.failed") return null;
  return returned({ how: "sender", fallback: `Resend: ${firstOf(jsonRecord(data["failed"])["reason"], "failed")}` });
}

function suppressed(facts: ProviderJson): ProviderEvent["what"] {
  const words = [word(facts["type"]), word(facts["message"])].filter(Boolean).join(": ");
  return refusedByList({ how: "suppressed", fallback: words || "Resend: suppressed" });
}

function bounced(bounce: ProviderJson, recipient: string): ProviderEvent["what"] {
  const [type, subType] = [word(bounce["type"]), word(bounce["subType"])];
  const said = Array.isArray(bounce["diagnosticCode"])
    ? word(bounce["diagnosticCode"][0])
    : word(bounce["diagnosticCode"]);
  const fallback = firstOf(bounce["message"], `Resend: ${type} ${subType}`);
  if (/suppress/i.test(subType)) return refusedByList({ how: "suppressed", fallback });
  return returned({ how: type === "Permanent" ? "hard" : "soft", words: said, recipient, fallback });
}

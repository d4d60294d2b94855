// The format of your own reports, in a JSON of ours (docs/providers.md): from a relay's log, or a provider without a
// module here.
import { asBody } from "../../http/body/shape.ts";
import { hasPassword } from "./proofs.ts";
import { oneOrMany, word, type ProviderJson, type ProviderAdapter, type ProviderEvent } from "./provider.ts";
import { COMPLAINED, delayed, DELIVERED, returned, unsubscribed } from "./returned.ts";
import { genericShape } from "./shape.ts";

const events = asBody(genericShape);

export const generic: ProviderAdapter = {
  title: "generic",
  key: "user:password",
  isGenuine: hasPassword,
  /** @throws AppError VALIDATION_ERROR */
  eventsOf: (body) => oneOrMany(body).map((event) => events["~standard"].validate(event).value as ProviderJson),
  read: (event) => {
    const [emailId, messageId] = [word(event["emailId"]), word(event["messageId"])];
    return { about: { emailId, messageId, recipient: word(event["recipient"]) }, what: whatOf(event) };
  },
};

function whatOf(event: ProviderJson): ProviderEvent["what"] {
  const type = word(event["type"]);
  if (type === "delivered") return DELIVERED;
  if (type === "complained") return COMPLAINED;
  if (type === "unsubscribed") return unsubscribed(word(event["reason"]) || "unsubscribed at the relay");
  if (type === "delayed") return delayed({ words: word(event["reason"]), fallback: "The relay gave no reason." });
  if (type !== "bounced")
    return { kind: "visited", link: type === "opened" ? null : word(event["link"]), isMachine: false };
  const how = word(event["bounceType"]) === "Permanent" ? "hard" : "soft";
  const [words, recipient] = [word(event["reason"]), word(event["recipient"])];
  return returned({ how, words, recipient, fallback: "The relay gave no reason." });
}

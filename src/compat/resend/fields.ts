// The fields of Resend's API, as ours (docs/compat.md).
import { invalidField } from "../../errors.ts";
import { ignoredIn, listIn, objectIn, textIn, withoutNothing, type Known, type Translated } from "../fields.ts";
import type { Topic } from "../../topics/queries.ts";
import { topicKeyIn } from "./topic-fields.ts";

const EMAIL: Known = {
  taken: [
    ...["from", "to", "cc", "bcc", "reply_to", "subject", "html", "text", "headers", "attachments", "tags"],
    ...["scheduled_at", "template", "topic_id"],
  ],
  refused: {},
};
const FILE: Known = {
  taken: ["content", "filename", "content_type", "content_id"],
  refused: { path: "Posthorn fetches no files: send the content." },
};

/** What POST /v1/send takes. `topics`: among them is the one that it names. @throws AppError VALIDATION_ERROR for what Posthorn cannot do */
export function emailFrom(given: unknown, topics: readonly Topic[]): Translated {
  const email = objectIn("request", given);
  const files = listIn("attachments", email["attachments"]).map((one, at) => fileFrom(one, `attachments.${at}`));
  const template = email["template"] == null ? null : objectIn("template", email["template"]);
  const body = {
    from: email["from"],
    to: email["to"],
    cc: email["cc"],
    bcc: email["bcc"],
    // All in `to` get one message, where each would get one of their own.
    ...(Array.isArray(email["to"]) && email["to"].length > 1 ? { group: true } : {}),
    subject: email["subject"],
    body: email["html"],
    text: email["text"],
    // Braces in an email without a template are braces there; a subject beside a template has its variables.
    literal: template === null || email["subject"] == null ? true : undefined,
    headers: email["headers"],
    reply: oneReply(email["reply_to"]),
    attachments: files.length === 0 ? undefined : files.map((file) => file.body),
    tags: email["tags"] == null ? undefined : listIn("tags", email["tags"]).map(tagFrom),
    sendAt: email["scheduled_at"],
    template: template?.["id"],
    data: template?.["variables"],
    topic: topicKeyIn(topics, email),
  };
  return { body: withoutNothing(body), ignored: [...ignoredIn(email, EMAIL), ...files.flatMap((one) => one.ignored)] };
}

function fileFrom(given: unknown, at: string): Translated {
  const file = objectIn(at, given);
  const id = file["content_id"];
  const body = {
    filename: file["filename"],
    content: file["content"],
    contentType: file["content_type"],
    ...(id == null ? {} : { contentId: id, disposition: "inline" }),
  };
  return { body: withoutNothing(body), ignored: ignoredIn(file, FILE).map((name) => `attachments.${name}`) };
}

function tagFrom(given: unknown, at: number): string {
  const { name, value } = objectIn(`tags.${at}`, given);
  const tag = textIn(`tags.${at}.name`, name);
  return value == null ? tag : `${tag}:${textIn(`tags.${at}.value`, value)}`;
}

export function oneReply(given: unknown): unknown {
  if (!Array.isArray(given) || given.length < 2) return Array.isArray(given) ? given[0] : given;
  throw invalidField("reply_to", "Posthorn takes one address for replies.", "unsupported");
}

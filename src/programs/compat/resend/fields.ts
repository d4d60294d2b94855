// The fields of Resend's API, as ours (docs/compat/resend.md).
import { invalidField } from "../../../base/errors.ts";
import {
  ignoredIn,
  listIn,
  objectIn,
  textIn,
  withoutEmpty,
  withoutNothing,
  type FieldSupport,
  type CallTranslation,
} from "../fields.ts";
import { tagsFrom } from "../labels.ts";
import type { Topic } from "../../../audience/topics/queries.ts";
import { topicKeyIn } from "./topic-fields.ts";

const EMAIL: FieldSupport = {
  taken: [
    ...["from", "to", "cc", "bcc", "reply_to", "subject", "html", "text", "headers", "attachments", "tags"],
    ...["scheduled_at", "template", "topic_id"],
  ],
  refused: {},
};
const FILE: FieldSupport = {
  taken: ["content", "filename", "content_type", "content_id", "inline_content_id"],
  refused: { path: "Posthorn fetches no files: send the content." },
};

/**
 * The body of POST /v1/send. `topics`: include the topic that it names. @throws AppError VALIDATION_ERROR for features
 * that Posthorn does not have
 */
export function emailFrom(given: unknown, topics: readonly Topic[]): CallTranslation {
  const email = withoutEmpty(objectIn("request", given));
  const files = listIn("attachments", email["attachments"]).map((one, at) => fileFrom(one, `attachments.${at}`));
  const tags = tagsFrom(listIn("tags", email["tags"]).map(tagFrom));
  const template = email["template"] == null ? null : objectIn("template", email["template"]);
  const body = {
    from: email["from"],
    to: email["to"],
    cc: copiesIn(email["cc"]),
    bcc: copiesIn(email["bcc"]),
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
    tags: tags.labels,
    sendAt: email["scheduled_at"],
    template: template?.["id"],
    data: template?.["variables"],
    topic: topicKeyIn(topics, email),
  };
  const ignored = [...ignoredIn(email, EMAIL), ...files.flatMap((one) => one.ignored)];
  return { body: withoutNothing(body), ignored, said: tags.said };
}

function fileFrom(given: unknown, at: string): CallTranslation {
  const file = withoutEmpty(objectIn(at, given));
  const id = file["content_id"] ?? file["inline_content_id"];
  const body = {
    filename: file["filename"],
    content: bytesIn(`${at}.content`, file["content"]),
    contentType: file["content_type"],
    ...(id == null ? {} : { contentId: id, disposition: "inline" }),
  };
  return { body: withoutNothing(body), ignored: ignoredIn(file, FILE).map((name) => `attachments.${name}`) };
}

/** Clients write an absent copy as an empty address. */
function copiesIn(given: unknown): unknown {
  return Array.isArray(given) ? given.filter((one) => one !== "") : given;
}

/**
 * Base64; of a Buffer, which clients write as `{ type: "Buffer", data: [37, 80, …] }`, or a list of bytes, as base64.
 * @throws AppError VALIDATION_ERROR on `field`
 */
function bytesIn(field: string, given: unknown): unknown {
  const isBuffer = typeof given === "object" && given !== null && "type" in given && given.type === "Buffer";
  const list = isBuffer && "data" in given ? given.data : given;
  if (!Array.isArray(list)) return list;
  if (list.every((one) => Number.isInteger(one) && one >= 0 && one <= LARGEST_BYTE))
    return Buffer.from(list as number[]).toString("base64");
  throw invalidField(field, "A list of bytes has whole numbers from 0 to 255.", "invalid");
}

const LARGEST_BYTE = 255;

function tagFrom(given: unknown, at: number): string {
  const { name, value } = objectIn(`tags.${at}`, given);
  const tag = textIn(`tags.${at}.name`, name);
  return value == null || value === "" ? tag : `${tag}:${textIn(`tags.${at}.value`, value)}`;
}

export function oneReply(given: unknown): unknown {
  const all = Array.isArray(given) ? given.filter((one) => one !== "") : [given];
  if (all.length < 2) return all[0];
  throw invalidField("reply_to", "Posthorn takes one address for replies.", "unsupported");
}

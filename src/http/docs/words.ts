// The texts of the OpenAPI document besides the routes: its preface, keys, headers and the names of groups.

import type { ParameterJson } from "./document.ts";

export const INFO = {
  title: "Posthorn",
  description: `A self-hosted email platform. The [guide](/docs/guide) explains it by topic; this page lists every call.

Request bodies are uncompressed JSON in UTF-8. Unknown fields are ignored; an optional field that is \`null\` counts as absent. Times are ISO 8601 in UTC. Records of other workspaces are answered as if they did not exist.

Every POST that creates or sends takes an \`Idempotency-Key\`: the same key with the same body within 24 hours gets the first answer again. Each answer carries \`X-Request-Id\`, the caller's own if it sent one.`,
  license: { name: "MIT", identifier: "MIT" },
};

export const SECURITY = {
  secretKey: {
    type: "http",
    scheme: "bearer",
    description:
      "A secret key, `Authorization: Bearer sk_…`. It may do everything in its workspace, unless it is scoped to sender domains.",
  },
  publicKey: {
    type: "http",
    scheme: "bearer",
    description: "A public key, `Authorization: Bearer pk_…`. It may only record events, from a web page for example.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-posthorn",
    description:
      "Somebody who is signed in; the name is `posthorn` where `base_url` is not HTTPS. For pages of this server alone: a request of another site is refused.",
  },
};

export const PARAMETERS = {
  Workspace: {
    name: "X-Workspace",
    in: "header" as const,
    required: false,
    description:
      "The id of the workspace, for people. Keys leave it out: they belong to one. A GET may have it as the parameter `workspace`.",
    schema: { type: "string", format: "uuid" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header" as const,
    required: false,
    description: "1 to 255 printable ASCII characters. A repetition with the same body gets the first answer again.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
  },
};

/** Parameters in paths; any that are missing here are ids of records. */
export const IN_PATH: Readonly<Record<string, Omit<ParameterJson, "name" | "in" | "required">>> = {
  token: { description: "From the link of an email.", schema: { type: "string" } },
  file: { description: "The hash of the image and its type, as in its record.", schema: { type: "string" } },
  key: { description: "Of the form, as in its URL.", schema: { type: "string" } },
  n: { description: "The number of the attachment, from 0.", schema: { type: "integer", minimum: 0 } },
};
export const ID_IN_PATH = { schema: { type: "string", format: "uuid" } };

export const WEBHOOKS = "Webhooks";

/** Headers of requests that this server makes (Standard Webhooks). */
export const SIGNATURE: readonly ParameterJson[] = [
  { name: "webhook-id", description: "The same for every attempt.", schema: { type: "string", format: "uuid" } },
  { name: "webhook-timestamp", description: "When the attempt was made, in Unix seconds.", schema: { type: "string" } },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the base64 of an HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. Its key is the workspace's `webhookSecret`: what follows `whsec_`, decoded from base64. For 24 hours after the secret was replaced, a second signature by the former one follows after a space.",
    schema: { type: "string", pattern: "^v1," },
  },
].map((header) => ({ ...header, in: "header", required: true }));

const number = { type: "integer", minimum: 0 };

export const HEADERS = {
  "X-Request-Id": {
    description: "Names the request in the server's log: the caller's own id if it sent a valid one, else a new one.",
    schema: { type: "string" },
  },
  "RateLimit-Limit": {
    description: "Requests that the workspace, or the person, may make in a minute.",
    schema: number,
  },
  "RateLimit-Remaining": { description: "Requests left of these.", schema: number },
  "RateLimit-Reset": { description: "Seconds until the oldest counted request no longer counts.", schema: number },
  "Retry-After": { description: "Seconds to wait before another try.", schema: number },
  "Idempotent-Replayed": {
    description: "`true` if this answer was given before, to a request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
};

export const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted; the work goes on in the background.",
  302: "Redirect to the target of the link.",
  303: "Go on with the page that is named.",
  204: "Done; the answer has no body.",
  404: "Not found.",
};

/** The groups of calls, in the order of the page, each with the first word of its paths, or the first two. */
const GROUPS = [
  { name: "Public interface", words: ["v1"], description: "Send emails, record events, check addresses." },
  {
    name: "Contacts",
    words: ["contacts"],
    description: "The people who get email: one by one, in bulk, by CSV.",
  },
  { name: "Topics", words: ["topics"], description: "What you write about, for people to choose from." },
  {
    name: "Suppressions",
    words: ["suppressions"],
    description: "Addresses and domains that get no email, or no marketing email.",
  },
  { name: "Segments", words: ["segments"], description: "Groups of contacts, by a condition or by hand." },
  { name: "Forms", words: ["forms"], description: "Sign-up forms: their fields, their HTML, their counts." },
  {
    name: "Templates",
    words: ["templates", "preview", "images", "blocks", "workspace/brand"],
    description: "Subjects and bodies with variables, and what they are made of.",
  },
  {
    name: "Email as code",
    words: ["content"],
    description:
      "Templates, segments, workflows and more as files of a repository: `posthorn pull`, `plan` and `apply`.",
  },
  { name: "Campaigns", words: ["campaigns"], description: "One email to many contacts." },
  {
    name: "Workflows",
    words: ["workflows", "webhooks/attempts"],
    description: "Steps that contacts go through after an event.",
  },
  {
    name: "Emails",
    words: ["emails", "views"],
    description: "Emails sent and received, with their timelines.",
  },
  { name: "Events", words: ["events"], description: "What happened to contacts and emails." },
  {
    name: "Statistics",
    words: ["statistics", "queue", "overview", "search"],
    description: "What needs somebody, what waits, how many emails were sent, delivered, opened.",
  },
  { name: "Domains", words: ["domains"], description: "Sender domains and their DNS records." },
  { name: "Workspace", words: ["workspace"], description: "Settings, and how the workspace's email is doing." },
  { name: "Keys", words: ["keys"], description: "Secret and public keys." },
  {
    name: "Team",
    words: ["session", "links", "me", "members", "invitations", "users", "audit"],
    description: "People: how they sign in, what they may do, and what they did.",
  },
  {
    name: "Recipient pages",
    words: ["unsubscribe", "subscribe", "manage", "f", "o", "c", "i"],
    description: "Where the links of emails lead, and forms that anybody can open.",
  },
  {
    name: "Server",
    words: [
      "health",
      "ready",
      "submission",
      "installation",
      "workspaces",
      "webhooks",
      "providers",
      "test",
      "openapi.json",
      ".well-known",
      "docs",
    ],
    description: "The server itself, its descriptions and what other services tell it.",
  },
  { name: WEBHOOKS, words: [], description: "Requests that this server makes." },
];

export const TAGS = GROUPS.map(({ name, description }) => ({ name, description }));

/** The group that a path belongs to. */
export function tagOf(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  const having = (word: string) => GROUPS.find(({ words }) => words.includes(word));
  const group = having(`${first}/${second}`) ?? having(first);
  if (!group) throw new Error(`${path} is in no group of the interface.`);
  return group.name;
}

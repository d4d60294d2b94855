// What the OpenAPI document says besides the routes: its preface, keys, headers and the names of groups.

export const INFO = {
  title: "Posthorn",
  description: `A self-hosted e-mail platform.

Bodies are JSON in UTF-8, not compressed; fields that a call does not name are ignored, and an optional field that is \`null\` counts as absent. Times are ISO 8601 in UTC. Records of another workspace are answered like ones that do not exist.

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
};

export const PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header" as const,
    required: false,
    description: "1 to 255 printable ASCII characters. A repetition with the same body gets the first answer again.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
    example: "order-4711-receipt",
  },
};

const number = { type: "integer", minimum: 0 };

export const HEADERS = {
  "X-Request-Id": {
    description: "Names the request in the server's log: the caller's own id if it sent a sane one, else a new one.",
    schema: { type: "string" },
  },
  "RateLimit-Limit": { description: "Requests that the workspace may make in a minute.", schema: number },
  "RateLimit-Remaining": { description: "Requests that are left of them.", schema: number },
  "RateLimit-Reset": { description: "Seconds until the oldest counted request no longer counts.", schema: number },
  "Retry-After": { description: "Seconds to wait before another try.", schema: number },
  "Idempotent-Replayed": {
    description: "`true` if this answer was given before, to a request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
};

export const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Made.",
  202: "Taken on; it goes on by itself.",
  204: "Done; there is nothing to say.",
  404: "There is no such thing.",
};

const GROUPS: Readonly<Record<string, string>> = {
  v1: "Public interface",
  unsubscribe: "Recipient pages",
  subscribe: "Recipient pages",
  manage: "Recipient pages",
  o: "Recipient pages",
  c: "Recipient pages",
  webhooks: "Server",
  health: "Server",
  "openapi.json": "Server",
  docs: "Server",
};

/** The group that a path belongs to: its first word, unless it has another name. */
export function tagOf(path: string): string {
  const word = path.split("/")[1] ?? "";
  return GROUPS[word] ?? word.replace(/^./, (letter) => letter.toUpperCase());
}

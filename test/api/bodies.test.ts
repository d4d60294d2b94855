// Reading a body: what is JSON, what is text, and how much of it is read.
import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask, countOf, scenarios, type Scenario } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

const request = "POST /contacts";
const ada = { email: "ada@example.com" };

function bytes(...values: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(values);
}

scenarios("a body is not JSON", [
  ...[
    "{",
    "{]",
    '{"email":}',
    "{'email':'ada@example.com'}",
    "email=ada@example.com",
    "undefined",
    "NaN",
    '{"email":"a@b.c"} x',
    '{"email":"a\nb"}',
    "{email:1}",
    '"',
    "\\",
    "\u0000",
  ].map((body): Scenario => ({ name: JSON.stringify(body), request, body, status: 400, code: "INVALID_JSON" })),
  {
    name: "when it is not UTF-8",
    request,
    body: bytes(0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d),
    status: 400,
    code: "INVALID_JSON",
  },
  {
    name: "when it is UTF-16",
    request,
    body: new Uint8Array(Buffer.from(JSON.stringify(ada), "utf16le")),
    status: 400,
    code: "INVALID_JSON",
  },
  {
    name: "when it holds half a character as bytes",
    request,
    body: bytes(0x22, 0xed, 0xa0, 0x80, 0x22),
    status: 400,
    code: "INVALID_JSON",
  },
  {
    name: "when it is nested deeper than 100 levels",
    request,
    body: "[".repeat(101),
    status: 400,
    code: "INVALID_JSON",
  },
  {
    name: "when it is nested 300,000 levels deep",
    request,
    body: `${'{"a":'.repeat(300_000)}1${"}".repeat(300_000)}`,
    status: 400,
    code: "INVALID_JSON",
  },
  { name: "when it is one long word", request, body: "x".repeat(1_000_000), status: 400, code: "INVALID_JSON" },
]);

const shared = sharedPosthorn();

test.each(["gzip", "deflate", "br"])(
  "a body that is compressed with %s is refused by its Content-Encoding",
  async (coding) => {
    const posthorn = shared();
    const text = JSON.stringify(ada);
    const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[coding] as typeof gzipSync;
    const headers = { "content-encoding": coding };
    const reply = await ask(posthorn, request, { headers, body: new Uint8Array(compress(text)) });
    expect([reply.status, reply.body.error.code]).toEqual([400, "INVALID_JSON"]);
    expect(reply.body.error.message).toContain("Content-Encoding");
    expect(reply.body.error.suggestion).toContain("uncompressed");
  },
);

scenarios("a body is JSON", [
  {
    name: "when it is said to be compressed, and is not",
    request,
    body: JSON.stringify(ada),
    headers: { "content-encoding": "gzip" },
    status: 201,
  },
  {
    name: "whatever its type is said to be",
    request,
    body: JSON.stringify(ada),
    headers: { "content-type": "text/plain" },
    status: 201,
  },
  {
    name: "when it is said to be a form",
    request,
    body: JSON.stringify(ada),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 201,
  },
  { name: "when it begins with a byte order mark", request, body: `\ufeff${JSON.stringify(ada)}`, status: 201 },
  {
    name: "with brackets in a text",
    request,
    body: { ...ada, data: { text: `${"[".repeat(500)}\\"${"{".repeat(500)}` } },
    status: 201,
  },
  { name: "with space around it", request, body: ` \n${JSON.stringify(ada)}\r\n `, status: 201 },
  {
    name: "with escapes for characters of two halves",
    request,
    body: '{"email":"ada@example.com","data":{"x":"\\ud83d\\ude80"}}',
    status: 201,
    answer: { data: { x: "🚀" } },
  },
]);

function keys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]));
}

scenarios("a body holds a bounded number of parts:", [
  {
    name: "20,000 keys are taken",
    request,
    body: { ...ada, other: [keys(10_000), keys(9_998)] },
    status: 201,
  },
  {
    name: "one more is refused",
    request,
    body: { ...ada, other: [keys(10_000), keys(9_999)] },
    status: 422,
    fields: { body: "too_big" },
  },
  { name: "colons in text are no keys", request, body: { ...ada, other: ":".repeat(30_000) }, status: 201 },
  { name: "20,000 items are taken", request, body: { ...ada, other: Array(20_000).fill(0) }, status: 201 },
  {
    name: "more are refused",
    request,
    body: { ...ada, other: Array(20_001).fill(0) },
    status: 422,
    fields: { body: "too_big" },
  },
]);

test("of many texts that no store can keep, the first is named", async () => {
  await using posthorn = await workspace();
  const reply = await ask(posthorn, request, { body: { ...ada, other: Array(19_000).fill("\0") } });
  const message = "The text contains a NUL character or half a surrogate pair.";
  expect(reply.body.error.errors).toEqual([{ field: "other.0", message, code: "invalid_string" }]);
});

scenarios("text that no store can keep is refused by its place:", [
  {
    name: "NUL",
    request,
    body: '{"email":"ada@example.com","data":{"list":["x","a\\u0000b"]}}',
    status: 422,
    fields: { "data.list.1": "invalid_string" },
  },
  {
    name: "half a character",
    request,
    body: '{"email":"ada@example.com","data":{"x":"\\ud83d"}}',
    status: 422,
    fields: { "data.x": "invalid_string" },
  },
  {
    name: "the other half",
    request,
    body: '{"email":"\\ude80@example.com"}',
    status: 422,
    fields: { email: "invalid_string" },
  },
  {
    name: "in a name",
    request,
    body: '{"email":"ada@example.com","data":{"a\\u0000":1}}',
    status: 422,
    fields: { data: "invalid_string" },
  },
  { name: "in a name at the top", request, body: '{"a\\u0000":1}', status: 422, fields: { body: "invalid_string" } },
  {
    name: "in a field that nobody knows",
    request,
    body: '{"email":"ada@example.com","x":"\\u0000"}',
    status: 422,
    fields: { x: "invalid_string" },
  },
  {
    name: "NUL in an id",
    request: "GET /contacts/%00",
    status: 400,
    code: "INVALID_PARAMETERS",
    fields: { url: "invalid" },
  },
  ...["/contacts/by-email/%C3", "/contacts/by-email/%ff@x", "/webhooks/%", "/unsubscribe/%E0%A4"].map((path) => ({
    name: `half a character in ${path}`,
    request: `GET ${path}`,
    status: 400,
    code: "INVALID_PARAMETERS" as const,
    fields: { url: "invalid" },
  })),
  {
    name: "NUL in a query",
    request: "GET /templates?search=a%00b",
    status: 400,
    code: "INVALID_PARAMETERS",
    fields: { url: "invalid" },
  },
]);

describe("a body that is too large", () => {
  const LIMIT = 10_000;
  const options = { config: { limits: { bodyBytes: LIMIT } } };
  const filled = (size: number) => {
    const empty = JSON.stringify({ ...ada, data: {}, x: "" });
    return empty.replace('"x":""', `"x":"${"y".repeat(size - empty.length)}"`);
  };
  const streamed = (text: string) =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 1_000) controller.enqueue(Buffer.from(text.slice(at, at + 1_000)));
        controller.close();
      },
    });

  test("is refused from the first byte above the limit, announced or not (slow)", async () => {
    await using posthorn = await workspace(options);
    const answers: [number, string | undefined][] = [];
    for (const body of [filled(LIMIT), filled(LIMIT + 1), streamed(filled(LIMIT)), streamed(filled(LIMIT + 1))]) {
      const reply = await ask(posthorn, request, { body });
      answers.push([reply.status, reply.body.error?.code]);
    }
    expect(answers).toEqual([
      [201, undefined],
      [413, "PAYLOAD_TOO_LARGE"],
      [200, undefined],
      [413, "PAYLOAD_TOO_LARGE"],
    ]);
  });

  test("is refused before it is sent, if its size is announced", async () => {
    await using posthorn = await workspace(options);
    expect(await firstLine(posthorn, announcing(posthorn, LIMIT + 1))).toBe("HTTP/1.1 413 Payload Too Large");
  });

  test("counts as a request like any other", async () => {
    await using posthorn = await workspace(options);
    const { headers } = await ask(posthorn, request, { body: filled(LIMIT + 1) });
    expect(headers.get("ratelimit-remaining")).toBe("999");
  });

  test("of a caller without a key is not even measured", async () => {
    await using posthorn = await workspace(options);
    expect((await ask(posthorn, request, { key: "none", body: filled(LIMIT + 1) })).status).toBe(401);
  });

  test("leaves the connection fit for the next request", async () => {
    await using posthorn = await workspace(options);
    await ask(posthorn, request, { body: filled(2 * LIMIT) });
    expect((await ask(posthorn, request, { body: ada })).status).toBe(201);
  });
});

describe("by default", () => {
  test("fifteen megabytes are read, and not a byte more (slow)", async () => {
    await using posthorn = await workspace();
    const limit = 15 * 1024 * 1024;
    const empty = JSON.stringify({ ...letter, x: "" });
    const body = empty.replace('"x":""', `"x":"${"y".repeat(limit - empty.length)}"`);
    expect((await ask(posthorn, "POST /v1/send", { body })).status).toBe(200);
    expect(await firstLine(posthorn, announcing(posthorn, limit + 1))).toBe("HTTP/1.1 413 Payload Too Large");
  });

  test("a body without a type is read as well", async () => {
    await using posthorn = await workspace();
    const body = JSON.stringify(letter);
    const head = announcing(posthorn, body.length);
    expect(await firstLine(posthorn, head + body)).toBe("HTTP/1.1 200 OK");
    expect(await countOf(posthorn, "emails")).toBe(1);
  });
});

describe("how much is read", () => {
  const KB = 1024;
  const of = (bytes: number, fields: object) => {
    const empty = JSON.stringify({ ...fields, x: "" });
    return empty.replace('"x":""', `"x":"${"y".repeat(bytes - empty.length)}"`);
  };
  const event = { event: "signup", email: "ada@example.com" };

  test.each<[string, string, "secret" | "public", object, number]>([
    ["a route without attachments, two megabytes", "POST /contacts", "secret", ada, 2 * 1024 * KB],
    ["an event with a secret key, two megabytes", "POST /v1/track", "secret", event, 2 * 1024 * KB],
    ["an event with a public key, 512 KB", "POST /v1/track", "public", event, 512 * KB],
  ])("of %s", async (_, route, key, fields, limit) => {
    await using posthorn = await workspace();
    expect((await ask(posthorn, route, { key, body: of(limit, fields) })).status).toBeLessThan(300);
    const head = announcing(posthorn, limit + 1, { route, key });
    expect(await firstLine(posthorn, head)).toBe("HTTP/1.1 413 Payload Too Large");
  });

  test("at once is bounded: unfinished bodies of one key keep its own next ones out, and nobody else's (slow)", async () => {
    await using posthorn = await workspace();
    const MB = 1024 * KB;
    const unfinished = [14 * MB, 14 * MB].map((bytes) => unfinishedBody(posthorn, bytes));
    for (const { isRead } of unfinished) await isRead;
    const next = opened(posthorn, announcing(posthorn, 15 * MB));
    next.write(Buffer.alloc(14 * MB, "x"));
    const refused = await firstAnswer(next);
    expect(refused).toStartWith("HTTP/1.1 503 Service Unavailable");
    expect(refused).toContain("\r\nretry-after: 2\r\n");
    expect(refused).toContain('"SERVER_BUSY"');
    next.destroy();
    const large = () => ask(posthorn, "POST /v1/send", { body: of(14 * MB, letter) });
    expect((await large()).status).toBe(503);
    expect((await ask(posthorn, "POST /v1/track", { key: "public", body: of(500 * KB, event) })).status).toBe(200);
    expect((await ask(posthorn, "POST /contacts", { body: of(10 * KB, ada) })).status).toBe(200);
    expect(posthorn.logLines.filter((line) => line.includes("no memory left"))).toHaveLength(1);
    for (const { breakOff } of unfinished) breakOff();
    for (const { answer } of unfinished) expect((await answer).status).toBe(400);
    expect(posthorn.logLines.filter((line) => line.includes("a request failed"))).toEqual([]);
    expect((await large()).status).toBe(200);
  });
});

scenarios("an empty body with a JSON type is no error", [
  { name: "on GET", request: "GET /templates", headers: { "content-type": "application/json" }, status: 200 },
  {
    name: "on DELETE",
    given: [["POST /templates", { name: "T", subject: "T", body: "T", type: "MARKETING" }]],
    request: "DELETE /templates/$0.id",
    body: "",
    status: 204,
    answer: "" as never,
  },
  {
    name: "and DELETE may have one",
    given: [["POST /templates", { name: "T", subject: "T", body: "T", type: "MARKETING" }]],
    request: "DELETE /templates/$0.id",
    body: { why: "old" },
    status: 204,
    answer: "" as never,
  },
]);

test.each(["Content-Length: 1000\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"])(
  "a caller who goes away within the body is not logged as a fault: %j",
  async (rest) => {
    await using posthorn = await workspace();
    const { hostname, port } = new URL(posthorn.server.url);
    const socket = connect(Number(port), hostname, () => {
      const head = `POST /v1/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${posthorn.keys.secret}\r\n`;
      socket.write(head + rest, () => socket.destroy());
    });
    await new Promise((resolve) => socket.once("close", resolve));
    // Requests of others are answered after the server has seen the end of that one.
    for (let count = 0; count < 20; count++) await ask(posthorn, "GET /workspace");
    expect(posthorn.logLines.filter((line) => line.includes("a request failed"))).toEqual([]);
  },
);

type Place = { readonly route: string; readonly key: "secret" | "public" };

/** The head of a request with a body of so many bytes, whose type it does not say. */
function announcing({ keys }: Posthorn, bodyBytes: number, place: Place = { route: "POST /v1/send", key: "secret" }) {
  const head = [`${place.route} HTTP/1.1`, "Host: x", `Authorization: Bearer ${keys[place.key]}`];
  return [...head, `Content-Length: ${bodyBytes}`, "", ""].join("\r\n");
}

/** A connection on which these very bytes have been written. */
function opened({ server }: Posthorn, bytes: string): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return socket;
}

type Unfinished = {
  /** All that has been sent. */
  readonly isRead: Promise<void>;
  readonly breakOff: () => void;
  readonly answer: Promise<Response>;
};

/**
 * A mail of which so many bytes come, and then no more. Without a network in between, it is known when they are read.
 */
function unfinishedBody({ server, keys }: Posthorn, bytes: number): Unfinished {
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  let controller: ReadableByteStreamController;
  let left = bytes;
  const body = new ReadableStream(
    {
      type: "bytes",
      start: (begun) => void (controller = begun),
      pull: () => {
        const size = Math.min(left, 1024 * 1024);
        left -= size;
        if (size > 0) controller.enqueue(new Uint8Array(size).fill(120));
        else resolve();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { authorization: `Bearer ${keys.secret}` };
  const answer = server.answer(new Request(`${server.url}/v1/send`, { method: "POST", headers, body }));
  return { isRead, answer, breakOff: () => controller.error(new Error("The caller has gone away.")) };
}

function firstAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.once("data", (chunk) => resolve(chunk.toString()));
  });
}

/** The status line of what is answered to these very bytes. */
async function firstLine(posthorn: Posthorn, bytes: string): Promise<string> {
  const socket = opened(posthorn, bytes);
  const answer = await firstAnswer(socket);
  socket.destroy();
  return answer.split("\r\n")[0] as string;
}

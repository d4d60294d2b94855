// What every refusal looks like, whatever was wrong, and the id by which it is found again.
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { AppError } from "../../src/base/errors.ts";
import { storeUnavailable } from "../../src/store/store.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

test("a refusal has exactly this form", async () => {
  await using posthorn = await workspace();
  const { status, headers, body } = await ask(posthorn, "POST /contacts", {
    body: { email: 5 },
    headers: { "x-request-id": "my-id:1" },
  });
  expect([status, headers.get("content-type")]).toEqual([422, "application/json;charset=utf-8"]);
  expect(body).toEqual({
    success: false,
    error: {
      code: "VALIDATION_ERROR",
      message: "email: Expected string.",
      statusCode: 422,
      requestId: "my-id:1",
      errors: [{ field: "email", message: "Expected string.", code: "invalid_type" }],
      suggestion: "Correct the fields named in errors.",
    },
    timestamp: "2026-03-01T09:00:00.000Z",
  });
});

describe("the request id", () => {
  const given: readonly [id: string, kept: boolean][] = [
    ["abc", true],
    ["0199a3b4-0000-7000-8000-000000000000", true],
    ["trace:1.2_3", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
    ["two words", false],
    ["<script>", false],
    ["ü", false],
    ["", false],
  ];

  test.each(given)("%j of the caller is kept: %p", async (id, kept) => {
    await using posthorn = await workspace();
    const headers = { "x-request-id": id };
    for (const route of ["GET /emails", "GET /nothing", "GET /unsubscribe/x", "OPTIONS /v1/track"]) {
      const answered = (await ask(posthorn, route, { headers })).headers.get("x-request-id");
      if (kept) expect(answered).toBe(id);
      else expect(answered).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("is another one for each request", async () => {
    await using posthorn = await workspace();
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask(posthorn, "GET /health")).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

const NOWHERE = [
  "GET /nothing",
  "GET /v1",
  "GET /v1/",
  "POST /v1/nothing",
  "GET /emails/1/raw/2",
  "GET /EMAILS",
  "GET /src/main.ts",
  "GET /..%2f..%2fetc/passwd",
  "GET /.env",
  "POST /unsubscribe",
];

scenarios(
  "there is no such route:",
  NOWHERE.map((route): Scenario => ({ name: route, request: route, status: 404, code: "ROUTE_NOT_FOUND" })),
);

const WRONG_METHODS = [
  "POST /",
  "GET /v1/send",
  "PUT /v1/send",
  "DELETE /v1/track",
  "PATCH /contacts",
  "POST /emails",
  "PUT /templates/1",
  "PROPFIND /emails",
];

scenarios(
  "another method is taken there:",
  WRONG_METHODS.map((route): Scenario => ({ name: route, request: route, status: 405, code: "METHOD_NOT_ALLOWED" })),
);

test("requests that fail while the store is away are said once a minute, with their number", async () => {
  await using posthorn = await workspace();
  const { read } = posthorn.store;
  const failed = async () => {
    posthorn.store.read = () => Promise.reject(storeUnavailable(new Error("database or disk is full")));
    const { status } = await ask(posthorn, "GET /contacts");
    posthorn.store.read = read;
    return status;
  };
  expect([await failed(), await failed(), await failed()]).toEqual([503, 503, 503]);
  posthorn.clock.advance(60_000);
  expect(await failed()).toBe(503);
  const said = posthorn.logLines.filter((line) => line.includes("requests fail"));
  expect(said).toEqual([expect.stringContaining("disk is full"), expect.stringMatching(/moreSinceLastLine=2$/)]);
});

test("a request that waited too long for its turn says nothing of the store", async () => {
  await using posthorn = await workspace();
  const { read } = posthorn.store;
  const busy = new AppError("STORE_UNAVAILABLE", "Too many previews were waiting.", { retryAfterSeconds: 2 });
  posthorn.store.read = () => Promise.reject(busy);
  expect((await ask(posthorn, "GET /contacts")).status).toBe(503);
  posthorn.store.read = read;
  const said = posthorn.logLines.filter((line) => line.includes("Too many previews"));
  expect(said).toEqual([expect.stringContaining("requests were refused after waiting too long")]);
  expect(said.join()).not.toContain("the store cannot be used");
});

describe("a fault of ours", () => {
  test("is answered 500 and says nothing of its cause, which the log has under the request's id", async () => {
    await using posthorn = await startPosthorn();
    await posthorn.store.write((tx) => tx.run`alter table templates rename to elsewhere`);
    const response = await fetch(`${posthorn.server.url}/templates`, {
      headers: { authorization: `Bearer ${posthorn.keys.secret}` },
    });
    const text = await response.text();
    expect([response.status, JSON.parse(text).error.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(text).not.toMatch(/templates|table|SQL/i);
    const id = response.headers.get("x-request-id") as string;
    const said = posthorn.logLines.filter((line) => line.includes(id) && line.includes(" error "));
    expect(said).toEqual([expect.stringMatching(/no such table|relation .*templates.* does not exist/)]);
  });
});

test("what is too small or too large is told with its limit, in plain words", async () => {
  await using posthorn = await startPosthorn();
  const said = async (route: string, body: object): Promise<string> =>
    (await ask(posthorn, route, { body })).body.error.errors[0].message;
  const wait = (amount: number) => ({ type: "DELAY", name: "Wait", config: { amount, unit: "days" } });
  expect(await said("POST /workflows", { name: "Flow", eventName: "signup", steps: [wait(0)] })).toBe("At least 1.");
  expect(await said("POST /segments", { name: "x".repeat(101) })).toBe("At most 100 characters.");
  expect(await said("POST /keys", { domains: [] })).toBe("At least 1 item.");
});

describe("a Host that names no host", () => {
  const BAD = [
    ...[
      "a b",
      "[",
      "[::1",
      "a:b:c",
      "%",
      "%00",
      "a/b",
      "a/v1/send",
      "a?b",
      "a#b",
      "a@b",
      "x\\y",
      "exa<mple",
      "é.test",
      "",
    ],
    ...["http://x", "a:", ":8080", "a:99999", "256.256.256.256", "1.2.3.4.5", "xn--a", `${"a".repeat(254)}.test`],
  ];

  /** The first line and the body of the answer to a request that no client of HTTP would send. */
  function answerTo(posthorn: Posthorn, head: string): Promise<{ readonly line: string; readonly body: string }> {
    const { hostname, port } = new URL(posthorn.server.url);
    const { promise, resolve, reject } = Promise.withResolvers<{ line: string; body: string }>();
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
    socket.setEncoding("utf8").on("data", (text) => (answer += text));
    socket.on("error", reject).on("close", () => {
      const [line = "", body = ""] = [answer.split("\r\n")[0], answer.split("\r\n\r\n")[1]];
      resolve({ line, body });
    });
    return promise;
  }

  test("is refused at the entrance, whatever is asked, and is no line in the log (slow)", async () => {
    await using posthorn = await startPosthorn();
    const before = posthorn.logLines.length;
    for (const host of BAD)
      for (const target of ["GET /emails?key=a", "POST /v1/send", "GET /app", "GET /nothing"]) {
        const { line, body } = await answerTo(posthorn, `${target} HTTP/1.1\r\nHost: ${host}`);
        expect([host, target, line]).toEqual([host, target, "HTTP/1.1 400 Bad Request"]);
        expect(JSON.parse(body).error).toMatchObject({ code: "INVALID_PARAMETERS", errors: [{ field: "Host" }] });
      }
    expect(posthorn.logLines.slice(before).filter((line) => !line.includes(" request "))).toEqual([]);
  });

  test("is none of the usual ones", async () => {
    await using posthorn = await startPosthorn();
    for (const host of ["localhost", "mail.example.com:8484", "127.0.0.1", "[::1]:8484", "my_host", "EXAMPLE.com."]) {
      expect((await fetch(`${posthorn.server.url}/health`)).headers.has("strict-transport-security")).toBe(false);
      const { line } = await answerTo(posthorn, `GET /health HTTP/1.1\r\nHost: ${host}`);
      expect([host, line]).toEqual([host, "HTTP/1.1 200 OK"]);
    }
  });
});

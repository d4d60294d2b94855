// Mail that leaves through Microsoft Graph: what it can carry, what its answers mean, and what goes by another way.
import { afterEach, expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import { lookAtWaysInStore } from "../../src/operator/operation/doctor/network.ts";
import { graphTransport } from "../../src/sending/carrier/graph.ts";
import type { FinishedMessage, Transport } from "../../src/sending/carrier/transport/transport.ts";
import { challenged, GraphService, refusedByGraph } from "../support/graph-service.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { TokenService } from "../support/token-service.ts";
import { RecordingTransport } from "../support/transport.ts";

const open: AsyncDisposable[] = [];
const transports: Transport[] = [];
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

function message(header: string, recipient = "anna@example.com"): FinishedMessage {
  const raw = Buffer.from(`From: news@shop.example\r\n${header}Subject: Hello\r\n\r\nHello\r\n`);
  return { id: "0198f2c4-0000-7000-8000-000000000001", envelope: { returnPath: "news@shop.example", recipient }, raw };
}

const TO_ANNA = message("To: Anna <anna@example.com>\r\n");

/** The first token, and another one once that is refused. */
function start(graphUrl?: string) {
  const graph = new GraphService();
  open.push(graph);
  const endsAt = "2030-01-01T00:00:00.000Z";
  const tokens = (refused: string | null) => Promise.resolve({ token: refused === null ? "one" : "two", endsAt });
  const place = {
    graphUrl: graphUrl ?? graph.url,
    user: "news@shop.example",
    timeoutMs: 5_000,
    concurrency: 2,
    gapMs: 0,
  };
  const transport = graphTransport(place, tokens);
  transports.push(transport);
  return { graph, transport };
}

test("a message to one recipient is given to Graph byte by byte, in base64", async () => {
  const { graph, transport } = start();
  expect(await transport.send(TO_ANNA)).toEqual({ kind: "accepted", reply: "Accepted by Microsoft Graph" });
  expect(graph.asked).toEqual(["POST /sendMail"]);
  expect(graph.sent).toEqual([TO_ANNA.raw]);
});

test.each([
  ["of somebody else", "To: bob@example.com\r\n"],
  ["of two", "To: anna@example.com, bob@example.com\r\n"],
  ["of one more in Cc", "To: anna@example.com\r\nCc: bob@example.com\r\n"],
  ["of one more in Bcc", "To: anna@example.com\r\nBcc: bob@example.com\r\n"],
  ["of one more in a second To", "To: anna@example.com\r\nTo: bob@example.com\r\n"],
  ["of one more in a folded line", "To: anna@example.com,\r\n bob@example.com\r\n"],
  ["of one more in a name", 'To: "bob@example.com, Anna" <anna@example.com>\r\n'],
  ["of one more in an encoded name", `To: =?utf-8?B?${btoa("bob@example.com,")}?= <anna@example.com>\r\n`],
  ["of a group", "To: friends: anna@example.com;\r\n"],
  ["of one more behind a semicolon", "To: anna@example.com; bob@example.com\r\n"],
  ["of one more in a comment", "To: anna@example.com (bob@example.com)\r\n"],
  ["of nobody", ""],
])("a header %s is given to another way: Graph would send to whom it names", async (_, header) => {
  const { graph, transport } = start();
  expect(await transport.send(message(header))).toMatchObject({ kind: "failed", isLocal: true, isUnfit: true });
  expect(graph.asked).toEqual([]);
});

test.each(['"Example, Anna" <anna@example.com>', "=?utf-8?Q?Ann=C3=A4?= <Anna@example.com>", "<anna@example.com>"])(
  "a name takes nothing from the one recipient: %s",
  async (to) => {
    const { graph, transport } = start();
    expect(await transport.send(message(`To: ${to}\r\n`))).toMatchObject({ kind: "accepted" });
    expect(graph.sent).toHaveLength(1);
  },
);

test("marketing email and large email are given to another way", async () => {
  const { graph, transport } = start();
  const marketing = message("To: anna@example.com\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
  expect(await transport.send(marketing)).toMatchObject({ isUnfit: true, reply: expect.stringContaining("one click") });
  const large = { ...TO_ANNA, raw: Buffer.concat([TO_ANNA.raw, Buffer.alloc(3_000_000, "x")]) };
  expect(await transport.send(large)).toMatchObject({ isUnfit: true });
  expect(graph.asked).toEqual([]);
});

test.each([
  [
    refusedByGraph(429, "ApplicationThrottled", "Slow down", { "retry-after": "30" }),
    "unreachable",
    { waitMs: 30_000 },
  ],
  [refusedByGraph(503, "ErrorServerBusy", "Busy", { "retry-after": "7" }), "unreachable", { waitMs: 7_000 }],
  [refusedByGraph(403, "ErrorAccessDenied", "Access is denied."), "unreachable", {}],
  [refusedByGraph(404, "ErrorInvalidUser", "The user is invalid."), "unreachable", {}],
  [refusedByGraph(403, "ErrorSendAsDenied", "The user account is not allowed."), "failed", {}],
  [refusedByGraph(400, "ErrorInvalidRecipients", "At least one recipient isn't valid."), "bounced", {}],
  [refusedByGraph(400, "ErrorMimeContentInvalid", "Invalid base64 string for MIME content."), "failed", {}],
  [refusedByGraph(500, "ErrorInternalServerError", "Oops"), "later", {}],
  [refusedByGraph(504, "GatewayTimeout", "No answer"), "unanswered", {}],
])("what Graph answers is an outcome: %#", async (answer, kind, more) => {
  const { graph, transport } = start();
  graph.instead = () => answer.clone() as Response;
  expect(await transport.send(TO_ANNA)).toMatchObject({ kind, ...more });
});

test("while Graph asks to be left alone, it is not asked", async () => {
  const { graph, transport } = start();
  graph.instead = () => refusedByGraph(429, "ApplicationThrottled", "Slow down", { "retry-after": "30" });
  await transport.send(TO_ANNA);
  expect(await transport.send(TO_ANNA)).toMatchObject({
    kind: "unreachable",
    reply: "429 ApplicationThrottled: Slow down",
  });
  expect(await transport.look?.()).toBe("429 ApplicationThrottled: Slow down");
  expect(graph.asked).toHaveLength(1);
});

test("a token that is refused with a claims challenge is replaced once", async () => {
  const { graph, transport } = start();
  graph.token = "two";
  expect(await transport.send(TO_ANNA)).toMatchObject({ kind: "accepted" });
  graph.instead = () => challenged();
  expect(await transport.send(TO_ANNA)).toMatchObject({
    kind: "unreachable",
    reply: expect.stringContaining("it asks for other claims"),
  });
  expect(graph.sent).toHaveLength(1);
});

test("without a connection nothing was sent; with one that is lost, nobody knows", async () => {
  expect(await start("http://127.0.0.1:1").transport.send(TO_ANNA)).toMatchObject({ kind: "unreachable" });
  await using lost = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.terminate() },
  }) as unknown as AsyncDisposable & { readonly port: number };
  const { transport } = start(`http://127.0.0.1:${lost.port}`);
  const said: string[] = [];
  expect(await transport.send({ ...TO_ANNA, onSaid: () => said.push("said") })).toMatchObject({ kind: "unanswered" });
  expect(said).toEqual(["said"]);
});

test("email goes by Graph with a token for it, and what Graph cannot carry by the next way (slow)", async () => {
  const [graph, tokens] = [new GraphService(), new TokenService()];
  open.push(graph, tokens);
  const first = new RecordingTransport();
  first.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  first.fault = "connect ECONNREFUSED";
  const backup = new RecordingTransport();
  const login = {
    auth: "oauth2" as const,
    tokenUrl: tokens.url,
    clientId: "app",
    clientSecret: "s",
    graphUrl: graph.url,
  };
  const way: WaySettings = {
    ...{ name: "office", kind: "graph", ratePerSecond: 0, burst: 1, concurrency: 2, price: null },
    ...{ relay: { ...DEFAULTS.relay, ...login, user: "news@shop.example" }, ses: DEFAULTS.ses },
  };
  const spare: WaySettings = {
    ...way,
    name: "backup",
    kind: "smtp",
    relay: { ...DEFAULTS.relay, host: "smtp.example" },
  };
  const config = { delivery: { transport: "smtp" as const }, relay: { host: "smtp.example.com" }, ways: [way, spare] };
  await using posthorn = await startPosthorn({ transport: first, wayTransports: { backup }, config });
  await posthorn.call("POST /v1/send", { ...letter, to: "ada@example.com" });
  await posthorn.settle();
  expect([graph.sent.length, backup.sent.length]).toEqual([1, 0]);
  expect(graph.sent[0]?.toString()).toContain("To: ada@example.com");
  await posthorn.call("POST /v1/send", {
    ...letter,
    to: ["eve@example.com", "bob@example.com"],
    cc: ["al@example.com"],
  });
  await posthorn.settle();
  expect([graph.sent.length, backup.sent.length]).toEqual([1, 3]);
  const { body } = await posthorn.call("GET /emails");
  expect(body.data.filter(({ status }: { status: string }) => status !== "SENT")).toEqual([]);
  const ways = [
    { ...way, source: "CONFIGURATION", pausedAt: null, updatedAt: null, problem: null, problemCode: null },
  ] as const;
  const of = () => () => Promise.resolve({ token: "t", endsAt: "" });
  expect(await lookAtWaysInStore({ config: { ...DEFAULTS, ways: [way] }, ways, tokens: { of } })).toMatchObject([
    { state: "ok", text: "Microsoft Graph knows news@shop.example" },
  ]);
});

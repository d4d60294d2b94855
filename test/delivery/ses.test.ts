// Mail that leaves through the API of Amazon SES, spoken to at a stand-in on this machine.
import { afterEach, describe, expect, test } from "bun:test";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { DEFAULTS } from "../../src/base/config.ts";
import { transportOptions } from "../../src/sending/open-ways/sending-options.ts";
import { type SesOptions, sesTransport } from "../../src/sending/carrier/ses/ses.ts";
import type { FinishedMessage, Transport } from "../../src/sending/carrier/transport/transport.ts";

type Call = { readonly path: string; readonly headers: Headers; readonly body: Record<string, unknown> };
type Answer = (call: Call) => Response | Promise<Response>;

const MESSAGE: FinishedMessage = {
  id: "0198f2c4-0000-7000-8000-000000000001",
  envelope: { returnPath: "b+1@bounces.example", recipient: "anna@example.com" },
  raw: Buffer.from("From: news@shop.example\r\nMessage-ID: <1@shop.example>\r\n\r\nGrüße\r\n.\r\n"),
};

const opened: Transport[] = [];
const stopping: (() => void)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()));
  for (const stop of stopping.splice(0)) stop();
});

function ses(answer: Answer): { endpoint: string; calls: Call[] } {
  const calls: Call[] = [];
  const fetch = async (request: Request) => {
    const body = (await request.json()) as Record<string, unknown>;
    const call = { path: new URL(request.url).pathname, headers: request.headers, body };
    calls.push(call);
    return answer(call);
  };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  stopping.push(() => void server.stop(true));
  return { endpoint: server.url.origin, calls };
}

function transportTo(endpoint: string, options: Partial<SesOptions> = {}): Transport {
  const credentials = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "secret", sessionToken: null };
  const rest = { configurationSet: null, timeoutMs: 30_000, concurrency: 4, gapMs: 0 };
  const transport = sesTransport({ region: "eu-west-1", endpoint, ...credentials, ...rest, ...options });
  opened.push(transport);
  return transport;
}

const taken: Answer = () => Response.json({ MessageId: "0102019-abc-000000" });

function refusal(status: number, type: string, message: string): Answer {
  return () => Response.json({ message }, { status, headers: { "x-amzn-errortype": type } });
}

test("a mail is given to SES byte by byte, and known by the name that SES gives it", async () => {
  const { endpoint, calls } = ses(taken);
  expect(await transportTo(endpoint).send(MESSAGE)).toEqual({
    kind: "accepted",
    reply: "Accepted by SES as 0102019-abc-000000",
    remoteId: "0102019-abc-000000",
  });
  expect(calls).toHaveLength(1);
  expect(calls[0]?.path).toBe("/v2/email/outbound-emails");
  expect(calls[0]?.body).toEqual({
    Content: { Raw: { Data: MESSAGE.raw.toString("base64") } },
    Destination: { ToAddresses: ["anna@example.com"] },
    EmailTags: [{ Name: "emailId", Value: MESSAGE.id }],
  });
});

test("text beyond ASCII that came in whole is given to SES encoded, or not at all", async () => {
  const { endpoint, calls } = ses(taken);
  const encoded = Buffer.from("From: news@shop.example\r\n\r\nGr=C3=BC=C3=9Fe\r\n");
  const transport = transportTo(endpoint);
  await transport.send({ ...MESSAGE, sevenBit: async () => encoded });
  expect(calls[0]?.body["Content"]).toEqual({ Raw: { Data: encoded.toString("base64") } });
  const sevenBit = () => Promise.reject(new Error("it is signed"));
  expect(await transport.send({ ...MESSAGE, sevenBit })).toEqual({
    kind: "failed",
    reply: "SES takes ASCII only: it is signed",
  });
  expect(calls).toHaveLength(1);
});

test("a request is signed for the region, with the session token and configuration set where there are some", async () => {
  const { endpoint, calls } = ses(taken);
  await transportTo(endpoint, { sessionToken: "token", configurationSet: "events" }).send(MESSAGE);
  const { headers, body } = calls[0] as Call;
  expect(headers.get("authorization")).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/ses\/aws4_request, SignedHeaders=[\w;-]+, Signature=[0-9a-f]{64}$/,
  );
  expect(headers.get("x-amz-security-token")).toBe("token");
  expect(body["ConfigurationSetName"]).toBe("events");
});

test("international domains are named in their ASCII form", async () => {
  const { endpoint, calls } = ses(taken);
  const envelope = { returnPath: "", recipient: "anna@bücher.example" };
  await transportTo(endpoint).send({ ...MESSAGE, envelope });
  expect(calls[0]?.body["Destination"]).toEqual({ ToAddresses: ["anna@xn--bcher-kva.example"] });
});

test.each(["a@example.com, b@example.com", "Anna <a@example.com>", "a@example.com\r\nBcc: b@example.com", "anna", ""])(
  "the recipient %j is refused before anything is sent",
  async (recipient) => {
    const { endpoint, calls } = ses(taken);
    const outcome = await transportTo(endpoint).send({ ...MESSAGE, envelope: { returnPath: "", recipient } });
    expect(outcome.kind).toBe("failed");
    expect(calls).toHaveLength(0);
  },
);

describe("an error of SES", () => {
  test.each([
    [400, "MessageRejected", "Email address is not verified.", "failed"],
    [400, "MessageRejected", "Address is on the suppression list for your account", "bounced"],
    [400, "MailFromDomainNotVerifiedException", "The domain is not verified", "failed"],
    [400, "BadRequestException", "Missing final '@domain'", "failed"],
    [400, "ValidationException", "1 validation error detected", "failed"],
    [400, "AccountSuspendedException", "Your account is suspended", "unreachable"],
    [400, "SendingPausedException", "Sending is paused", "unreachable"],
    [404, "NotFoundException", "Configuration set <events> does not exist.", "unreachable"],
    [400, "LimitExceededException", "Limit exceeded", "unreachable"],
    [403, "SignatureDoesNotMatch", "The request signature we calculated does not match", "unreachable"],
    [403, "UnrecognizedClientException", "The security token is invalid", "unreachable"],
    [400, "ExpiredTokenException", "The security token has expired", "unreachable"],
    [403, "AccessDeniedException", "User is not authorized to perform ses:SendEmail", "unreachable"],
    [
      403,
      "AccessDeniedException",
      "User is not authorized to perform ses:SendEmail on identity/shop.example",
      "failed",
    ],
    [429, "TooManyRequestsException", "Maximum sending rate exceeded.", "later"],
    [400, "ThrottlingException", "Rate exceeded", "later"],
    [429, "TooManyRequestsException", "Daily message quota exceeded.", "unreachable"],
    [500, "InternalServiceErrorException", "Something went wrong", "later"],
    [503, "ServiceUnavailable", "Please try again", "later"],
  ])("%i %s: %s", async (status, type, message, kind) => {
    const { endpoint, calls } = ses(refusal(status, type, message));
    const outcome = await transportTo(endpoint).send(MESSAGE);
    expect<object>(outcome).toEqual({ kind, reply: `${status} ${type}: ${message}` });
    expect(calls).toHaveLength(1);
  });

  test("does not spoil the next mail", async () => {
    const answers = [refusal(500, "InternalServiceErrorException", "Oh"), taken];
    const { endpoint } = ses((call) => (answers.shift() ?? taken)(call));
    const transport = transportTo(endpoint);
    expect((await transport.send(MESSAGE)).kind).toBe("later");
    expect((await transport.send(MESSAGE)).kind).toBe("accepted");
  });
});

describe("an answer that is none", () => {
  test.each<[string, Answer, string]>([
    ["a proxy's page", () => new Response("<html>Bad gateway</html>", { status: 502 }), "unanswered"],
    ["nonsense with a good status", () => new Response("fine!", { status: 200 }), "unanswered"],
  ])("%s", async (_what, answer, kind) => {
    const { endpoint } = ses(answer);
    expect((await transportTo(endpoint).send(MESSAGE)).kind).toBe(kind as "later");
  });

  test("silence ends with our patience, and may have been a yes", async () => {
    const { endpoint } = ses(() => new Promise<Response>(() => {}));
    const outcome = await transportTo(endpoint, { answerTimeoutMs: 100 }).send(MESSAGE);
    expect(outcome).toMatchObject({
      kind: "unanswered",
      reply: expect.stringContaining("it may or may not have accepted"),
    });
  });

  test("a connection that breaks after the request may have been a yes", async () => {
    const outcome = await transportTo(await brokenEndpoint()).send(MESSAGE);
    expect(outcome).toMatchObject({
      kind: "unanswered",
      reply: expect.stringContaining("it may or may not have accepted"),
    });
  });

  test("no connection at all means that nothing was sent", async () => {
    const outcome = await transportTo("http://127.0.0.1:1").send(MESSAGE);
    expect(outcome).toMatchObject({ kind: "unreachable", reply: expect.stringContaining("ECONNREFUSED") });
  });

  test("a server that does not speak TLS is not spoken to", async () => {
    const { endpoint, calls } = ses(taken);
    const outcome = await transportTo(endpoint.replace("http:", "https:")).send(MESSAGE);
    expect(outcome.kind).toBe("unreachable");
    expect(calls).toHaveLength(0);
  });
});

describe("many mails", () => {
  test("at once arrive once each (slow)", async () => {
    const { endpoint, calls } = ses(taken);
    const transport = transportTo(endpoint, { concurrency: 3 });
    const messages = Array.from({ length: 30 }, (_, i) => ({ ...MESSAGE, id: `e${i}` }));
    const outcomes = await Promise.all(messages.map((message) => transport.send(message)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(30).fill("accepted"));
    const tags = calls.map(({ body }) => JSON.stringify(body["EmailTags"]));
    expect(new Set(tags).size).toBe(30);
  });

  test("go over connections that stay open, as many as there are requests in flight (slow)", async () => {
    let connections = 0;
    const server = createHttpServer((_request, response) => {
      response.setHeader("content-type", "application/json").end('{"MessageId":"x"}');
    });
    server.on("connection", () => connections++);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stopping.push(() => void server.close());
    const transport = transportTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { concurrency: 3 });
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => transport.send(MESSAGE)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(Array(12).fill("accepted"));
    }
    expect(connections).toBe(3);
  });

  test.each([
    ["ses", 14, 10],
    ["ses", 200, 100],
    ["ses", 10_000, 500],
    ["ses", 0, 10],
    ["smtp", 200, 10],
  ] as const)("to %s at %d a second: %d in flight at once", (transport, ratePerSecond, atOnce) => {
    const delivery = { ...DEFAULTS.delivery, transport, ratePerSecond };
    const options = transportOptions({ ...DEFAULTS, delivery });
    expect("ses" in options ? options.ses : "relay" in options && options.relay).toMatchObject({ concurrency: atOnce });
  });

  test("in hand are finished when we close, those that wait are turned away", async () => {
    let arrived = () => {};
    const begun = new Promise<void>((resolve) => (arrived = resolve));
    let answer = (_response: Response) => {};
    const { endpoint, calls } = ses(() => {
      arrived();
      return new Promise<Response>((resolve) => (answer = resolve));
    });
    const transport = transportTo(endpoint, { concurrency: 1 });
    const inHand = transport.send(MESSAGE);
    const waiting = transport.send(MESSAGE);
    await begun;
    const closed = transport.close();
    expect((await waiting).kind).toBe("unreachable");
    expect((await transport.send(MESSAGE)).kind).toBe("unreachable");
    answer(Response.json({ MessageId: "x" }));
    expect((await inHand).kind).toBe("accepted");
    await closed;
    expect(calls).toHaveLength(1);
  });
});

async function brokenEndpoint(): Promise<string> {
  const server: Server = createServer((socket) => socket.once("data", () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stopping.push(() => void server.close());
  const address = server.address();
  return address !== null && typeof address === "object" ? `http://127.0.0.1:${address.port}` : "";
}

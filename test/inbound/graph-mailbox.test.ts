// Bounce mailboxes by Microsoft Graph: its pages of changes, its refusals, and messages that are taken once.
import { afterEach, expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import { MINUTE_MS } from "../../src/base/clock.ts";
import type { MailboxSettings } from "../../src/base/config/mailboxes.ts";
import { lookAtMailboxes } from "../../src/operator/operation/doctor/mailboxes.ts";
import { dsn } from "../support/bounces.ts";
import { freshDirectory } from "../support/database.ts";
import { challenged, GraphService, refusedByGraph } from "../support/graph-service.ts";
import { letter } from "../support/mails.ts";
import { received } from "../support/outside.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { TokenService } from "../support/token-service.ts";

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

function opened<One extends AsyncDisposable>(one: One): One {
  open.push(one);
  return one;
}

const { provider: _, providerKey: __, providerTracking: ___, ...LOGIN } = DEFAULTS.relay;

function mailboxAt(graphUrl: string, tokenUrl: string, more: Partial<MailboxSettings> = {}): MailboxSettings {
  const client = { auth: "oauth2" as const, tokenUrl, clientId: "app", clientSecret: "s", timeoutSeconds: 5 };
  return {
    ...{ name: "office", kind: "graph", folder: "INBOX", movedTo: "Posthorn", delete: false, asInbound: false },
    ...more,
    relay: { ...LOGIN, ...client, user: "bounces@example.test", port: 993, tls: "implicit", graphUrl },
  };
}

type House = { readonly posthorn: Posthorn; readonly graph: GraphService; readonly tokens: TokenService };

async function startHouse(
  more: Partial<MailboxSettings> = {},
  options: StartOptions & Partial<House> = {},
): Promise<House> {
  const [graph, tokens] = [options.graph ?? opened(new GraphService()), options.tokens ?? opened(new TokenService())];
  const bounceMailboxes = [mailboxAt(graph.url, tokens.url, more)];
  const posthorn = opened(await startPosthorn({ ...options, config: { bounceMailboxes } }));
  await posthorn.settle();
  return { posthorn, graph, tokens };
}

async function later(posthorn: Posthorn, minutes = 2): Promise<void> {
  posthorn.clock.advance(minutes * MINUTE_MS);
  await posthorn.settle();
}

async function send(posthorn: Posthorn) {
  const { body } = await posthorn.call("POST /v1/send", { ...letter, to: "ada@example.com" });
  const id = body.data.emails[0].email as string;
  await posthorn.settle();
  const { messageId } = (await posthorn.call(`GET /emails/${id}`)).body;
  return { id, messageId };
}

const FIELDS = "Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1";
const bounceOf = ({ messageId }: { readonly messageId: string }) =>
  `In-Reply-To: ${messageId}\n${dsn({ fields: FIELDS }).replaceAll("$ADDRESS", "bounces@example.test").replaceAll("$ID", messageId)}`;
const letterOf = (subject: string) => `From: ada@example.com\nTo: help@example.test\nSubject: ${subject}\n\nHello\n`;

test("a bounce is taken and moved to a folder that is made, and nothing else is touched", async () => {
  const { posthorn, graph, tokens } = await startHouse();
  const sent = await send(posthorn);
  graph.deliver(letterOf("A question"));
  graph.deliver(bounceOf(sent));
  await later(posthorn);
  await later(posthorn);
  expect((await posthorn.call(`GET /emails/${sent.id}`)).body.status).toBe("BOUNCED");
  expect(graph.subjects()).toEqual(["A question"]);
  expect(graph.subjects("Posthorn")).toEqual(["Undelivered Mail Returned to Sender"]);
  expect(graph.asked.filter((what) => what.endsWith("$value"))).toHaveLength(2);
  expect(tokens.asked).toHaveLength(1);
});

test("what has arrived before is not read, and pages are read to their end", async () => {
  const graph = opened(new GraphService());
  graph.pageSize = 2;
  graph.deliver(letterOf("Before"), "2026-02-01T09:00:00Z");
  const { posthorn } = await startHouse({ asInbound: true, delete: true }, { graph });
  for (const subject of ["One", "Two", "Three", "Four", "Five"]) graph.deliver(letterOf(subject));
  await later(posthorn);
  expect((await received(posthorn)).map(({ subject }) => subject).toSorted()).toEqual([
    "Five",
    "Four",
    "One",
    "Three",
    "Two",
  ]);
  expect(graph.subjects()).toEqual(["Before"]);
});

test("what was taken and could not be moved is moved by the next start, and taken once", async () => {
  const directory = freshDirectory();
  const { posthorn, graph, tokens } = await startHouse({ asInbound: true }, { dataDir: directory.path });
  graph.deliver(letterOf("One"));
  graph.deliver(letterOf("Two"));
  graph.instead = (what) => (what.endsWith("/move") ? refusedByGraph(503, "ErrorServerBusy", "Busy") : null);
  await later(posthorn);
  expect([(await received(posthorn)).length, graph.subjects()]).toEqual([1, ["One", "Two"]]);
  await open.pop()?.[Symbol.asyncDispose]();
  graph.instead = () => null;
  const { clock } = posthorn;
  const again = await startHouse({ asInbound: true }, { dataDir: directory.path, graph, tokens, clock });
  expect([(await received(again.posthorn)).length, graph.subjects()]).toEqual([2, []]);
});

test("changes that Graph has forgotten are asked for by time", async () => {
  const { posthorn, graph } = await startHouse({ asInbound: true });
  graph.deliver(letterOf("One"), "2026-03-01T09:01:00Z");
  await later(posthorn);
  graph.deliver(letterOf("Two"), "2026-03-01T09:03:00Z");
  let isForgotten = true;
  graph.instead = (what) => {
    const answer = isForgotten && what.endsWith("/delta") ? refusedByGraph(410, "SyncStateNotFound", "Gone") : null;
    isForgotten = false;
    return answer;
  };
  await later(posthorn);
  expect((await received(posthorn)).map(({ subject }) => subject)).toEqual(["One", "Two"]);
});

test("a token that is refused with a claims challenge is replaced once", async () => {
  const { posthorn, graph, tokens } = await startHouse();
  graph.token = "token-2";
  await later(posthorn);
  expect(tokens.asked).toHaveLength(2);
  expect(posthorn.logLines.filter((line) => line.includes("cannot be read"))).toEqual([]);
});

test.each([
  [
    "after as long as it asks for",
    () => refusedByGraph(429, "TooManyRequests", "Slow down", { "retry-after": "600" }),
    10,
  ],
  ["after five minutes without the right", () => refusedByGraph(403, "ErrorAccessDenied", "Access is denied."), 5],
  ["after five minutes with claims that are missing", () => challenged(), 5],
])("Graph is asked again %s", async (_, refusal, minutes) => {
  const { posthorn, graph, tokens } = await startHouse();
  graph.instead = () => refusal();
  tokens.answer = () => tokens.token({ access_token: "same" });
  await later(posthorn);
  const asked = graph.asked.length;
  await later(posthorn, minutes - 1);
  expect(graph.asked).toHaveLength(asked);
  graph.instead = () => null;
  await later(posthorn);
  expect(graph.asked.length).toBeGreaterThan(asked);
  expect(posthorn.logLines.at(-1)).toContain("can be read again");
});

test("an answer that is not Graph's is a fault of the mailbox, which is read again", async () => {
  const { posthorn, graph } = await startHouse({ asInbound: true });
  graph.deliver(letterOf("One"));
  graph.instead = (what) => (what.endsWith("/delta") ? new Response("<html>Sign in</html>") : null);
  await later(posthorn);
  expect(posthorn.logLines.filter((line) => line.includes("Microsoft Graph does not answer"))).toHaveLength(1);
  graph.instead = () => null;
  await later(posthorn);
  expect(graph.subjects("Posthorn")).toEqual(["One"]);
  expect(posthorn.logLines.at(-1)).toContain("can be read again");
});

test("the doctor tries it, and never follows Graph to another server with the token", async () => {
  const { posthorn, graph, tokens } = await startHouse();
  const config = { ...DEFAULTS, bounceMailboxes: [mailboxAt(graph.url, tokens.url)] };
  expect(await lookAtMailboxes({ config })).toMatchObject([{ state: "wrong" }]);
  const value = { value: [], "@odata.deltaLink": "http://127.0.0.1:1/v1.0/users/x/messages/delta" };
  graph.instead = (what) => (what.endsWith("/delta") ? Response.json(value) : null);
  await later(posthorn);
  await later(posthorn);
  expect(posthorn.logLines.filter((line) => line.includes("Graph has named another server"))).toHaveLength(1);
});

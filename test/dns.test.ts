// What name servers say, and what they fail to say.
import { expect, test } from "bun:test";
import { encode, type Answer } from "dns-packet";
import { DnsError, systemResolver } from "../src/base/dns.ts";
import { encodeQuestion, readReply, type DnsQuestion, type RecordType } from "../src/base/dns/message.ts";
import { nameServer, NO_SUCH_NAME, SERVER_FAILURE, type NameAnswer } from "./support/name-server.ts";

const REFUSED = 5;

test("a text record in several strings is read as one text", async () => {
  await using server = await nameServer();
  server.answers.set("a.example", [["v=DKIM1; p=", "abc", "def"], ["another"]]);
  expect(await systemResolver([server.address]).txt("a.example")).toEqual(["v=DKIM1; p=abcdef", "another"]);
});

test.each([
  ["does not exist", NO_SUCH_NAME],
  ["has no text records", []],
])("a name that %s has none", async (_, answer) => {
  await using server = await nameServer();
  server.answers.set("a.example", answer);
  expect(await systemResolver([server.address]).txt("a.example")).toEqual([]);
});

const noAnswers: readonly [what: string, answer: NameAnswer, reason: string][] = [
  ["fails", SERVER_FAILURE, "failed (SERVFAIL)"],
  ["refuses", { refusedWith: REFUSED }, "refused to answer"],
  ["is silent", "silence", "did not answer in time"],
];
test.each(noAnswers)("a name server that %s is no proof of an empty answer", async (_, answer, reason) => {
  await using server = await nameServer();
  server.answers.set("a.example", answer);
  const maxWait = answer === "silence" ? { timeoutMs: 50, longestMs: 1_000 } : undefined;
  const asked = systemResolver([server.address], maxWait).txt("a.example");
  const message = `The DNS records of a.example could not be checked: the name server ${server.address} ${reason}.`;
  await expect(asked).rejects.toThrow(new DnsError(message));
});

test.each(["repeats the question", "sends a header alone"] as const)(
  "a server that does not know of larger packets and %s is asked without",
  async (bewildered) => {
    await using server = await nameServer();
    server.bewildered = bewildered;
    server.answers.set("a.example", [["here"]]);
    expect(await systemResolver([server.address]).txt("a.example")).toEqual(["here"]);
    expect(server.asked.length).toBe(2);
  },
);

test("records that do not fit into a packet are fetched over a connection", async () => {
  await using server = await nameServer();
  const strings = Array.from({ length: 40 }, (_, index) => String(index % 10).repeat(255));
  server.answers.set("a.example", { long: [strings] });
  expect(await systemResolver([server.address]).txt("a.example")).toEqual([strings.join("")]);
});

test("a port where nobody answers is told at once", async () => {
  const server = await nameServer();
  const { address } = server;
  await server[Symbol.asyncDispose]();
  await expect(systemResolver([address]).txt("a.example")).rejects.toThrow(
    `the name server ${address} cannot be reached.`,
  );
});

test.each(["", "a..example", `${"a".repeat(64)}.example`])("%j is no name to ask for", async (name) => {
  await expect(systemResolver(["127.0.0.1"]).txt(name)).rejects.toThrow(DnsError);
});

test("a second server is asked when the first fails", async () => {
  await using failing = await nameServer();
  await using sound = await nameServer();
  failing.answers.set("a.example", SERVER_FAILURE);
  sound.answers.set("a.example", [["here"]]);
  expect(await systemResolver([failing.address, sound.address]).txt("a.example")).toEqual(["here"]);
});

test("a record that was published since the last look is seen at once", async () => {
  await using server = await nameServer();
  const resolver = systemResolver([server.address]);
  server.answers.set("a.example", [["old"]]);
  expect(await resolver.txt("a.example")).toEqual(["old"]);
  server.answers.set("a.example", [["new"]]);
  expect(await resolver.txt("a.example")).toEqual(["new"]);
});

const asked: DnsQuestion = { id: 7, name: "a.example", type: "TXT" };
const forged: readonly [what: string, change: (reply: Buffer) => Buffer][] = [
  ["has another id", (reply) => (reply.writeUInt16BE(8, 0), reply)],
  ["is a question itself", (reply) => (reply.writeUInt16BE(0x0100, 2), reply)],
  ["is about another name", (reply) => Buffer.from(reply.toString("latin1").replace("example", "exemple"), "latin1")],
  ["promises a record that is not there", (reply) => (reply.writeUInt16BE(2, 6), reply)],
  ["is cut off", (reply) => reply.subarray(0, 20)],
  ["is empty", () => Buffer.alloc(0)],
  ["leaves out the question", (reply) => (reply.writeUInt16BE(0, 4), reply.subarray(0, 12))],
];
test.each(forged)("a reply that %s is not believed", (_, change) => {
  const reply = encodeQuestion(asked);
  reply.writeUInt16BE(0x8180, 2);
  expect(readReply(reply, asked)).toEqual({ code: 0, truncated: false, records: [], ttlSeconds: 0 });
  expect(readReply(change(reply), asked)).toBeNull();
});

function replyWith(type: RecordType, answers: readonly object[], authorities: readonly object[] = []) {
  const packet = { type: "response" as const, id: 7, questions: [{ type, name: "a.example" }] };
  const named = (records: readonly object[]) => records.map((record) => ({ name: "a.example", ...record }) as Answer);
  const bytes = encode({ ...packet, answers: named(answers), authorities: named(authorities) });
  return readReply(bytes, { id: 7, name: "a.example", type });
}

const soa = { mname: "ns.a.example", rname: "x.a.example", serial: 1, refresh: 1, retry: 1, expire: 1 };
const read: readonly [type: RecordType, data: unknown, record: string][] = [
  ["A", "192.0.2.1", "192.0.2.1"],
  ["AAAA", "2001:db8::1", "2001:db8::1"],
  ["MX", { preference: 10, exchange: "mx.a.example" }, "mx.a.example"],
  ["MX", { preference: 0, exchange: "." }, "."],
  ["NS", "ns.a.example", "ns.a.example"],
  ["SOA", { ...soa, minimum: 5 }, "ns.a.example"],
];
test.each(read)("a record of type %s is read: %j", (type, data, record) => {
  expect(replyWith(type, [{ type, ttl: 60, data }])).toMatchObject({ records: [record], ttlSeconds: 60 });
});

test("an answer is valid as long as the shortest-lived record on the way to it", () => {
  const alias = { type: "CNAME", ttl: 30, data: "b.example" };
  const address = { name: "b.example", type: "A", ttl: 60, data: "192.0.2.1" };
  expect(replyWith("A", [alias, address])).toMatchObject({ records: ["192.0.2.1"], ttlSeconds: 30 });
  expect(replyWith("A", [{ ...address, ttl: 0xffffffff }])).toMatchObject({ ttlSeconds: 0 });
});

test("an empty answer is valid as long as the zone says, and not at all if it says nothing", () => {
  const zone = (ttl: number, minimum: number) => ({ type: "SOA", ttl, data: { ...soa, minimum } });
  expect(replyWith("MX", [], [zone(600, 60)])).toMatchObject({ records: [], ttlSeconds: 60 });
  expect(replyWith("MX", [], [zone(30, 60)])).toMatchObject({ records: [], ttlSeconds: 30 });
  expect(replyWith("MX", [])).toMatchObject({ records: [], ttlSeconds: 0 });
});

test("whether a name is missing altogether is told from its lacking records", async () => {
  await using server = await nameServer();
  server.answers.set("missing.example", NO_SUCH_NAME);
  const resolver = systemResolver([server.address]);
  expect((await resolver.find("missing.example", "MX")).nameExists).toBe(false);
  expect((await resolver.find("a.example", "MX")).nameExists).toBe(true);
});

test("a silent name server is waited for no longer than it is worth", async () => {
  await using server = await nameServer();
  server.answers.set("a.example", "silence");
  const resolver = systemResolver([server.address, server.address, server.address], { timeoutMs: 40, longestMs: 60 });
  await expect(resolver.find("a.example", "MX")).rejects.toThrow(DnsError);
  // Of the six times that three servers would be asked; on a busy machine the end may come first.
  expect(server.asked.length).toBeLessThanOrEqual(2);
});

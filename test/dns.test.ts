// What name servers say, and what they fail to say.
import { expect, test } from "bun:test";
import { DnsError, systemResolver } from "../src/dns.ts";
import { encodeQuestion, readReply, type Question } from "../src/dns/message.ts";
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
test.each(noAnswers)("a name server that %s is no proof that there is nothing", async (_, answer, reason) => {
  await using server = await nameServer();
  server.answers.set("a.example", answer);
  const asked = systemResolver([server.address], 50).txt("a.example");
  const message = `The DNS records of a.example could not be checked: the name server ${server.address} ${reason}.`;
  await expect(asked).rejects.toThrow(new DnsError(message));
});

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

const asked: Question = { id: 7, name: "a.example", type: "TXT" };
const forged: readonly [what: string, change: (reply: Buffer) => Buffer][] = [
  ["has another id", (reply) => (reply.writeUInt16BE(8, 0), reply)],
  ["is a question itself", (reply) => (reply.writeUInt16BE(0x0100, 2), reply)],
  ["is about another name", (reply) => Buffer.from(reply.toString("latin1").replace("example", "exemple"), "latin1")],
  ["promises a record that is not there", (reply) => (reply.writeUInt16BE(2, 6), reply)],
  ["is cut off", (reply) => reply.subarray(0, 20)],
  ["is empty", () => Buffer.alloc(0)],
];
test.each(forged)("a reply that %s is not believed", (_, change) => {
  const reply = encodeQuestion(asked);
  reply.writeUInt16BE(0x8180, 2);
  expect(readReply(reply, asked)).toEqual({ code: 0, truncated: false, records: [] });
  expect(readReply(change(reply), asked)).toBeNull();
});

// Messages from outside that come at the same moment: they are stored and recorded together, and each as if it had come
// alone.
import { expect, test } from "bun:test";
import { beginEach } from "../../src/mail/inbound/arrival.ts";
import { settleEach, type ReadingResult } from "../../src/mail/inbound/message.ts";
import { messageQueue } from "../../src/mail/inbound/queries.ts";
import { NOT_CHECKED, UNREADABLE } from "../../src/mail/inbound/reading/reading.ts";
import { takeInTurn } from "../../src/store/turns.ts";
import { letter } from "../support/mails.ts";
import { bring, LETTER, received, startHouse, wire, type House } from "../support/outside.ts";
import { addWorkspace } from "../support/workspaces.ts";

const SESSION = { clientAddress: "127.0.0.1", helo: "mx.elsewhere.test", sender: "ada@elsewhere.test" };
const about = (subject: string) => LETTER.replace("Hello", subject);

async function workspaceNamed({ posthorn: { store } }: House, name: string): Promise<number> {
  const row = await store.read(
    (reader) => reader.get<{ seq: number }>`select seq from workspaces where name = ${name}`,
  );
  return (row as { seq: number }).seq;
}

/** Messages that wait, claimed as if they had been read. */
async function claimed({ posthorn: { store } }: House, subjects: readonly unknown[]): Promise<ReadingResult[]> {
  const messages = (await store.write((tx) => takeInTurn(tx, messageQueue(tx.now), 50))) as ReadingResult["message"][];
  return messages.map((message, index) => {
    const contents = { ...UNREADABLE, body: subjects[index] as string };
    return { message, reading: { contents, verdicts: NOT_CHECKED }, tookMs: 1 };
  });
}

test("forty at once: each is stored for its own workspaces, or gets its own refusal (slow)", async () => {
  const house = await startHouse();
  await using posthorn = house.posthorn;
  const others = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const going = `${"Received: from a by b\n".repeat(30)}${about("Round")}`;
  const wishes = Array.from({ length: 10 }, (_, n) => [
    bring(house, about(`Own ${n}`)),
    bring(house, about(`Both ${n}`), { to: ["help@example.test", "help@other.test", "sales@example.test"] }),
    bring(house, going),
    bring(house, about("Nobody"), { to: ["help@nowhere.test"] }).catch(({ message }: Error) => message),
  ]).flat();
  const replies = (await Promise.all(wishes)).map((reply) => /\b[245]\d\d [245]\.\d\.\d/.exec(reply)?.[0]);
  expect(replies).toEqual(
    Array.from({ length: 10 }, () => ["250 2.6.0", "250 2.6.0", "554 5.4.6", "550 5.7.1"]).flat(),
  );
  await posthorn.settle();
  const subjectsOf = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const { body } = await posthorn.call("GET /events?eventName=email.received&limit=100", undefined, headers);
    return body.events
      .map(({ data }: { data: { subject: string; to: string } }) => `${data.subject} ${data.to}`)
      .sort();
  };
  const tens = (make: (n: number) => string[]) =>
    Array.from({ length: 10 }, (_, n) => make(n))
      .flat()
      .sort();
  expect(await subjectsOf(posthorn.keys.secret)).toEqual(
    tens((n) => [`Own ${n} help@example.test`, `Both ${n} help@example.test`, `Both ${n} sales@example.test`]),
  );
  expect(await subjectsOf(others.secret)).toEqual(tens((n) => [`Both ${n} help@other.test`]));
});

test("one that cannot be stored takes none of the others along (slow)", async () => {
  const house = await startHouse();
  await using posthorn = house.posthorn;
  const addressees = [{ workspace: await workspaceNamed(house, "default"), recipients: ["help@example.test"] }];
  const arrivals = ["one", "two", "three"].map((subject) => {
    const session = { ...SESSION, sender: subject === "two" ? (null as never) : SESSION.sender };
    return posthorn.store.writeTogether(beginEach, { session, addressees, bytes: wire(about(subject)) });
  });
  const outcomes = await Promise.allSettled(arrivals);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await received(posthorn)).map(({ subject }) => subject).sort()).toEqual(["one", "three"]);
});

test("one that cannot be recorded takes none of the others along (slow)", async () => {
  const house = await startHouse();
  await using posthorn = house.posthorn;
  for (const name of ["one", "two", "three"]) await bring(house, about(name));
  const read = await claimed(house, ["one", 2n, "three"]);
  const outcomes = await Promise.allSettled(read.map((one) => posthorn.store.writeTogether(settleEach, one)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await posthorn.events()).map(({ data }) => data["body"]).sort()).toEqual(["one", "three"]);
});

test("a new sender who writes twice becomes one contact, and what we have sent ourselves has none, in its own workspace alone (slow)", async () => {
  const house = await startHouse();
  await using posthorn = house.posthorn;
  await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const { body } = await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  const ours = LETTER.replace("first@elsewhere.test", `${body.data.emails[0].email}@example.test`);
  await bring(house, LETTER);
  await bring(house, LETTER);
  await bring(house, ours, { to: ["help@example.test", "help@other.test"] });
  await posthorn.settle();
  const { store } = posthorn;
  const rows = await store.read(
    (reader) =>
      reader.all`
      select w.name, p.email from emails e join workspaces w on w.seq = e.workspace left join contacts p on p.seq = e.contact
      where e.status = 'RECEIVED' order by w.name, p.email is null`,
  );
  expect(rows).toEqual([
    { name: "default", email: "ada@elsewhere.test" },
    { name: "default", email: "ada@elsewhere.test" },
    { name: "default", email: null },
    { name: "other", email: "ada@elsewhere.test" },
  ]);
});

// Messages that are handed in at the same moment: they are stored together, and each is answered as if it had come
// alone.
import { expect, test } from "bun:test";
import { acceptHandedIn } from "../../src/mail/smtp/acceptance.ts";
import { sharing } from "../../src/store/shared-tx.ts";
import { readSubmitted } from "../../src/mail/smtp/submitted.ts";
import { dialogue, plainToken } from "../support/smtp-dialogue.ts";
import { envelope, idsIn, startSubmission, submit } from "../support/submission.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";

const acceptEach = sharing(acceptHandedIn);

const LETTER = "From: Ada <ada@example.test>\nTo: bob@example.com\nSubject: Hi\n\nHello\n";

const named = (id: string, letter = LETTER) => `Message-ID: <${id}@ada>\n${letter}`;
const keyed = (key: string, letter = LETTER) => `Idempotency-Key: ${key}\n${letter}`;
const codeOf = (reply: string) => reply.slice(0, 9);

test("forty at once: each gets its own mails, its own refusal, or the ids of the one that it repeats (slow)", async () => {
  const open = await startSubmission({ config: { smtp: { connectionsPerAddress: 100 } } });
  await using posthorn = open.posthorn;
  const scoped = await addKeys(posthorn, { domains: ["other.test"] });
  const wishes = Array.from({ length: 8 }, (_, n) => [
    submit(open, named(`own-${n}`), { to: [`u${n}@example.com`, "shared@example.com"] }),
    submit(open, named("same"), { to: ["once@example.com", "shared@example.com"] }),
    submit(open, keyed("one key", LETTER.replace("Hello", n === 0 ? "Hello" : "Another")), { to: ["key@example.com"] }),
    submit(open, LETTER.replace("ada@example.test", "me@elsewhere.test"), { to: ["nobody@example.com"] }),
    submit(open, LETTER, { to: ["nobody@example.com"], key: scoped.secret }),
  ]).flat();
  const replies = await Promise.all(wishes);
  const every = (at: number) => replies.filter((_, index) => index % 5 === at);
  expect([0, 1, 3, 4].map((at) => new Set(every(at).map(codeOf)))).toEqual(
    ["250 2.6.0", "250 2.6.0", "550 5.7.1", "550 5.7.1"].map((code) => new Set([code])),
  );
  // Whichever of them came first: the seven others with its key say the same, or something else.
  const [hello = "", ...another] = every(2).map(codeOf);
  expect([[hello, new Set(another)]]).toContainEqual(
    hello === "250 2.6.0" ? ["250 2.6.0", new Set(["550 5.6.0"])] : ["550 5.6.0", new Set(["250 2.6.0"])],
  );
  expect([new Set(every(0).flatMap(idsIn)).size, new Set(every(1).map((reply) => idsIn(reply).join())).size]).toEqual([
    16, 1,
  ]);
  await posthorn.settle();
  const sentTo = posthorn.transport.sent.map(({ envelope }) => envelope.recipient.split("@")[0] ?? "").sort();
  const own = Array.from({ length: 8 }, (_, n) => [`u${n}`, "shared"]).flat();
  expect(sentTo).toEqual([...own, "once", "shared", "key"].sort());
  expect((await posthorn.call("GET /contacts?search=nobody")).body.total).toBe(0);
});

test("one that cannot be stored takes none of the others along", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const messages = ["one", "two", "three"].map((name) => {
    const submitted = readSubmitted(Buffer.from(named(name).replaceAll("\n", "\r\n")), posthorn.clock.nowMs());
    const subject = name === "two" ? (null as never) : submitted.subject;
    const { secret: key } = posthorn.keys;
    return {
      key,
      client: null,
      submitted: { ...submitted, subject },
      recipients: [`${name}@example.com`],
      tracking: false,
    };
  });
  const outcomes = await Promise.allSettled(messages.map((one) => posthorn.store.writeTogether(acceptEach, one)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await submit(open, named("two"), { to: ["two@example.com"] })).slice(0, 3)).toBe("250");
  expect((await posthorn.call("GET /emails")).body.total).toBe(3);
});

test("of a message that is refused its name is free again, also for one that came with it", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const bytes = (text: string) => Buffer.from(text.replaceAll("\n", "\r\n"));
  const handIn = (letter: string, recipients: readonly string[]) => {
    const submitted = readSubmitted(bytes(letter), posthorn.clock.nowMs());
    return { key: posthorn.keys.secret, client: null, submitted, recipients, tracking: false };
  };
  const [first, second, third] = await posthorn.store.write((tx) =>
    acceptEach(tx, [
      handIn(keyed("key"), ["ada@example.com"]),
      handIn(keyed("key", LETTER.replace("Hello", "Other")), ["ada@example.com", "bob@example.com"]),
      handIn(keyed("key"), ["ada@example.com", "bob@example.com"]),
    ]),
  );
  expect(second).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  expect([(third as readonly string[])[0], (third as readonly string[]).length]).toEqual([
    (first as readonly string[])[0] ?? "",
    2,
  ]);
  expect((await posthorn.call("GET /emails")).body.total).toBe(2);
});

test("a client that stops in the middle of its message keeps nobody else waiting", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const words = { token: plainToken(posthorn.keys.secret) };
  const act = async () => expect((await submit(open, named("other"))).slice(0, 3)).toBe("250");
  await dialogue(
    { port: open.ports.starttls, words, act },
    `${envelope("bob@example.com")}\nC+ From: ada@example.test\\r\\n\nDO\nC+ \\r\\nHi\\r\\n.\\r\\n\nS: 250`,
  );
});

test("two workspaces with the same names at the same moment know nothing of each other", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const replies = await Promise.all([
    submit(open, keyed("same")),
    submit(open, keyed("same", LETTER.replace("example.test", "other.test")), { key: other.secret }),
  ]);
  const [[ours = ""], [theirs = ""]] = replies.map(idsIn) as [string[], string[]];
  const headers = { authorization: `Bearer ${other.secret}` };
  expect((await posthorn.call(`GET /emails/${ours}`)).status).toBe(200);
  expect((await posthorn.call(`GET /emails/${theirs}`)).status).toBe(404);
  expect((await posthorn.call(`GET /emails/${theirs}`, undefined, headers)).status).toBe(200);
});

// Addresses to try with: mail to them never leaves, and comes to what its address says.
import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { withSimulator } from "../../src/sending/carrier/transport/simulated.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { RecordingTransport } from "../support/transport.ts";
import { workspace } from "../support/workspace.ts";

const body = '<p>Hello <a href="https://shop.example/?c=1">there</a></p>';

type Event = { readonly name: string; readonly data: Readonly<Record<string, unknown>> };

/** What became of a mail, and which events it caused, in their order. */
async function fateOf(posthorn: Posthorn, to: string) {
  const sent = await ask(posthorn, "POST /v1/send", { body: { ...letter, body, to, subscribed: true } });
  const id = sent.body.data.emails[0].email;
  await posthorn.settle();
  const mail = (await ask(posthorn, `GET /emails/${id}`)).body;
  const { events: all } = (await ask(posthorn, "GET /events")).body;
  const events = (all as Event[]).filter(({ name }) => /^email\.|unsubscribed$/.test(name)).toReversed();
  return { mail, events };
}

describe("mail to simulator.test", () => {
  const FATES: readonly [address: string, status: string, events: readonly string[]][] = [
    ["delivered@simulator.test", "DELIVERED", ["email.sent", "email.delivery"]],
    ["Delivered+42@Simulator.Test", "DELIVERED", ["email.sent", "email.delivery"]],
    ["bounced@simulator.test", "BOUNCED", ["email.sent", "email.bounce", "contact.unsubscribed"]],
    ["soft-bounced@simulator.test", "BOUNCED", ["email.sent", "email.bounce"]],
    [
      "complained@simulator.test",
      "COMPLAINED",
      ["email.sent", "email.delivery", "email.complaint", "contact.unsubscribed"],
    ],
    ["failed@simulator.test", "FAILED", []],
    ["opened@simulator.test", "DELIVERED", ["email.sent", "email.delivery", "email.open"]],
    ["clicked@simulator.test", "DELIVERED", ["email.sent", "email.delivery", "email.open", "email.click"]],
    ["nobody@simulator.test", "BOUNCED", ["email.bounce", "contact.unsubscribed"]],
  ];

  test.each(FATES)("%s is %s", async (address, status, events) => {
    await using posthorn = await workspace({ tracking: true });
    const { mail, events: caused } = await fateOf(posthorn, address);
    expect(mail.status).toBe(status);
    expect(caused.map(({ name }) => name)).toEqual([...events]);
    expect(posthorn.transport.recipients).toEqual([]);
  });

  test("deferred@ is deferred once, and then delivered", async () => {
    await using posthorn = await workspace();
    const { mail } = await fateOf(posthorn, "deferred@simulator.test");
    expect([mail.status, mail.attempts]).toEqual(["QUEUED", 1]);
    posthorn.clock.advance(10 * MINUTE_MS);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /emails/${mail.id}`)).body).toMatchObject({ status: "DELIVERED", attempts: 2 });
  });

  test("slow@ is accepted after a while", async () => {
    const transport = withSimulator(new RecordingTransport(), 30);
    const begunAt = performance.now();
    const envelope = { returnPath: "", recipient: "slow@simulator.test" };
    const outcome = await transport.send({ id: "1", envelope, raw: Buffer.alloc(0) });
    expect(outcome.kind).toBe("accepted");
    expect(performance.now() - begunAt).toBeGreaterThan(25);
  });

  test("more than a few slow ones are accepted at once, and hold up nothing", async () => {
    const transport = withSimulator(new RecordingTransport(), 30);
    const send = (id: number) =>
      transport.send({
        id: `${id}`,
        envelope: { returnPath: "", recipient: "slow@simulator.test" },
        raw: Buffer.alloc(0),
      });
    let slow = 0;
    const slowOnes = [0, 1, 2, 3].map((id) => send(id).then(() => slow++));
    expect((await send(4)).kind).toBe("accepted");
    expect(slow).toBe(0);
    await Promise.all(slowOnes);
  });

  test("the click is on the first link as it stands in the content", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { events } = await fateOf(posthorn, "clicked@simulator.test");
    expect(events.at(-1)?.data).toMatchObject({ link: "https://shop.example/?c=1", isFirstClick: true });
  });

  test("opens and clicks are not seen where the workspace does not look for them", async () => {
    await using posthorn = await workspace();
    const { mail } = await fateOf(posthorn, "clicked@simulator.test");
    expect(mail).toMatchObject({ status: "DELIVERED", opens: 0, clicks: 0 });
  });

  test("says nothing about the workspace as a sender", async () => {
    await using posthorn = await workspace();
    for (const name of ["bounced", "complained", "delivered", "nobody"])
      await fateOf(posthorn, `${name}@simulator.test`);
    await fateOf(posthorn, "ada@example.com");
    expect((await ask(posthorn, "GET /workspace/health")).body).toMatchObject({
      sentCount: 1,
      bouncedCount: 0,
      complainedCount: 0,
    });
  });
});

// POST /v1/send, many at the same moment: they are stored together, and each is answered as if it had come alone.
import { expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { workspace } from "../support/workspace.ts";

test("forty at once: each gets its own mail, its own refusal, or the stored answer of its key (slow)", async () => {
  await using posthorn = await workspace();
  await posthorn.call("POST /contacts", { email: "out@example.com", subscribed: false });
  const { body: template } = await posthorn.call("POST /templates", {
    ...{ name: "News", subject: "News", body: "<p>Hi {{ name ?? 'you' }}</p>", type: "MARKETING" },
    from: letter.from,
  });
  const send = (changes: object, key?: string) =>
    posthorn.call("POST /v1/send", { ...letter, ...changes }, key ? { "idempotency-key": key } : {});
  const wishes = Array.from({ length: 10 }, (_, n) => [
    send({ to: `u${n}@example.com`, data: { name: `U${n}` }, persistent: true }),
    send({ to: ["shared@example.com", `v${n}@example.com`] }),
    send({ to: "nobody@example.com", from: "me@elsewhere.test" }),
    send({ to: "out@example.com", template: template.id, from: undefined, subject: undefined, body: undefined }),
    send({ to: "once@example.com" }, "the same"),
  ]).flat();
  const replies = await Promise.all(wishes);
  const said = replies.map(({ status, body }) => body.error?.code ?? `${status} ${body.data.emails.length}`);
  expect(said).toEqual(
    Array.from({ length: 10 }, () => ["200 1", "200 2", "DOMAIN_NOT_VERIFIED", "CONTACT_UNSUBSCRIBED", "200 1"]).flat(),
  );
  const once = replies.filter((_, index) => index % 5 === 4).map(({ body }) => body.data.emails[0].email);
  expect(new Set(once).size).toBe(1);
  await posthorn.settle();
  const sentTo = posthorn.transport.sent.map(({ envelope }) => envelope.recipient).toSorted();
  const expected = Array.from({ length: 10 }, (_, n) => [
    `u${n}@example.com`,
    `v${n}@example.com`,
    "shared@example.com",
  ]);
  expect(sentTo).toEqual([...expected.flat(), "once@example.com"].toSorted());
  const names = await Promise.all(
    replies
      .filter((_, index) => index % 5 === 0)
      .map(({ body }) => posthorn.call(`GET /contacts/${body.data.emails[0].contact.id}`)),
  );
  expect(names.map(({ body }) => body.data.name)).toEqual(Array.from({ length: 10 }, (_, n) => `U${n}`));
  const { body: nobody } = await posthorn.call("GET /contacts?search=nobody");
  expect(nobody.total).toBe(0);
});

// What clients made for other servers, or in other languages, ask and send.
import { expect, test } from "bun:test";
import { addReaders } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";

/** For rows that change nothing. */
const shared = sharedPosthorn();

test("calls have the paths and methods of other servers, too", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 1);
  const event = { email: "ada@example.com", event: "seen" };
  const tracked = await ask(posthorn, "POST /events/track", { body: event });
  expect([tracked.status, Object.keys(tracked.body.data)]).toEqual([200, ["contact", "event", "timestamp"]]);
  const byPublicKey = await ask(posthorn, "POST /events/track", { key: "public", body: event });
  expect(byPublicKey.status).toBe(401);
  const [domain] = (await ask(posthorn, "GET /domains")).body.data;
  expect((await ask(posthorn, `GET /domains/${domain.id}/verify`)).body).toMatchObject({ id: domain.id });
  const segment = { name: "Readers", condition: { groups: [{ filters: [{ field: "subscribed", value: true }] }] } };
  const { id } = (await ask(posthorn, "POST /segments", { body: segment })).body;
  for (const method of ["GET", "POST"])
    expect((await ask(posthorn, `${method} /segments/${id}/refresh`)).body).toMatchObject({ added: 0, removed: 0 });
  const news = { name: "News", subject: "News", body: "<p>News</p>", type: "TRANSACTIONAL" };
  const template = (await ask(posthorn, "POST /templates", { body: news })).body.id;
  expect((await ask(posthorn, `GET /templates/${template}/usage`)).body).toEqual({ workflows: [] });
});

test("a body whose keys come in another order is the same under an Idempotency-Key; one whose items do is not", async () => {
  await using posthorn = await startPosthorn();
  const send = (body: object) =>
    ask(posthorn, "POST /v1/send", { body: { ...letter, ...body }, headers: { "idempotency-key": "once" } });
  const first = await send({ data: { a: 1, b: { c: [1, 2], d: null } } });
  const again = await send({ data: { b: { d: null, c: [1, 2] }, a: 1 } });
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const other = await send({ data: { a: 1, b: { c: [2, 1], d: null } } });
  expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
});

test.each([
  ['{"order":9007199254740993}', "data.order"],
  ['{"orders":[1,{"id":-12345678901234567890}]}', "data.orders.1.id"],
  ['{"price":9007199254740993.0}', "data.price"],
  ['{"far":1e400}', "data.far"],
])("a number that would lose digits is refused: %s", async (data, field) => {
  const posthorn = shared();
  for (const route of ["/v1/track", "/contacts"]) {
    const body = `{"email":"ada@example.com","event":"seen","data":${data}}`;
    const reply = await ask(posthorn, `POST ${route}`, { body });
    expect([reply.status, reply.body.error.errors]).toEqual([
      422,
      [expect.objectContaining({ field, code: "too_big" })],
    ]);
  }
});

test("a number that loses none is taken, and so are long digits in texts and fractions", async () => {
  await using posthorn = await startPosthorn();
  const data = '{"most":9007199254740991,"text":"12345678901234567890 \\" 1","pi":3.14159265358979323846,"far":1e300}';
  const { status, body } = await ask(posthorn, "POST /contacts", {
    body: `{"email":"ada@example.com","data":${data}}`,
  });
  expect(status).toBe(201);
  expect(body.data).toEqual({
    ...{ most: 9007199254740991, text: '12345678901234567890 " 1' },
    ...{ pi: 3.141592653589793, far: 1e300 },
  });
});

test("a campaign's sending answers how many it goes to, and who leaves a moment later has a row that says so", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 6);
  const written = {
    name: "News",
    subject: "News",
    body: "<p>News</p>",
    from: "hello@example.test",
    audienceType: "ALL",
  };
  const { id } = (await ask(posthorn, "POST /campaigns", { body: written })).body.data;
  const { body } = await ask(posthorn, `POST /campaigns/${id}/send`, { body: {} });
  expect(body.data).toMatchObject({ status: "SENDING", totalRecipients: 6, totalIsEstimate: false });
  const [one, two] = (await ask(posthorn, "GET /contacts")).body.data;
  await ask(posthorn, `PATCH /contacts/${one.id}`, { body: { subscribed: false } });
  await ask(posthorn, `DELETE /contacts/${two.id}`);
  await posthorn.settle();
  const statistics = (await ask(posthorn, `GET /campaigns/${id}/stats`)).body.data;
  expect(statistics).toMatchObject({ totalRecipients: 6, sentCount: 4, skippedCount: 2 });
});

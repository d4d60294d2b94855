// Two suppressions of one address, of different strength and end: side by side, and the strongest that has not ended
// counts.
import { describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../src/base/clock.ts";
import { uploadSuppressions } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ada = "ada@example.com";
const in30Days = (posthorn: Posthorn) => iso(posthorn.clock.nowMs() + 30 * DAY_MS);
const add = async (posthorn: Posthorn, body: object) =>
  (await ask(posthorn, "POST /suppressions", { body: { address: ada, ...body } })).body;
const inForce = async (posthorn: Posthorn) =>
  (await ask(posthorn, `GET /suppressions?address=${ada}`)).body.data.map(
    ({ reason, scope }: Json) => `${reason} ${scope}`,
  );
const contact = async (posthorn: Posthorn) => {
  const { body } = await ask(posthorn, `GET /contacts/by-email/${ada}`);
  return [body.suppressed, body.subscribed];
};
const sent = async (posthorn: Posthorn, body: object = {}) =>
  (await posthorn.call("POST /v1/send", { ...letter, to: ada, ...body })).status;

async function marketing(posthorn: Posthorn): Promise<object> {
  const template = { name: "News", subject: "News", body: "<p>News</p>", type: "MARKETING" };
  const { id } = (await ask(posthorn, "POST /templates", { body: template })).body;
  return { template: id, subject: null, body: null };
}

const SHORT = (posthorn: Posthorn) => ({ scope: "all", reason: "soft-bounces", until: in30Days(posthorn) });
const LONG = { scope: "marketing", reason: "complaint" };

describe("all mail for 30 days, and marketing mail for good", () => {
  for (const order of ["the shorter first", "the longer first"])
    test(`stay side by side, ${order}`, async () => {
      await using posthorn = await workspace();
      const news = await marketing(posthorn);
      await ask(posthorn, "POST /contacts", { body: { email: ada } });
      const both = [SHORT(posthorn), LONG];
      for (const one of order === "the shorter first" ? both : both.toReversed())
        expect((await add(posthorn, one))._meta.isNew).toBe(true);
      expect((await inForce(posthorn)).toSorted()).toEqual(["complaint marketing", "soft-bounces all"]);
      expect(await contact(posthorn)).toEqual(["soft-bounces", true]);
      expect([await sent(posthorn), await sent(posthorn, news)]).toEqual([400, 400]);
      posthorn.clock.advance(31 * DAY_MS);
      // Before the one that has ended is lifted, too.
      expect([await sent(posthorn), await sent(posthorn, news)]).toEqual([200, 400]);
      await posthorn.settle();
      expect(posthorn.transport.recipients).toEqual([ada]);
      expect(await inForce(posthorn)).toEqual(["complaint marketing"]);
      expect(await contact(posthorn)).toEqual(["complaint", true]);
      expect([await sent(posthorn), await sent(posthorn, news)]).toEqual([200, 400]);
    });

  test("are lifted one by one, each by its id, and are answered so", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: ada } });
    const [short, long] = [await add(posthorn, SHORT(posthorn)), await add(posthorn, LONG)];
    expect((await ask(posthorn, `GET /suppressions/${short.id}`)).body).toMatchObject({ scope: "all" });
    expect((await ask(posthorn, `GET /suppressions/${long.id}`)).body).toMatchObject({ scope: "marketing" });
    await ask(posthorn, `DELETE /suppressions/${short.id}`);
    expect([await contact(posthorn), await inForce(posthorn)]).toEqual([["complaint", true], ["complaint marketing"]]);
    await ask(posthorn, `DELETE /suppressions/${long.id}`);
    expect(await contact(posthorn)).toEqual([null, true]);
  });

  test("are both lifted with the contact's, and of a manual one by nobody who subscribes", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ada, subscribed: false } })).body;
    await add(posthorn, SHORT(posthorn));
    await add(posthorn, { ...LONG, reason: "manual" });
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: true } });
    expect([await contact(posthorn), await inForce(posthorn)]).toEqual([["manual", true], ["manual marketing"]]);
    await add(posthorn, SHORT(posthorn));
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { suppressed: false } });
    expect([await contact(posthorn), await inForce(posthorn)]).toEqual([[null, true], []]);
  });

  test("are found by a new contact, and of the two what may be is lifted as a key subscribes it", async () => {
    await using posthorn = await workspace();
    await add(posthorn, SHORT(posthorn));
    await add(posthorn, { ...LONG, reason: "manual" });
    const made = (await ask(posthorn, "POST /contacts", { body: { email: ada, subscribed: true } })).body;
    expect([made.suppressed, await contact(posthorn)]).toEqual(["manual", ["manual", true]]);
    expect(await inForce(posthorn)).toEqual(["manual marketing"]);
  });

  test("come back as both after an erasure", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    await add(posthorn, SHORT(posthorn));
    await add(posthorn, LONG);
    await ask(posthorn, `DELETE /contacts/${id}`);
    await posthorn.settle();
    expect(await sent(posthorn)).toBe(400);
    await ask(posthorn, "POST /contacts", { body: { email: ada, subscribed: false } });
    expect((await inForce(posthorn)).toSorted()).toEqual(["complaint marketing", "soft-bounces all"]);
    expect(await contact(posthorn)).toEqual(["soft-bounces", false]);
  });

  test("are each a row of the file, and of a file", async () => {
    await using posthorn = await workspace();
    const file = `address,scope,until\n${ada},all,${in30Days(posthorn)}\n${ada},marketing,\n${ada},marketing,\n`;
    const job = await uploadSuppressions(posthorn, file, {});
    await posthorn.settle();
    const done = (await ask(posthorn, `GET /suppressions/imports/${job.body.jobId}`)).body;
    expect(done).toMatchObject({ status: "COMPLETED", result: { addedCount: 2, unchangedCount: 1 } });
    const rows = (await posthorn.call("GET /suppressions/export")).body.trim().split(/\r?\n/);
    expect(rows.slice(1).map((row: string) => row.split(",").slice(0, 3))).toHaveLength(2);
  });
});

describe("what covers the other", () => {
  test("takes its place, and what it covers changes nothing", async () => {
    await using posthorn = await workspace();
    const first = await add(posthorn, { scope: "marketing", until: in30Days(posthorn) });
    const wider = await add(posthorn, { scope: "all", reason: "bounce" });
    expect([wider.id, wider.scope, wider.until]).toEqual([first.id, "all", null]);
    expect(await add(posthorn, { scope: "marketing" })).toMatchObject({
      id: first.id,
      scope: "all",
      _meta: { isNew: false },
    });
    expect(await inForce(posthorn)).toEqual(["bounce all"]);
  });

  test("a mail that was accepted before is held to the one that has not ended", async () => {
    await using posthorn = await workspace();
    const sendAt = iso(posthorn.clock.nowMs() + 31 * DAY_MS);
    expect(await sent(posthorn, { sendAt })).toBe(200);
    await add(posthorn, SHORT(posthorn));
    await add(posthorn, LONG);
    posthorn.clock.advance(31 * DAY_MS);
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual([ada]);
  });

  test("of a domain it is the same", async () => {
    await using posthorn = await workspace();
    const domain = { address: undefined, domain: "example.com" };
    await add(posthorn, { ...SHORT(posthorn), ...domain });
    await add(posthorn, { ...LONG, ...domain });
    expect(await sent(posthorn)).toBe(400);
    posthorn.clock.advance(31 * DAY_MS);
    await posthorn.settle();
    expect([await sent(posthorn), await sent(posthorn, { ...(await marketing(posthorn)), subscribed: true })]).toEqual([
      200, 400,
    ]);
  });
});

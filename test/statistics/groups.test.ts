// Counts of mails by template, campaign and the provider of the recipient's mailbox.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
let template: string;
let campaign: string;
const FROM = "hello@example.test";

beforeAll(async () => {
  posthorn = await workspace();
  const words = { name: "Receipt", subject: "Your receipt", body: "<p>Thanks</p>", type: "TRANSACTIONAL", from: FROM };
  template = (await ask(posthorn, "POST /templates", { body: words })).body.id;
  const to = ["ada@gmail.com", "bob@googlemail.com", "eve@hotmail.com", "kim@shop.example"];
  await ask(posthorn, "POST /v1/send", { body: { to, template, from: FROM, subscribed: true } });
  await posthorn.settle();
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("eve")
      ? { kind: "bounced", reply: "550 5.1.1 No" }
      : { kind: "accepted", reply: "250 Ok" };
  const body = { name: "News", subject: "News", body: "<p>New</p>", from: FROM, audienceType: "ALL" };
  campaign = (await ask(posthorn, "POST /campaigns", { body })).body.data.id;
  await ask(posthorn, `POST /campaigns/${campaign}/send`, { body: {} });
  await posthorn.settle();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function counted(by: string): Promise<Json> {
  const { body } = await ask(posthorn, `GET /statistics/mails?from=2026-03-01&to=2026-03-03&by=${by}`);
  const few = ({ group, totals: { accepted, sent, bounced } }: Json) => [group, { accepted, sent, bounced }];
  return Object.fromEntries(body.series.map(few));
}

test("a mail counts for its template, its campaign and its provider", async () => {
  expect(await counted("template")).toEqual({ [template]: { accepted: 4, sent: 4, bounced: 0 } });
  expect(await counted("campaign")).toEqual({ [campaign]: { accepted: 4, sent: 3, bounced: 1 } });
  expect(await counted("provider")).toEqual({
    gmail: { accepted: 4, sent: 4, bounced: 0 },
    outlook: { accepted: 2, sent: 1, bounced: 1 },
    other: { accepted: 2, sent: 2, bounced: 0 },
  });
});

test("days that begin within an hour have the same counts", async () => {
  const sent = async (timeZone: string) => {
    const query = `from=2026-02-28&to=2026-03-03&by=provider&timeZone=${timeZone}`;
    const { series } = (await ask(posthorn, `GET /statistics/mails?${query}`)).body;
    return series.map(({ group, totals }: Json) => [group, totals.sent]);
  };
  expect(await sent("Asia/Kolkata")).toEqual(await sent("Europe/Berlin"));
});

test("what failed or was taken back counts by group too", async () => {
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 Spam" });
  await ask(posthorn, "POST /v1/send", { body: { to: "max@yahoo.de", template, from: FROM } });
  await posthorn.settle();
  const { body } = await ask(posthorn, "POST /v1/send", { body: { to: "mia@yahoo.com", template, from: FROM } });
  await ask(posthorn, `DELETE /emails/${body.data.emails[0].email}`);
  await posthorn.settle();
  const { series } = (await ask(posthorn, "GET /statistics/mails?from=2026-03-01&to=2026-03-03&by=provider")).body;
  const yahoo = series.find(({ group }: Json) => group === "yahoo");
  expect(yahoo.totals).toMatchObject({ accepted: 2, failed: 1, cancelled: 1, sent: 0 });
});

test("the mails of a provider can be listed", async () => {
  const list = async (query: string) =>
    (await ask(posthorn, `GET /emails?limit=50&${query}`)).body.data.map(({ to }: Json) => to).sort();
  expect(await list("provider=outlook")).toEqual(["eve@hotmail.com", "eve@hotmail.com"]);
  expect(await list(`provider=other&templateId=${template}`)).toEqual(["kim@shop.example"]);
  expect((await ask(posthorn, "GET /emails?provider=pigeon")).status).toBe(400);
});

test("a mail that is sent again counts for its template, and for no campaign", async () => {
  const before = { template: await counted("template"), campaign: await counted("campaign") };
  for (const filter of [`campaignId=${campaign}`, `templateId=${template}&status=SENT`]) {
    const [mail] = (await ask(posthorn, `GET /emails?${filter}`)).body.data;
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    await ask(posthorn, `POST /emails/${mail.id}/resend`);
    await posthorn.settle();
  }
  const { accepted, sent, bounced } = before.template[template];
  expect(await counted("template")).toEqual({ [template]: { accepted: accepted + 1, sent: sent + 1, bounced } });
  expect(await counted("campaign")).toEqual(before.campaign);
});

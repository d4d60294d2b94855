// Suppressions as a resource: addresses and domains that get no mail, or no marketing mail.
import { describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../src/base/clock.ts";
import { returned } from "../support/suppressed.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { addReaders, send as sendCampaign } from "../support/campaigns.ts";
import { uploadSuppressions } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import { firstOwner } from "../support/people.ts";
import { ask, everything, refusedFields, scenarios } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ada = "ada@example.com";

scenarios("POST /suppressions", [
  {
    name: "suppresses an address, in its stored form, without making a contact",
    request: "POST /suppressions",
    body: { address: " Ada@EXAMPLE.com", note: " Asked us by phone. " },
    status: 201,
    answer: {
      ...{ address: ada, domain: null, reason: "manual", scope: "all", until: null, note: "Asked us by phone." },
      ...{ contactId: null, _meta: { isNew: true } },
    },
  },
  {
    name: "suppresses a domain for marketing mail, until a moment",
    request: "POST /suppressions",
    body: { domain: "Example.NET.", scope: "marketing", until: "2026-12-01T00:00:00+01:00", reason: "import" },
    status: 201,
    answer: { address: null, domain: "example.net", scope: "marketing", until: "2026-11-30T23:00:00.000Z" },
  },
  {
    name: "never weakens what is suppressed already",
    given: [["POST /suppressions", { address: ada, reason: "bounce" }]],
    request: "POST /suppressions",
    body: { address: ada, scope: "marketing", until: "2027-01-01" },
    status: 200,
    answer: { id: "$0.id", reason: "bounce", scope: "all", until: null, _meta: { isNew: false } },
  },
  {
    name: "widens it, and a complaint stays one",
    given: [["POST /suppressions", { address: ada, reason: "complaint", scope: "marketing", until: "2027-01-01" }]],
    request: "POST /suppressions",
    body: { address: ada, reason: "bounce", note: "Gone" },
    status: 200,
    answer: { reason: "complaint", scope: "all", until: null, note: "Gone" },
  },
  {
    name: "refuses what is neither, both, no domain, over, or only for the erased",
    request: "POST /suppressions",
    body: { domain: "nowhere", until: "2020-01-01" },
    status: 422,
    fields: { domain: "invalid_domain", until: "in_the_past" },
  },
  { name: "needs one", request: "POST /suppressions", body: {}, status: 422, fields: { address: "required" } },
  {
    name: "takes one",
    request: "POST /suppressions",
    body: { address: ada, domain: "example.com" },
    status: 422,
    fields: { domain: "conflict" },
  },
  {
    name: "leaves it to erasures to say that somebody was erased",
    request: "POST /suppressions",
    body: { address: ada, reason: "erased" },
    status: 422,
    fields: { reason: "invalid" },
  },
]);

const addresses = ({ body }: Json): string[] => body.data.map((one: Json) => one.address ?? one.domain);

describe("the list", () => {
  test("goes on by a cursor, newest first, and is searched and filtered", async () => {
    await using posthorn = await workspace();
    const add = (body: object) => ask(posthorn, "POST /suppressions", { body });
    for (let n = 1; n <= 5; n++) await add({ address: `p${n}@example.com`, reason: n === 3 ? "complaint" : "bounce" });
    await add({ domain: "example.com", scope: "marketing" });
    const list = (query: string) => ask(posthorn, `GET /suppressions?${query}`);
    const first = await list("limit=4");
    expect(first.body).toMatchObject({ total: 6, hasMore: true });
    expect(addresses(first)).toEqual(["example.com", "p5@example.com", "p4@example.com", "p3@example.com"]);
    const second = await list(`limit=4&cursor=${first.body.cursor}`);
    expect(second.body).toMatchObject({ cursor: null, hasMore: false });
    expect(addresses(second)).toEqual(["p2@example.com", "p1@example.com"]);
    expect(addresses(await list("search=P3@"))).toEqual(["p3@example.com"]);
    expect((await list("reason=bounce")).body.total).toBe(4);
    expect(addresses(await list("scope=marketing"))).toEqual(["example.com"]);
    expect(addresses(await list("kind=domain&search=example"))).toEqual(["example.com"]);
    expect((await list("cursor=nonsense")).status).toBe(400);
    expect((await ask(posthorn, "GET /suppressions/counts")).body).toMatchObject({
      ...{ total: 6, domains: 1, reasons: { bounce: 4, complaint: 1, manual: 1, "soft-bounces": 0, erased: 0 } },
    });
  });

  test("names the contact, and answers what suppresses an address", async () => {
    await using posthorn = await workspace();
    const person = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    const { id } = (await ask(posthorn, "POST /suppressions", { body: { address: ada } })).body;
    await ask(posthorn, "POST /suppressions", { body: { domain: "example.com", scope: "marketing" } });
    expect((await ask(posthorn, `GET /suppressions/${id}`)).body).toMatchObject({ contactId: person.id });
    expect(addresses(await ask(posthorn, `GET /suppressions?address=${ada}`))).toEqual(["example.com", ada]);
    expect(addresses(await ask(posthorn, "GET /suppressions?address=bob@example.com"))).toEqual(["example.com"]);
    expect(addresses(await ask(posthorn, "GET /suppressions?address=nonsense"))).toEqual([]);
  });
});

async function suppressedAs(posthorn: Posthorn, email: string) {
  const { body } = await ask(posthorn, `GET /contacts/by-email/${email}`);
  return [body.suppressed, body.subscribed];
}

describe("a contact", () => {
  test("is suppressed and freed with its address, and keeps its subscription", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: ada } });
    const { id } = (await ask(posthorn, "POST /suppressions", { body: { address: ada } })).body;
    expect(await suppressedAs(posthorn, ada)).toEqual(["manual", true]);
    expect((await ask(posthorn, "GET /contacts?status=SUPPRESSED")).body.total).toBe(1);
    for (const email of ["bo@example.com", "cy@example.com"])
      await ask(posthorn, "POST /contacts", { body: { email } });
    // Of a list that goes on, the total is counted by itself.
    for (const limit of [1, 20])
      expect((await ask(posthorn, `GET /contacts?status=SUBSCRIBED&limit=${limit}`)).body.total).toBe(2);
    expect((await ask(posthorn, `DELETE /suppressions/${id}`)).status).toBe(204);
    expect(await suppressedAs(posthorn, ada)).toEqual([null, true]);
    expect((await ask(posthorn, `DELETE /suppressions/${id}`)).body.error.code).toBe("SUPPRESSION_NOT_FOUND");
  });

  test("finds its address suppressed when it is made, and when it moves there", async () => {
    await using posthorn = await workspace();
    for (const reason of ["manual", "bounce"])
      await ask(posthorn, "POST /suppressions", { body: { address: `${reason}@example.com`, reason } });
    for (const reason of ["manual", "bounce"])
      await ask(posthorn, "POST /contacts", { body: { email: `${reason}@example.com` } });
    expect(await suppressedAs(posthorn, "manual@example.com")).toEqual(["manual", true]);
    expect(await suppressedAs(posthorn, "bounce@example.com")).toEqual(["bounce", false]);
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    await ask(posthorn, "POST /suppressions", { body: { address: "new@example.com", reason: "import" } });
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: "new@example.com" } });
    expect(await suppressedAs(posthorn, "new@example.com")).toEqual(["import", true]);
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: ada } });
    expect(await suppressedAs(posthorn, ada)).toEqual([null, true]);
  });

  test("that subscribes again lifts a bounce, and not what a person decided", async () => {
    await using posthorn = await workspace();
    for (const reason of ["manual", "bounce"] as const) {
      const email = `${reason}@example.com`;
      await ask(posthorn, "POST /contacts", { body: { email, subscribed: false } });
      await ask(posthorn, "POST /suppressions", { body: { address: email, reason } });
      await ask(posthorn, "POST /contacts", { body: { email, subscribed: true } });
    }
    expect(await suppressedAs(posthorn, "bounce@example.com")).toEqual([null, true]);
    expect(await suppressedAs(posthorn, "manual@example.com")).toEqual(["manual", true]);
    expect(addresses(await ask(posthorn, "GET /suppressions"))).toEqual(["manual@example.com"]);
    const { id } = (await ask(posthorn, "GET /contacts/by-email/manual@example.com")).body;
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { suppressed: false } });
    expect(addresses(await ask(posthorn, "GET /suppressions"))).toEqual([]);
  });

  test("that is erased leaves a hash, which is the address again when it comes back", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    const made = (await ask(posthorn, "POST /suppressions", { body: { address: ada, note: "Her boss called" } })).body;
    await ask(posthorn, `DELETE /contacts/${id}`);
    const [erased] = (await ask(posthorn, "GET /suppressions")).body.data;
    expect(erased).toMatchObject({ id: made.id, address: null, domain: null, reason: "erased", note: null });
    expect((await ask(posthorn, "GET /suppressions?search=a")).body.total).toBe(0);
    expect((await ask(posthorn, "POST /suppressions", { body: { address: ada } })).body.id).toBe(made.id);
    await ask(posthorn, "POST /contacts", { body: { email: ada } });
    expect((await suppressedAs(posthorn, ada))[0]).toBe("manual");
  });
});

test("what has run out is lifted by itself", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: ada } });
  const until = iso(posthorn.clock.nowMs() + DAY_MS);
  const { id } = (await ask(posthorn, "POST /suppressions", { body: { address: ada, until } })).body;
  await posthorn.settle();
  expect(await suppressedAs(posthorn, ada)).toEqual(["manual", true]);
  posthorn.clock.advance(DAY_MS);
  expect(addresses(await ask(posthorn, `GET /suppressions?address=${ada}`))).toEqual([]);
  await posthorn.settle();
  expect(await suppressedAs(posthorn, ada)).toEqual([null, true]);
  expect((await ask(posthorn, `GET /suppressions/${id}`)).status).toBe(404);
});

describe("the door", () => {
  const send = (posthorn: Posthorn, body: object = {}) =>
    ask(posthorn, "POST /v1/send", { body: { ...letter, ...body } });
  const suppress = (posthorn: Posthorn, body: object) => ask(posthorn, "POST /suppressions", { body });

  test("says of an erased person how the suppression is lifted, which no list shows", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    await suppress(posthorn, { address: ada });
    await ask(posthorn, `DELETE /contacts/${id}`);
    const { error } = (await send(posthorn)).body;
    expect(error).toMatchObject({ code: "RECIPIENT_SUPPRESSED", reason: "suppressed_erased", values: { email: ada } });
    expect(error.message).toBe(`${ada}: The address is suppressed: its person was erased.`);
    expect(error.suggestion).toContain("POST /contacts");
    expect(error.suggestion).not.toContain("GET /suppressions");
    const back = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    expect((await send(posthorn)).body.error.suggestion).toContain("GET /suppressions?address=");
    await ask(posthorn, `PATCH /contacts/${back.id}`, { body: { suppressed: false } });
    expect((await send(posthorn)).status).toBe(200);
  });

  test("refuses transactional mail where all mail is suppressed, and takes it where marketing mail is", async () => {
    await using posthorn = await workspace();
    await suppress(posthorn, { address: ada, scope: "marketing" });
    expect((await send(posthorn)).status).toBe(200);
    await suppress(posthorn, { address: ada, scope: "all" });
    const before = await everything(posthorn);
    const { status, body } = await send(posthorn, { to: ["bob@example.com", ada] });
    expect([status, body.error]).toMatchObject([400, { code: "RECIPIENT_SUPPRESSED", reason: "suppressed" }]);
    expect(body.error.message).toBe(`${ada}: The address is suppressed: somebody suppressed it by hand.`);
    expect(body.error.values.email).toBe(ada);
    expect((await send(posthorn, { to: "bob@example.com", bcc: ada })).body.error.code).toBe("RECIPIENT_SUPPRESSED");
    expect(await everything(posthorn)).toEqual(before);
    const batch = { mode: "each", emails: [{ ...letter, to: "bob@example.com" }, letter] };
    const { results } = (await ask(posthorn, "POST /v1/send/batch", { body: batch })).body.data;
    expect(results).toMatchObject([{ ok: true }, { ok: false, error: { code: "RECIPIENT_SUPPRESSED" } }]);
  });

  test("knows whole domains, addresses without a contact, and those of erased people", async () => {
    await using posthorn = await workspace();
    await suppress(posthorn, { domain: "example.org" });
    await suppress(posthorn, { address: "new@example.com" });
    const gone = (await ask(posthorn, "POST /contacts", { body: { email: "gone@example.com" } })).body;
    await suppress(posthorn, { address: gone.email, reason: "bounce" });
    await ask(posthorn, `DELETE /contacts/${gone.id}`);
    for (const to of ["eve@example.org", "new@example.com", "gone@example.com"])
      expect([to, (await send(posthorn, { to })).body.error?.code]).toEqual([to, "RECIPIENT_SUPPRESSED"]);
    expect((await send(posthorn, { to: "eve@sub.example.org" })).status).toBe(200);
    expect((await send(posthorn, { to: "gone@example.com", subscribed: true })).status).toBe(200);
    expect((await send(posthorn, { to: "gone@example.com" })).status).toBe(200);
  });

  test("takes what a full key sends all the same, which leaves and is in the audit log", async () => {
    await using posthorn = await workspace();
    await suppress(posthorn, { address: ada });
    const keys = (await ask(posthorn, "POST /keys", { body: { name: "Sender", permissions: "send" } })).body;
    const body = { ...letter, ignoreSuppression: true };
    const narrow = await ask(posthorn, "POST /v1/send", { body, key: { bearer: keys.secret } });
    expect([narrow.status, narrow.body.error.code]).toEqual([403, "FORBIDDEN"]);
    const owner = await firstOwner(posthorn);
    expect((await owner.ask("POST /v1/send", { body })).status).toBe(403);
    const { data } = (await send(posthorn, { ignoreSuppression: true })).body;
    await posthorn.settle();
    expect((await ask(posthorn, `GET /emails/${data.emails[0].email}`)).body.status).toBe("SENT");
    expect((await owner.ask("GET /audit")).body.data[0]).toMatchObject({
      action: "ignoreSuppression",
      by: { kind: "KEY" },
    });
    const marketing = { ...letter, name: "News", type: "MARKETING" };
    const template = (await ask(posthorn, "POST /templates", { body: marketing })).body.id;
    const refused = await ask(posthorn, "POST /v1/send", { body: { to: ada, template, ignoreSuppression: true } });
    expect(refusedFields(refused)).toEqual({ ignoreSuppression: "unsupported" });
  });

  test("looks again at the hand-over, for the address and its domain", async () => {
    await using posthorn = await workspace();
    const sent = await send(posthorn, { to: [ada, "eve@example.org", "bob@example.com"] });
    await suppress(posthorn, { address: ada, reason: "complaint", scope: "all" });
    await suppress(posthorn, { domain: "example.org" });
    await posthorn.settle();
    const [one, two, three] = await Promise.all(
      sent.body.data.emails.map(async ({ email }: Json) => (await ask(posthorn, `GET /emails/${email}`)).body),
    );
    expect(one).toMatchObject({
      status: "SKIPPED",
      error: "The address is suppressed: an email to it was marked as spam.",
    });
    expect(two).toMatchObject({
      status: "SKIPPED",
      error: "The domain is suppressed: somebody suppressed it by hand.",
    });
    expect(three.status).toBe("SENT");
    const again = await ask(posthorn, `POST /emails/${one.id}/resend`);
    expect(again.status).toBe(400);
  });

  test("keeps marketing mail from subscribed people whose address or domain is suppressed", async () => {
    await using posthorn = await workspace();
    const template = (await ask(posthorn, "POST /templates", { body: { ...letter, name: "News", type: "MARKETING" } }))
      .body.id;
    for (const email of [ada, "eve@example.org"]) await ask(posthorn, "POST /contacts", { body: { email } });
    await suppress(posthorn, { address: ada, scope: "marketing" });
    await suppress(posthorn, { domain: "example.org", scope: "marketing" });
    for (const to of [ada, "eve@example.org"])
      expect((await ask(posthorn, "POST /v1/send", { body: { to, template } })).body.error.code).toBe(
        "RECIPIENT_SUPPRESSED",
      );
    await addReaders(posthorn, 1);
    const campaign = await sendCampaign(posthorn);
    await posthorn.settle();
    const { body } = await ask(posthorn, `GET /campaigns/${campaign}/stats`);
    expect(body.data).toMatchObject({ totalRecipients: 1, sentCount: 1, skippedCount: 0 });
  });

  test("count as suppressed in previews, and as nobody in an audience that is frozen", async () => {
    await using posthorn = await workspace();
    const people = [
      { email: "on@example.com" },
      { email: "eve@example.org" },
      { email: "left@example.org", subscribed: false },
      { email: "off@example.com", subscribed: false },
      { email: "under@mail.example.org" },
    ];
    for (const body of people) await ask(posthorn, "POST /contacts", { body });
    await suppress(posthorn, { domain: "example.org", scope: "marketing", until: "2099-01-01" });
    const condition = { groups: [{ filters: [{ field: "email", operator: "contains", value: "example" }] }] };
    const excluded = { suppressed: 2, unsubscribed: 1, pending: 0 };
    const segment = await ask(posthorn, "POST /segments/preview", { body: { condition } });
    expect(segment.body).toMatchObject({ matched: 5, willReceive: 2, excluded });
    const audience = { audienceType: "ALL" };
    const preview = await ask(posthorn, "POST /campaigns/audience-preview", { body: audience });
    expect(preview.body.data ?? preview.body).toMatchObject({ matched: 5, willReceive: 2, excluded });
    const emailsIn = async (part: string) => {
      const { body } = await ask(posthorn, "POST /campaigns/audience-people", { body: { ...audience, part } });
      return (body.data.data ?? body.data).map(({ email }: Json) => email).sort();
    };
    expect(await emailsIn("suppressed")).toEqual(["eve@example.org", "left@example.org"]);
    expect(await emailsIn("unsubscribed")).toEqual(["off@example.com"]);
    expect(await emailsIn("willReceive")).toEqual(["on@example.com", "under@mail.example.org"]);
    const campaign = await sendCampaign(posthorn);
    await posthorn.settle();
    const { body } = await ask(posthorn, `GET /campaigns/${campaign}/stats`);
    expect(body.data).toMatchObject({ totalRecipients: 2, sentCount: 2, skippedCount: 0 });
  });

  test("of a domain that is suppressed once the audience is frozen, skips the person with the reason", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "eve@example.org" } });
    const campaign = await sendCampaign(posthorn);
    await suppress(posthorn, { domain: "example.org", scope: "marketing" });
    await posthorn.settle();
    const { body } = await ask(posthorn, `GET /campaigns/${campaign}/stats`);
    expect(body.data).toMatchObject({ totalRecipients: 1, sentCount: 0, skippedCount: 1 });
  });

  test("refuses a hard bounce's address from then on, and a complaint's by what the workspace says", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 unknown" });
    await send(posthorn);
    await posthorn.settle();
    expect((await ask(posthorn, "GET /suppressions")).body.data).toMatchObject([
      { address: ada, reason: "bounce", scope: "all", until: null },
    ]);
    expect((await send(posthorn)).body.error.code).toBe("RECIPIENT_SUPPRESSED");
  });
});

describe("soft bounces in a row", () => {
  const soft = { kind: "failed", transient: true, reply: "552 5.2.2 mailbox full" } as const;

  /** Sends a mail a day, and answers the state of each. */
  async function days(posthorn: Posthorn, count: number): Promise<string[]> {
    const states: string[] = [];
    for (let day = 0; day < count; day++) {
      const { body } = await ask(posthorn, "POST /v1/send", { body: letter });
      await posthorn.settle();
      const id = body.data?.emails[0].email;
      states.push(id ? (await ask(posthorn, `GET /emails/${id}`)).body.status : body.error.code);
      posthorn.clock.advance(DAY_MS);
    }
    return states;
  }
  const listed = async (posthorn: Posthorn) => (await ask(posthorn, "GET /suppressions")).body.data;
  const bounced = (count: number) => Array.from({ length: count }, () => "BOUNCED");

  test("suppress the address for 30 days, then 90, then for good (slow)", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => soft;
    for (const term of [30, 90, null]) {
      expect(await days(posthorn, 7)).toEqual(bounced(7));
      expect(await listed(posthorn)).toEqual([]);
      const at = posthorn.clock.nowMs();
      expect(await days(posthorn, 2)).toEqual(["BOUNCED", "RECIPIENT_SUPPRESSED"]);
      const until = term === null ? null : iso(at + term * DAY_MS);
      expect(await listed(posthorn)).toMatchObject([
        { address: letter.to, reason: "soft-bounces", scope: "all", until },
      ]);
      posthorn.clock.advance((term ?? 0) * DAY_MS);
      await posthorn.settle();
    }
    expect(await suppressedAs(posthorn, letter.to)).toEqual(["soft-bounces", false]);
  });

  test("begin anew after a mail that arrived, and leave a subscription as it is (slow)", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: letter.to } });
    posthorn.transport.answer = () => soft;
    await days(posthorn, 6);
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 ok" });
    expect(await days(posthorn, 1)).toEqual(["SENT"]);
    posthorn.transport.answer = () => soft;
    expect(await days(posthorn, 7)).toEqual(bounced(7));
    expect(await listed(posthorn)).toEqual([]);
    await days(posthorn, 1);
    expect(await suppressedAs(posthorn, letter.to)).toEqual(["soft-bounces", true]);
  });

  test("go by what the workspace says (slow)", async () => {
    await using posthorn = await workspace();
    const set = (suppressions: object) => ask(posthorn, "PATCH /workspace", { body: { suppressions } });
    expect((await set({ softBounces: 0 })).body.suppressions).toEqual({
      ...{ complaints: "marketing", softBounces: 0, softBounceDays: 7 },
    });
    posthorn.transport.answer = () => soft;
    await days(posthorn, 9);
    expect(await listed(posthorn)).toEqual([]);
    await set({ softBounces: 2, softBounceDays: 0 });
    await days(posthorn, 1);
    expect(await listed(posthorn)).toHaveLength(1);
  });
});

test("a complaint suppresses marketing mail, or all where the workspace says so", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: ada } });
  await returned(posthorn, "complaint", ada);
  const listed = async () => (await ask(posthorn, "GET /suppressions")).body.data;
  expect(await listed()).toMatchObject([{ reason: "complaint", scope: "marketing" }]);
  await ask(posthorn, "PATCH /workspace", { body: { suppressions: { complaints: "all" } } });
  await returned(posthorn, "complaint", ada);
  expect(await listed()).toMatchObject([{ reason: "complaint", scope: "all" }]);
  await posthorn.settle();
  const { body } = await ask(posthorn, "GET /suppressions/counts");
  expect(body.reasons.complaint).toBe(1);
});

describe("files", () => {
  async function taken(posthorn: Posthorn, csv: string, fields: Record<string, string> = {}): Promise<Json> {
    const { status, body } = await uploadSuppressions(posthorn, csv, { fields });
    expect([status, body.error]).toEqual([202, undefined]);
    await posthorn.settle();
    return (await ask(posthorn, `GET /suppressions/imports/${body.jobId}`)).body;
  }
  const listed = async (posthorn: Posthorn): Promise<Json[]> =>
    (await ask(posthorn, "GET /suppressions")).body.data
      .map((one: Json) => [one.address ?? one.domain, one.reason, one.scope])
      .sort();

  test("come in as other services export them, without a contact", async () => {
    await using posthorn = await workspace();
    const postmark =
      "EmailAddress,SuppressionReason,Origin,CreatedAt\na@x.com,HardBounce,Recipient,2026-01-01\nb@x.com,SpamComplaint,Recipient,\nc@x.com,ManualSuppression,Admin,\n";
    expect((await taken(posthorn, postmark)).result).toMatchObject({ totalRows: 3, addedCount: 3, failureCount: 0 });
    await taken(posthorn, "address,code,error,created_at\nd@x.com,550,No such user,2026-01-01\n");
    await taken(posthorn, "email,created,reason,status\ne@x.com,1443651125,550 5.1.1 unknown,5.1.1\n");
    await taken(posthorn, "email\nf@x.com\n@x.org\n", { scope: "marketing" });
    expect(await listed(posthorn)).toEqual([
      ["a@x.com", "bounce", "all"],
      ["b@x.com", "complaint", "marketing"],
      ["c@x.com", "manual", "all"],
      ["d@x.com", "bounce", "all"],
      ["e@x.com", "bounce", "all"],
      ["f@x.com", "import", "marketing"],
      ["x.org", "import", "marketing"],
    ]);
    expect((await ask(posthorn, "GET /contacts")).body.total).toBe(0);
  });

  test("mark the contacts that there are, and say which rows are wrong or there already (slow)", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: ada } });
    const lines = [
      "nonsense,,",
      `${ada},manual,`,
      `ADA@example.com,,`,
      "bob@example.com,,2020-01-01",
      '"x"y@example.com,,',
    ];
    const rows = Array.from({ length: 9_000 }, (_, n) => `p${n}@example.com,bounce,`);
    const { result, status } = await taken(posthorn, `Email,Reason,Until\n${[...lines, ...rows].join("\n")}\n`);
    expect(status).toBe("COMPLETED");
    expect(result).toMatchObject({ totalRows: 9_005, addedCount: 9_001, unchangedCount: 1, failureCount: 3 });
    expect(result.errors.map(({ row, error }: Json) => [row, error]).sort()).toEqual([
      [2, "This is neither an address nor a domain."],
      [5, "until has passed."],
      [6, "A quote in this row is in the wrong place."],
    ]);
    expect(await suppressedAs(posthorn, ada)).toEqual(["manual", true]);
    const notes = await ask(posthorn, "GET /suppressions/counts");
    expect(notes.body.reasons).toMatchObject({ bounce: 9_000, manual: 1 });
  });

  test("go out and come back as they were", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /suppressions", { body: { address: ada, until: "2030-01-01", note: '=1+1, "x"' } });
    await ask(posthorn, "POST /suppressions", {
      body: { domain: "example.org", scope: "marketing", reason: "complaint" },
    });
    const before = (await ask(posthorn, "GET /suppressions")).body.data;
    const file = (await ask(posthorn, "GET /suppressions/export")).body;
    expect(file.split("\r\n")[0]).toBe("address,domain,reason,scope,until,note,createdAt");
    expect((await ask(posthorn, "GET /suppressions/export?kind=domain")).body.split("\r\n")).toHaveLength(3);
    for (const { id } of before) await ask(posthorn, `DELETE /suppressions/${id}`);
    await taken(posthorn, file);
    const what = ({ address, domain, reason, scope, until, note }: Json) => ({
      address,
      domain,
      reason,
      scope,
      until,
      note,
    });
    const after = (await ask(posthorn, "GET /suppressions")).body.data;
    expect(after.map(what).toSorted(byTarget)).toEqual(before.map(what).toSorted(byTarget));
  });

  test("are refused without a column of addresses, with a word that is none, and empty", async () => {
    await using posthorn = await workspace();
    const refused = async (csv: string, fields = {}) =>
      refusedFields(await uploadSuppressions(posthorn, csv, { fields }));
    expect(await refused("name\nAda\n")).toEqual({ file: "column_missing" });
    expect(await refused("")).toEqual({ file: "empty" });
    expect(Object.keys(await refused("email\na@x.com\n", { scope: "some" }))).toEqual(["scope"]);
  });
});

function byTarget(one: Json, other: Json): number {
  return (one.address ?? one.domain) < (other.address ?? other.domain) ? -1 : 1;
}

test("who would be hit by the suppression of a domain is told before it is added", async () => {
  await using posthorn = await workspace();
  for (const [email, subscribed] of [
    ["ada@shop.example", true],
    ["bob@shop.example", false],
    ["cyd@sub.shop.example", true],
    ["dee@shop.example.org", true],
  ] as const)
    await ask(posthorn, "POST /contacts", { body: { email, subscribed } });
  const reach = (await ask(posthorn, "GET /suppressions/reach?domain=Shop.example")).body;
  expect(reach).toEqual({ contacts: 2, subscribed: 1, sample: ["bob@shop.example", "ada@shop.example"] });
  expect((await ask(posthorn, "GET /suppressions/reach?domain=nobody.example")).body).toEqual({
    contacts: 0,
    subscribed: 0,
    sample: [],
  });
  const refused = await ask(posthorn, "GET /suppressions/reach?domain=a@b");
  expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, "domain"]);
  expect((await ask(posthorn, "GET /suppressions")).body.total).toBe(0);
});

// Why a contact got no mail of a campaign, and who or what added it and changed its consent.
import { expect, test } from "bun:test";
import { write } from "../support/campaigns.ts";
import { FORM, formWith } from "../support/files.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const DAY = 86_400_000;

async function add(posthorn: Posthorn, email: string, more: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email, ...more } })).body.id;
}

async function sent(posthorn: Posthorn, name: string, input: object = {}): Promise<string> {
  posthorn.clock.advance(1_000);
  const id = await write(posthorn, { name, ...input });
  await ask(posthorn, `POST /campaigns/${id}/send`);
  await posthorn.settle();
  posthorn.clock.advance(1_000);
  return id;
}

async function entries(posthorn: Posthorn, id: string, query: string): Promise<Json[]> {
  return (await ask(posthorn, `GET /contacts/${id}/timeline?${query}`)).body.entries;
}

/** Each campaign with what it had for the contact, newest first. */
async function answers(posthorn: Posthorn, id: string): Promise<string[]> {
  const all = await entries(posthorn, id, "kind=CAMPAIGN");
  return all.map(({ campaign, state, reason, matchesNow }) =>
    [campaign.name, state, reason, matchesNow].filter((one) => one !== null).join(" "),
  );
}

const pro = { groups: [{ filters: [{ field: "plan", value: "pro" }] }] };
const toPro = { audienceType: "FILTERED", audienceCondition: pro };

test("each campaign that was sent says what it had for the contact, or why it had nothing (slow)", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "reader@example.com", { data: { plan: "pro" } });
  await sent(posthorn, "Before");
  const ada = await add(posthorn, "ada@example.com", { data: { plan: "free" } });
  const bob = await add(posthorn, "bob@example.com", { subscribed: false });
  await sent(posthorn, "First");
  await sent(posthorn, "Pro only", toPro);
  await ask(posthorn, `PATCH /contacts/${ada}`, { body: { subscribed: false } });
  await sent(posthorn, "While away");
  await ask(posthorn, `PATCH /contacts/${ada}`, { body: { subscribed: true, data: { plan: "pro" } } });
  await sent(posthorn, "Back again");
  expect(await answers(posthorn, ada)).toEqual([
    "Back again SENT",
    "While away LEFT_OUT unsubscribed",
    "Pro only LEFT_OUT notInAudience true",
    "First SENT",
    "Before LEFT_OUT joinedLater",
  ]);
  // One who was added as unsubscribed, and of whom nothing else is known.
  expect(await answers(posthorn, bob)).toEqual([
    "Back again LEFT_OUT unsubscribed",
    "While away LEFT_OUT unsubscribed",
    "Pro only LEFT_OUT unsubscribed false",
    "First LEFT_OUT unsubscribed",
    "Before LEFT_OUT joinedLater",
  ]);
  const whole = await entries(posthorn, bob, "limit=100");
  expect(whole.map(({ type, campaign }) => [type, campaign?.name])).toEqual([
    ["leftOut", "Back again"],
    ["leftOut", "While away"],
    ["leftOut", "First"],
  ]);
  const pages: string[] = [];
  for (let cursor = ""; cursor !== "end";) {
    const { body } = await ask(posthorn, `GET /contacts/${bob}/timeline?kind=CAMPAIGN&limit=2${cursor}`);
    pages.push(...body.entries.map(({ campaign }: Json) => campaign.name));
    cursor = body.cursor === null ? "end" : `&cursor=${body.cursor}`;
  }
  expect(pages).toEqual(["Back again", "While away", "Pro only", "First", "Before"]);
});

test("an address that bounced, and one that has not confirmed yet, say so", async () => {
  await using posthorn = await workspace();
  const gone = await add(posthorn, "gone@example.com");
  const asked = await add(posthorn, "asked@example.com", { doubleOptIn: true });
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("gone")
      ? { kind: "bounced", reply: "550 5.1.1 no such user" }
      : { kind: "accepted", reply: "250 Ok" };
  await add(posthorn, "reader@example.com");
  await sent(posthorn, "First");
  await sent(posthorn, "Second");
  expect(await answers(posthorn, gone)).toEqual(["Second LEFT_OUT suppressed", "First BOUNCED 550 5.1.1 no such user"]);
  expect(await answers(posthorn, asked)).toEqual(["Second LEFT_OUT pending", "First LEFT_OUT pending"]);
});

test("a cancelled campaign says who cancelled it", async () => {
  await using posthorn = await workspace();
  const eva = await somebody(posthorn, "ADMIN");
  const ada = await add(posthorn, "ada@example.com");
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  const id = await sent(posthorn, "Too late");
  await eva.ask(`POST /campaigns/${id}/cancel`, { body: {} });
  await posthorn.settle();
  const [entry] = await entries(posthorn, ada, "kind=CAMPAIGN");
  expect(entry).toMatchObject({ state: "CANCELLED", cancelledBy: "ADMIN", emailId: expect.any(String) });
});

test("a contact and its consent say whether a key, a form, an import or somebody of the team is behind them", async () => {
  await using posthorn = await workspace();
  const eva = await somebody(posthorn, "ADMIN");
  const last = async (id: string) => (await entries(posthorn, id, "kind=CONSENT"))[0]?.consent;
  const addedBy = async (id: string) => (await ask(posthorn, `GET /contacts/${id}/summary`)).body.added;
  const keys = (await ask(posthorn, "POST /keys", { body: { name: "Shop" } })).body;
  const key = { type: "key", name: "Shop", at: null };
  const shop = { bearer: keys.secret };
  const ada = (await ask(posthorn, "POST /contacts", { key: shop, body: { email: "ada@example.com" } })).body.id;
  expect(await addedBy(ada)).toEqual({ by: null, via: key });
  await ask(posthorn, `PATCH /contacts/${ada}`, { key: shop, body: { subscribed: false } });
  expect(await last(ada)).toMatchObject({ by: null, via: key });

  const began = new Date(posthorn.clock.nowMs()).toISOString();
  const body = formWith("email,subscribed\nada@example.com,true\nbob@example.com,false\n");
  await eva.ask("POST /contacts/import?resubscribe=true", { body, headers: FORM });
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  const imported = { by: "ADMIN", via: { type: "import", name: "contacts.csv", at: began } };
  expect(await last(ada)).toMatchObject(imported);
  const bob = (await ask(posthorn, "GET /contacts/by-email/bob@example.com")).body.id;
  expect(await addedBy(bob)).toEqual(imported);

  const track = { email: "cyd@example.com", event: "signup" };
  await ask(posthorn, "POST /v1/track", { key: { bearer: keys.public }, body: track });
  const cyd = (await ask(posthorn, "GET /contacts/by-email/cyd@example.com")).body.id;
  expect(await addedBy(cyd)).toEqual({ by: null, via: { ...key, type: "public-key" } });
  await eva.ask(`PATCH /contacts/${cyd}`, { body: { subscribed: false } });
  expect(await last(cyd)).toMatchObject({ by: "ADMIN", via: null });
});

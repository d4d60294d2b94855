// Double opt-in: a sign-up waits until the person confirms it.
import { describe, expect, test } from "bun:test";
import { signUp } from "../../src/audience/contacts/sign-up/sign-up.ts";
import { KEY_VOICE, voiceOf } from "../../src/audience/contacts/voices.ts";
import { askToConfirm, refuseToAsk } from "../../src/mail/emails/send/confirmation.ts";
import { AppError } from "../../src/base/errors.ts";
import { listenTo } from "../../src/tenant/events/interests.ts";
import { contactSubject } from "../../src/tenant/events/subjects.ts";
import { LANGUAGES } from "../../src/base/languages/language.ts";
import { filledIn, textsIn } from "../../src/base/languages/texts.ts";
import { sharing } from "../../src/store/shared-tx.ts";
import { findWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { contentOf, mailSent, mailsSent } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { addKeys, addVerifiedDomain } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ada = { email: "ada@example.com" };
const asking = { ...ada, doubleOptIn: true };
const PENDING = { status: "PENDING", subscribed: false, expiresAt: "2026-03-08T09:00:00.000Z" };
const CONFIRMED = { status: "ACTIVE", subscribed: true, expiresAt: null };

async function contact(posthorn: Posthorn, id: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/${id}`)).body;
}

/** The path of the link in the newest mail that has left. */
async function linkOf(posthorn: Posthorn): Promise<string> {
  await posthorn.settle();
  const raw = posthorn.transport.sent.at(-1)?.raw.toString().replace(/=\r\n/g, "") ?? "";
  return /http:\/\/127\.0\.0\.1:8484(\/subscribe\/[\w-]+)/.exec(raw)?.[1] ?? "";
}

function open(posthorn: Posthorn, route: string) {
  return ask(posthorn, route, { key: "none" });
}

describe("a new contact", () => {
  const doors: readonly [what: string, settings: object, route: string, body: object][] = [
    ["POST /contacts that asks for it", {}, "POST /contacts", asking],
    ["POST /v1/track that asks for it", {}, "POST /v1/track", { ...asking, event: "signup" }],
    ["POST /contacts where the workspace wants it", { doubleOptIn: true }, "POST /contacts", ada],
    ["POST /v1/track where the workspace wants it", { doubleOptIn: true }, "POST /v1/track", { ...ada, event: "x" }],
    [
      "a request that says no, where the workspace wants it",
      { doubleOptIn: true },
      "POST /contacts",
      { ...ada, doubleOptIn: false },
    ],
  ];
  test.each(doors)(
    "waits after %s, until its person opens the link and presses the button (slow)",
    async (_, settings, route, body) => {
      await using posthorn = await startPosthorn();
      await ask(posthorn, "PATCH /workspace", { body: settings });
      const made = (await ask(posthorn, route, { body: { ...body, subscribed: true } })).body;
      const id = route.endsWith("track") ? made.data.contact : made.id;
      expect(await contact(posthorn, id)).toMatchObject(PENDING);
      const link = await linkOf(posthorn);
      const events = await posthorn.eventNames();
      const before = await everything(posthorn);
      const page = await open(posthorn, `GET ${link}`);
      expect([page.status, page.body]).toEqual([200, expect.stringContaining(textsIn("en").pendingTitle)]);
      expect(page.body).toContain(`<button>${textsIn("en").confirm}</button>`);
      expect(await everything(posthorn)).toEqual(before);
      for (const time of [1, 2]) {
        const done = await open(posthorn, `POST ${link}`);
        expect([time, done.status, done.body]).toEqual([
          time,
          200,
          expect.stringContaining(textsIn("en").subscribedTitle),
        ]);
      }
      expect(await contact(posthorn, id)).toMatchObject(CONFIRMED);
      expect(await posthorn.eventNames()).toEqual([...events, "contact.subscribed"]);
    },
  );

  test("is asked in its language, by the workspace's name, whatever that looks like (slow)", async () => {
    await using posthorn = await startPosthorn();
    const workspace = "{{ email }} & <Söhne>";
    await ask(posthorn, "PATCH /workspace", { body: { name: workspace } });
    await ask(posthorn, "POST /contacts", { body: { ...asking, data: { language: "de", workspace: "Mine" } } });
    const texts = textsIn("de");
    const values = { email: "ada@example.com", workspace };
    const { subject, html, text, from, fromName } = contentOf(await mailSent(posthorn));
    expect([subject, from, fromName]).toEqual([filledIn(texts.askSubject, values), "no-reply@example.test", workspace]);
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain("{{ email }} &amp; &lt;Söhne&gt;");
    expect(text).toContain(filledIn(texts.askText, values));
    expect(text).toMatch(new RegExp(`${texts.confirm}: http://127.0.0.1:8484/subscribe/[\\w-]{59}\\n`));
  });

  test("is asked in every language (slow)", async () => {
    await using posthorn = await workspace();
    for (const language of LANGUAGES)
      await ask(posthorn, "POST /contacts", {
        body: { email: `${language}@example.com`, doubleOptIn: true, data: { language } },
      });
    const values = (language: string) => ({ email: `${language}@example.com`, workspace: "example.test" });
    const subjects = (await mailsSent(posthorn)).map(({ subject }) => subject);
    const expected = LANGUAGES.map((language) => filledIn(textsIn(language).askSubject, values(language)));
    expect(subjects.toSorted()).toEqual(expected.toSorted());
  });

  test("is asked from the address that the workspace has set, as long as its domain is verified", async () => {
    await using posthorn = await workspace();
    const body = { fromAddress: "Hello@Example.test", fromName: "Ada's Shop" };
    expect((await ask(posthorn, "PATCH /workspace", { body })).body).toMatchObject({
      ...body,
      fromAddress: "hello@example.test",
    });
    await ask(posthorn, "POST /contacts", { body: asking });
    expect(contentOf(await mailSent(posthorn))).toMatchObject({ from: "hello@example.test", fromName: "Ada's Shop" });
    const foreign = await ask(posthorn, "PATCH /workspace", { body: { fromAddress: "hello@elsewhere.example" } });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, "DOMAIN_NOT_VERIFIED"]);
    const broken = await ask(posthorn, "PATCH /workspace", { body: { fromAddress: "hello" } });
    expect([broken.status, broken.body.error.errors[0].field]).toEqual([422, "fromAddress"]);
  });

  test("is asked by the brand's sender, else from the newest domain that is really verified", async () => {
    await using posthorn = await workspace();
    const senderFor = async (email: string) => {
      await ask(posthorn, "POST /contacts", { body: { ...asking, email } });
      const mails = (await mailsSent(posthorn)).filter(({ to }) => JSON.stringify(to).includes(email));
      return contentOf(mails[0] as (typeof mails)[number]).from;
    };
    await addVerifiedDomain(posthorn, "shop.example");
    await addVerifiedDomain(posthorn, "forced.example");
    await posthorn.store.write((tx) => tx.run`update domains set taken_unseen = 0 where domain = 'shop.example'`);
    expect(await senderFor("one@example.com")).toBe("no-reply@shop.example");
    await ask(posthorn, "PUT /workspace/brand", { body: { from: "Shop <hello@forced.example>" } });
    expect(await senderFor("two@example.com")).toBe("hello@forced.example");
    await ask(posthorn, "PUT /workspace/brand", { body: { from: "hello@elsewhere.example" } });
    expect(await senderFor("three@example.com")).toBe("no-reply@shop.example");
  });

  test("is not made, and nothing recorded, where there is no domain to ask from", async () => {
    await using posthorn = await workspace();
    const [{ id }] = (await ask(posthorn, "GET /domains")).body.data;
    await ask(posthorn, `DELETE /domains/${id}`);
    const before = await everything(posthorn);
    for (const [route, body] of [
      ["POST /contacts", asking],
      ["POST /v1/track", { ...asking, event: "x" }],
    ] as const) {
      const reply = await ask(posthorn, route, { body });
      expect([route, reply.status, reply.body.error.code]).toEqual([route, 409, "CONFLICT"]);
    }
    expect(await everything(posthorn)).toEqual(before);
    expect((await ask(posthorn, "POST /contacts", { body: ada })).status).toBe(201);
  });

  test("that nobody can ask is refused before anything changes: those who sign up at the same moment do not begin anew", async () => {
    await using posthorn = await workspace();
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
    let questions = 0;
    const refusing = (...asked: Parameters<typeof refuseToAsk>) => {
      questions++;
      return refuseToAsk(...asked);
    };
    const mails = { ask: askToConfirm, refuseToAsk: refusing };
    const input = { voice: KEY_VOICE, subscribed: undefined, subscribedIfNew: true, data: {} };
    const voice = voiceOf({ kind: "secret", doubleOptIn: true, mayUpdate: true, mayUnsubscribe: true }, false);
    const outcomes = await posthorn.store.write((tx) =>
      sharing(signUp)(tx, [
        { workspace: 1, mails, input: { ...input, email: "one@example.com" } },
        { workspace: 1, mails, input: { ...input, email: "two@example.com", voice } },
        { workspace: 1, mails, input: { ...input, email: "three@example.com" } },
        { workspace: 1, mails, input: { ...input, email: "four@example.com", voice } },
      ]),
    );
    const said = outcomes.map((one) => (one instanceof AppError ? one.code : one.contact.email));
    expect(said).toEqual(["one@example.com", "CONFLICT", "three@example.com", "CONFLICT"]);
    expect([await countOf(posthorn, "contacts"), questions]).toEqual([2, 1]);
  });

  test("that does not want marketing mail has nothing to confirm", async () => {
    await using posthorn = await workspace();
    const { body } = await ask(posthorn, "POST /contacts", { body: { ...asking, subscribed: false } });
    expect(body).toMatchObject({ status: "ACTIVE", subscribed: false, expiresAt: null });
    expect(await mailsSent(posthorn)).toEqual([]);
  });

  test("is asked once by twenty requests at the same time", async () => {
    await using posthorn = await workspace();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ask(posthorn, "POST /contacts", { body: asking })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await mailsSent(posthorn)).toHaveLength(1);
  });
});

describe("a repeated sign-up", () => {
  test("asks again after a quarter of an hour, and gives another seven days", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: asking })).body;
    const mails: number[] = [];
    for (const minutes of [0, 14, 1, 1]) {
      posthorn.clock.advance(minutes * MINUTE_MS);
      const { status, body } = await ask(posthorn, "POST /contacts", {
        body: { ...ada, subscribed: true, data: { n: minutes } },
      });
      expect([status, body.status, body.subscribed, body.data.n]).toEqual([200, "PENDING", false, minutes]);
      mails.push((await mailsSent(posthorn)).length);
    }
    expect(mails).toEqual([1, 1, 2, 2]);
    expect((await contact(posthorn, id)).expiresAt).toBe("2026-03-08T09:15:00.000Z");
    expect(await posthorn.eventNames()).not.toContain("contact.subscribed");
  });

  test("of somebody who is there already never makes them wait", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { ...ada, subscribed: true } })).body;
    await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com", subscribed: false } });
    const again = await ask(posthorn, "POST /contacts", { body: asking });
    expect([again.status, again.body]).toEqual([200, expect.objectContaining(CONFIRMED)]);
    const bob = await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com", doubleOptIn: true } });
    expect(bob.body).toMatchObject({ status: "ACTIVE", subscribed: false });
    expect(await contact(posthorn, id)).toMatchObject(CONFIRMED);
    expect(await mailsSent(posthorn)).toEqual([]);
  });
});

describe("a person who has not confirmed", () => {
  test("gets no marketing mail and is not subscribed by anybody else", async () => {
    await using posthorn = await workspace();
    const news = { name: "News", subject: "News", body: "<p>News</p>", from: "hello@example.test", type: "MARKETING" };
    const template = (await ask(posthorn, "POST /templates", { body: news })).body.id;
    const { id } = (await ask(posthorn, "POST /contacts", { body: asking })).body;
    const doors: readonly [string, object, number][] = [
      ["POST /v1/send", { to: ada.email, template, subscribed: true }, 400],
      ["POST /contacts", { ...ada, subscribed: true }, 200],
      ["POST /v1/track", { ...ada, event: "x", subscribed: true }, 200],
      [
        "POST /v1/send",
        { to: ada.email, from: "hello@example.test", subject: "Order", body: "x", subscribed: true },
        200,
      ],
    ];
    for (const [route, body, status] of doors) {
      expect([route, (await ask(posthorn, route, { body })).status]).toEqual([route, status]);
      expect(await contact(posthorn, id)).toMatchObject(PENDING);
    }
    const subjects = (await mailsSent(posthorn)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(["Order", "Please confirm your subscription to example.test"]);
    expect(await posthorn.eventNames()).not.toContain("contact.subscribed");
  });

  test("may still say no: the page says so, nothing else happens, and they may change their mind", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: asking })).body;
    const token = (await linkOf(posthorn)).replace("/subscribe/", "");
    const { pendingTitle, unsubscribedTitle, saved, subscribe } = textsIn("en");
    const events = await posthorn.eventNames();
    const form = { key: "none", headers: { "content-type": "application/x-www-form-urlencoded" } } as const;
    const seen = await open(posthorn, `GET /unsubscribe/${token}`);
    expect([seen.status, seen.body]).toEqual([200, expect.stringContaining(unsubscribedTitle)]);
    expect(seen.body).not.toContain(saved);
    for (const [page, body] of [
      ["unsubscribe", "List-Unsubscribe=One-Click"],
      ["manage", "subscribed=false"],
    ]) {
      const said = await ask(posthorn, `POST /${page}/${token}`, { ...form, body });
      expect([page, said.status, said.body]).toEqual([page, 200, expect.stringContaining(unsubscribedTitle)]);
      expect(said.body).toContain(`<p role="status">${saved}</p>`);
      expect(said.body).toContain(`name="subscribed" value="true"><button>${subscribe}</button>`);
    }
    expect(await contact(posthorn, id)).toMatchObject(PENDING);
    expect(await posthorn.eventNames()).toEqual(events);
    expect((await open(posthorn, `GET /manage/${token}`)).body).toContain(pendingTitle);
    await ask(posthorn, `POST /manage/${token}`, { ...form, body: "subscribed=true" });
    expect(await contact(posthorn, id)).toMatchObject(CONFIRMED);
  });

  test("is removed after seven days with the mail about it; the others stay", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: asking });
    const link = await linkOf(posthorn);
    await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com" } });
    posthorn.clock.advance(7 * DAY_MS - 1);
    await ask(posthorn, "POST /contacts", { body: { email: "eve@example.com", doubleOptIn: true } });
    await posthorn.settle();
    expect(await countOf(posthorn, "contacts")).toBe(3);
    posthorn.clock.advance(1);
    const late = await open(posthorn, `POST ${link}`);
    expect([late.status, late.body]).toEqual([200, expect.stringContaining(textsIn("en").goneTitle)]);
    await posthorn.settle();
    const { contacts, emails, contents } = await everything(posthorn);
    expect(contacts?.map((row) => (row as Json).email)).toEqual(["bob@example.com", "eve@example.com"]);
    expect([emails?.length, contents?.length]).toEqual([1, 1]);
    expect(await posthorn.eventNames()).not.toContain("contact.subscribed");
    expect((await ask(posthorn, "POST /contacts", { body: asking })).status).toBe(201);
  });

  test("and still has a mail to get stays until that has left", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: asking });
    const sendAt = "2026-03-10T09:00:00.000Z";
    await ask(posthorn, "POST /v1/send", {
      body: { to: ada.email, from: "a@example.test", subject: "Later", body: "x", sendAt },
    });
    posthorn.clock.advance(8 * DAY_MS);
    await posthorn.settle();
    expect(await countOf(posthorn, "contacts")).toBe(1);
    posthorn.clock.advance(2 * DAY_MS);
    await posthorn.settle();
    expect(posthorn.transport.recipients).toHaveLength(2);
    expect(await countOf(posthorn, "contacts")).toBe(0);
  });

  test("is removed in batches, however many there are (slow)", async () => {
    await using posthorn = await workspace();
    for (let index = 0; index < 120; index++)
      await ask(posthorn, "POST /contacts", { body: { email: `p${index}@example.com`, doubleOptIn: true } });
    await posthorn.settle();
    posthorn.clock.advance(7 * DAY_MS);
    await posthorn.settle();
    for (const table of ["contacts", "emails", "contents"])
      expect([table, await countOf(posthorn, table)]).toEqual([table, 0]);
  });
});

describe("a person who has not confirmed and gets another address", () => {
  const address = { email: "ada@example.org" };

  test("is asked there at once, once, and has seven days from then on", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: asking })).body;
    await posthorn.settle();
    posthorn.clock.advance(MINUTE_MS);
    const body = { ...address, data: { language: "de" } };
    const changed = (await ask(posthorn, `PATCH /contacts/${id}`, { body })).body;
    expect(changed).toMatchObject({ ...PENDING, ...address, expiresAt: "2026-03-08T09:01:00.000Z" });
    await ask(posthorn, "POST /contacts", { body: { ...address, doubleOptIn: true } });
    const link = await linkOf(posthorn);
    expect(posthorn.transport.recipients).toEqual(["ada@example.com", "ada@example.org"]);
    expect((await mailsSent(posthorn))[1]?.html).toContain('lang="de"');
    await open(posthorn, `POST ${link}`);
    expect(await contact(posthorn, id)).toMatchObject({ ...CONFIRMED, ...address });
    expect(await posthorn.eventNames()).toContain("contact.subscribed");
  });

  test("is not confirmed by a mail to the former one, whose reader does not learn the new one", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: asking })).body;
    const former = await linkOf(posthorn);
    await ask(posthorn, `PATCH /contacts/${id}`, { body: address });
    const { goneTitle } = textsIn("en");
    for (const [method, status] of [
      ["GET", 404],
      ["POST", 200],
    ] as const) {
      const reply = await open(posthorn, `${method} ${former}`);
      expect([method, reply.status, reply.body]).toEqual([method, status, expect.stringContaining(goneTitle)]);
      expect(reply.body).not.toContain(address.email);
    }
    expect(await contact(posthorn, id)).toMatchObject(PENDING);
    expect(await posthorn.eventNames()).not.toContain("contact.subscribed");
  });

  test("keeps the one it has where there is no domain to ask from", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: asking })).body;
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
    const before = await everything(posthorn);
    const refused = await ask(posthorn, `PATCH /contacts/${id}`, { body: address });
    expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
    expect(await everything(posthorn)).toEqual(before);
  });

  test("leaves with any link from before once it has confirmed", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: asking })).body;
    const link = await linkOf(posthorn);
    await open(posthorn, `POST ${link}`);
    await ask(posthorn, `PATCH /contacts/${id}`, { body: address });
    expect((await mailsSent(posthorn)).length).toBe(1);
    await open(posthorn, `POST ${link.replace("subscribe", "unsubscribe")}`);
    expect(await contact(posthorn, id)).toMatchObject({ ...address, status: "ACTIVE", subscribed: false });
  });
});

describe("where the workspace wants it, a public key", () => {
  const subscribing = { ...ada, event: "signup", subscribed: true };

  /** Somebody who is there and not subscribed. */
  async function start() {
    const posthorn = await workspace();
    await ask(posthorn, "PATCH /workspace", { body: { doubleOptIn: true } });
    const { id } = (await ask(posthorn, "POST /contacts", { body: { ...ada, subscribed: false } })).body;
    return { posthorn, id, [Symbol.asyncDispose]: () => posthorn[Symbol.asyncDispose]() };
  }

  function track(posthorn: Posthorn, changes: object = {}) {
    return ask(posthorn, "POST /v1/track", { key: "public", body: { ...subscribing, ...changes } });
  }

  test("subscribes nobody again: the person is asked by mail, and the link in it does", async () => {
    await using started = await start();
    const { posthorn, id } = started;
    expect((await track(posthorn, { data: { plan: "pro" } })).status).toBe(200);
    const asked = { status: "ACTIVE", subscribed: false, expiresAt: null, data: { plan: "pro" } };
    expect(await contact(posthorn, id)).toMatchObject(asked);
    expect((await posthorn.eventNames()).filter((name) => !name.startsWith("email."))).toEqual(["signup"]);
    const link = await linkOf(posthorn);
    const { subject, text } = contentOf(await mailSent(posthorn));
    const { askSubject, askNote, subscribe, subscribedTitle } = textsIn("en");
    expect(subject).toBe(filledIn(askSubject, { email: ada.email, workspace: "example.test" }));
    expect(text).not.toContain(askNote);
    expect((await open(posthorn, `GET ${link}`)).body).toContain(`<button>${subscribe}</button>`);
    expect((await open(posthorn, `POST ${link}`)).body).toContain(subscribedTitle);
    expect(await contact(posthorn, id)).toMatchObject(CONFIRMED);
    expect((await posthorn.eventNames()).at(-1)).toBe("contact.subscribed");
  });

  test("asks once in a quarter of an hour, and three times a day; what it tells is recorded", async () => {
    await using started = await start();
    const { posthorn } = started;
    const mails: number[] = [];
    for (const minutes of [0, 14, 1, 1, 15]) {
      posthorn.clock.advance(minutes * MINUTE_MS);
      expect((await track(posthorn)).status).toBe(200);
      mails.push((await mailsSent(posthorn)).length);
    }
    expect(mails).toEqual([1, 1, 2, 2, 3]);
    expect((await posthorn.eventNames()).filter((name) => name === "signup")).toHaveLength(5);
    posthorn.clock.advance(15 * MINUTE_MS);
    expect((await track(posthorn)).status).toBe(429);
    expect((await track(posthorn, { subscribed: undefined })).status).toBe(200);
    expect(await mailsSent(posthorn)).toHaveLength(3);
  });

  test("asks once by twenty requests at the same time", async () => {
    await using started = await start();
    const replies = await Promise.all(Array.from({ length: 20 }, () => track(started.posthorn)));
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(await mailsSent(started.posthorn)).toHaveLength(1);
  });

  test("asks nobody who is subscribed, and what was refused is not counted", async () => {
    await using started = await start();
    const { posthorn, id } = started;
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
    for (let time = 0; time < 4; time++) expect((await track(posthorn)).status).toBe(409);
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = ${tx.now}`);
    expect((await track(posthorn)).status).toBe(200);
    expect(await mailsSent(posthorn)).toHaveLength(1);
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: true } });
    posthorn.clock.advance(15 * MINUTE_MS);
    expect((await track(posthorn)).status).toBe(200);
    expect(await mailsSent(posthorn)).toHaveLength(1);
  });

  test("is not the workspace's own secret one, which may", async () => {
    await using started = await start();
    const { posthorn, id } = started;
    await ask(posthorn, "POST /v1/track", { body: subscribing });
    expect(await contact(posthorn, id)).toMatchObject(CONFIRMED);
    expect(await mailsSent(posthorn)).toEqual([]);
  });
});

test("who listens to a contact's status hears of the confirmation (slow)", async () => {
  await using posthorn = await startPosthorn();
  await ask(posthorn, "POST /contacts", { body: asking });
  const link = await linkOf(posthorn);
  await posthorn.store.write(async (tx) => {
    const { seq: workspace } = await findWorkspace(tx, "default");
    await listenTo(tx, { workspace, kind: "segment", listener: 1 }, [contactSubject("status")]);
  });
  await open(posthorn, `POST ${link}`);
  const rows = await posthorn.store.read((reader) => reader.all<{ subjects: string }>`select subjects from outbox`);
  expect(rows.map(({ subjects }) => subjects).join()).toContain("contact:status");
});

test("a public key cannot get around the workspace's setting", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "PATCH /workspace", { body: { doubleOptIn: true } });
  const key = { bearer: (await addKeys(posthorn)).public };
  const body = { ...ada, event: "signup", subscribed: true, doubleOptIn: false };
  const { data } = (await ask(posthorn, "POST /v1/track", { key, body })).body;
  expect(await contact(posthorn, data.contact)).toMatchObject(PENDING);
});

test("the answer under an Idempotency-Key is given again, and no second mail is sent", async () => {
  await using posthorn = await workspace();
  const question = { body: asking, headers: { "idempotency-key": "k" } };
  const [first, second] = [
    await ask(posthorn, "POST /contacts", question),
    await ask(posthorn, "POST /contacts", question),
  ];
  expect([second.status, second.body]).toEqual([first.status, first.body]);
  expect(first.body).toMatchObject(PENDING);
  expect(await mailsSent(posthorn)).toHaveLength(1);
});

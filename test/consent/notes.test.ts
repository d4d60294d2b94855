// What the ledger of consent notes: each change once, by which door, who came through it, and what proves it.
import { expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { note } from "../../src/audience/consent/consent.ts";
import { ENGINE } from "../support/database.ts";
import { imported } from "../support/files.ts";
import { inShort, ledger } from "../support/ledger.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;
const ADA = "ada@example.com";
const BROWSER = { "user-agent": "Mozilla/5.0 (a browser)", "x-forwarded-for": "203.0.113.7" };
const EMAIL_ID = "0199a3b4-0000-7000-8000-00000000abcd";

async function made(posthorn: Posthorn, body: object, route = "POST /contacts"): Promise<Json> {
  return (await ask(posthorn, route, { body })).body;
}

/** What the ledger says of somebody, once all loops are done. */
async function said(posthorn: Posthorn, email = ADA): Promise<string[]> {
  await posthorn.settle();
  return (await ledger(posthorn.store, email)).map(inShort);
}

function tokenFor(posthorn: Posthorn, contactId: string): string {
  const { manageUrl } = linksFor(posthorn.secrets, "", { contactId, emailId: EMAIL_ID });
  return manageUrl.replace("/manage/", "");
}

test("a key subscribes and unsubscribes; what changes nothing is not noted (slow)", async () => {
  await using posthorn = await workspace();
  await made(posthorn, { email: "bob@example.com", subscribed: false });
  for (const subscribed of [true, true, false, false, true]) await made(posthorn, { email: ADA, subscribed });
  await made(posthorn, { email: ADA, data: { plan: "pro" } });
  expect(await said(posthorn)).toEqual(["subscribed by key", "unsubscribed by key", "subscribed by key"]);
  expect(await said(posthorn, "bob@example.com")).toEqual([]);
});

test("a person of the team is named, a key that anybody can read is no person, and a send says who asked for it", async () => {
  await using posthorn = await workspace();
  const { id } = await made(posthorn, { email: ADA });
  const team = await somebody(posthorn, "ADMIN");
  await team.ask(`PATCH /contacts/${id}`, { body: { subscribed: false } });
  await ask(posthorn, "POST /v1/track", { key: "public", body: { email: ADA, event: "x", subscribed: true } });
  const mail = { to: "bob@example.com", from: "shop@example.test", subject: "Hi", body: "Hi", subscribed: true };
  await made(posthorn, mail, "POST /v1/send");
  await made(posthorn, { ...mail, to: "eve@example.com", subscribed: undefined }, "POST /v1/send");
  const [first, second, third] = await said(posthorn);
  expect(first).toBe("subscribed by key");
  expect(second).toStartWith("unsubscribed by person ");
  expect(third).toBe("subscribed by public-key");
  expect(await said(posthorn, "bob@example.com")).toEqual(["subscribed by key"]);
  expect(await said(posthorn, "eve@example.com")).toEqual([]);
});

test("the pages note where the reader was, and which mail they came from (slow)", async () => {
  await using posthorn = await workspace({ config: { http: { trustedProxies: ["127.0.0.1", "::1"] } } });
  const { id } = await made(posthorn, { email: ADA });
  const token = tokenFor(posthorn, id);
  const open = (path: string, body?: string) =>
    ask(posthorn, `POST ${path}/${token}`, {
      key: "none",
      headers: { ...BROWSER, "content-type": "application/x-www-form-urlencoded" },
      ...(body === undefined ? {} : { body }),
    });
  await open("/unsubscribe", "List-Unsubscribe=One-Click");
  await open("/unsubscribe");
  await open("/manage", "subscribed=true");
  await posthorn.settle();
  const [, left, back, ...others] = await ledger(posthorn.store, ADA);
  const where = { ip: "203.0.113.7", userAgent: "Mozilla/5.0 (a browser)", email: EMAIL_ID };
  expect(left).toMatchObject({ what: "unsubscribed", door: "one-click", ...where });
  expect(back).toMatchObject({ what: "subscribed", door: "page", ...where });
  expect(others).toEqual([]);
});

test("a site's own form is the person; a program says where the person acted, and a public key may not", async () => {
  await using posthorn = await workspace({ config: { http: { trustedProxies: ["127.0.0.1", "::1"] } } });
  const track = { email: ADA, event: "signed.up", subscribed: true };
  await ask(posthorn, "POST /v1/track", { key: "public", body: track, headers: BROWSER });
  const consent = {
    ip: "[2001:db8::7]:443",
    userAgent: "Mozilla/5.0 (another)",
    wording: { text: "Yes, write to me.", version: 2, language: "en" },
  };
  await ask(posthorn, "POST /contacts", { body: { email: ADA, subscribed: false, consent } });
  await ask(posthorn, "POST /v1/track", { body: { ...track, consent: { ip: "203.0.113.9" } }, headers: BROWSER });
  await posthorn.settle();
  const [first, second, third, ...others] = await ledger(posthorn.store, ADA);
  expect(first).toMatchObject({ door: "public-key", ip: "203.0.113.7", userAgent: "Mozilla/5.0 (a browser)" });
  expect(second).toMatchObject({ door: "key", ip: "2001:db8::7", userAgent: "Mozilla/5.0 (another)" });
  expect(second?.wording).toMatchObject({ version: 2, language: "en" });
  expect(third).toMatchObject({ what: "subscribed", door: "key", ip: "203.0.113.9" });
  expect(third?.userAgent).toBeUndefined();
  expect(others).toEqual([]);
  const refused = async (key: "public" | "secret", ip: string) =>
    (await ask(posthorn, "POST /v1/track", { key, body: { ...track, consent: { ip } } })).body.error.errors;
  expect(await refused("public", "203.0.113.9")).toMatchObject([{ field: "consent", code: "unsupported" }]);
  expect(await refused("secret", "at home")).toMatchObject([{ field: "consent.ip", code: "invalid" }]);
});

test("a double opt-in is asked for, declined once, and confirmed", async () => {
  await using posthorn = await workspace();
  const { id } = await made(posthorn, { email: ADA, doubleOptIn: true });
  // Only a link in a mail to this address counts.
  const [mail] = (await ask(posthorn, "GET /emails")).body.data;
  const { manageUrl } = linksFor(posthorn.secrets, "", { contactId: id, emailId: mail.id });
  const press = (path: string) => ask(posthorn, `POST ${path}`, { key: "none" });
  const link = manageUrl.replace("/manage", "");
  for (const path of [`/unsubscribe${link}`, `/unsubscribe${link}`, `/subscribe${link}`, `/subscribe${link}`])
    await press(path);
  expect(await said(posthorn)).toEqual([
    "asked by key",
    "declined by one-click",
    "confirmed by page",
    "subscribed by page",
  ]);
});

test("a sign-up that nobody confirmed runs out, and nothing but a keyed hash is left of it", async () => {
  await using posthorn = await workspace();
  await made(posthorn, { email: ADA, doubleOptIn: true });
  await posthorn.settle();
  posthorn.clock.advance(8 * DAY_MS);
  await posthorn.settle();
  expect(await ledger(posthorn.store)).toEqual([
    expect.objectContaining({ what: "expired", door: "clock", person: expect.any(String), rows: "1" }),
  ]);
});

test("a hard bounce and a complaint name the mail, and a suppression that is lifted is noted", async () => {
  await using posthorn = await workspace();
  const mail = { from: "shop@example.test", subject: "Hi", body: "Hi", subscribed: true };
  for (const to of ["bounced@simulator.test", "complained@simulator.test"])
    await made(posthorn, { ...mail, to }, "POST /v1/send");
  expect(await said(posthorn, "bounced@simulator.test")).toEqual([
    "subscribed by key",
    "suppressed (bounce) by bounce",
    "unsubscribed (bounce) by bounce",
  ]);
  expect((await said(posthorn, "complained@simulator.test")).slice(1)).toEqual([
    "suppressed (complaint) by complaint",
    "unsubscribed (complaint) by complaint",
  ]);
  const { data: mails } = (await ask(posthorn, "GET /emails")).body;
  const bounced = mails.find(({ to }: Json) => JSON.stringify(to).includes("bounced@"));
  expect((await ledger(posthorn.store, "bounced@simulator.test"))[1]).toMatchObject({ email: bounced.id });
  const { data: contacts } = (await ask(posthorn, "GET /contacts")).body;
  const idOf = (email: string) => contacts.find((one: Json) => one.email === email).id;
  await ask(posthorn, `PATCH /contacts/${idOf("bounced@simulator.test")}`, { body: { suppressed: false } });
  await ask(posthorn, `PATCH /contacts/${idOf("complained@simulator.test")}`, { body: { subscribed: true } });
  expect((await said(posthorn, "bounced@simulator.test")).slice(3)).toEqual(["unsuppressed (bounce) by key"]);
  expect((await said(posthorn, "complained@simulator.test")).slice(3)).toEqual([
    "unsuppressed (complaint) by key",
    "subscribed by key",
  ]);
});

test("imports, what undoes them, and bulk changes are named by their job (slow)", async () => {
  await using posthorn = await workspace();
  const { id: other } = await made(posthorn, { email: "bob@example.com" });
  const job = await imported(
    posthorn,
    "email,subscribed\nada@example.com,true\nbob@example.com,false\neve@example.com,false\n",
  );
  expect(await said(posthorn)).toEqual(["subscribed by import contacts.csv"]);
  expect(await said(posthorn, "eve@example.com")).toEqual([]);
  await ask(posthorn, `POST /contacts/import/${job.id}/undo`);
  expect(await said(posthorn, "bob@example.com")).toEqual([
    "subscribed by key",
    "unsubscribed by import contacts.csv",
    "subscribed by undo",
  ]);
  await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { contactIds: [other] } });
  await posthorn.settle();
  const [row] = (await ask(posthorn, `GET /contacts/${other}/consent?limit=1`)).body.data;
  expect(row).toMatchObject({ what: "unsubscribed", door: "bulk", by: { id: expect.any(String), name: null } });
  const bearer = (await ask(posthorn, "POST /keys", { body: { name: "Shop" } })).body.secret;
  await ask(posthorn, "POST /contacts/bulk-subscribe", { body: { contactIds: [other] }, key: { bearer } });
  await posthorn.settle();
  const sentences = async (language: string) => {
    const { data } = (await ask(posthorn, `GET /contacts/${other}/consent?language=${language}&limit=3`)).body;
    return data.map(({ text }: { text: string }) => text);
  };
  expect(await sentences("en")).toEqual([
    "Subscribed by a change of many contacts, begun with the API key “Shop”.",
    "Unsubscribed by a change of many contacts, begun with an API key.",
    "Subscribed because an import was undone, begun with an API key.",
  ]);
  expect(await sentences("de")).toEqual([
    "Abonniert durch eine Änderung vieler Kontakte, begonnen mit dem API-Schlüssel „Shop“.",
    "Abbestellt durch eine Änderung vieler Kontakte, begonnen mit einem API-Schlüssel.",
    "Abonniert, weil ein Import rückgängig gemacht wurde, begonnen mit einem API-Schlüssel.",
  ]);
});

test("an import that says where people agreed says so in their rows, for those whom it subscribes or asks (slow)", async () => {
  await using posthorn = await workspace();
  const consent = "Checkout form, spring 2026";
  await imported(posthorn, "email\nada@example.com\n", { fields: { marketing: "yes", consent } });
  await imported(posthorn, "email\nbob@example.com\n", { fields: { marketing: "confirm", consent } });
  await imported(posthorn, "email,subscribed\neve@example.com,yes\n", { fields: { marketing: "no" } });
  const rowsOf = async (email: string) => {
    const { id } = (await ask(posthorn, `GET /contacts/by-email/${email}`)).body;
    const { data } = (await ask(posthorn, `GET /contacts/${id}/consent`)).body;
    return data.map(({ what, source }: Json) => [what, source]);
  };
  expect(await rowsOf("ada@example.com")).toEqual([["subscribed", consent]]);
  expect(await rowsOf("bob@example.com")).toEqual([["asked", consent]]);
  expect(await rowsOf("eve@example.com")).toEqual([["subscribed", null]]);
  const { id } = (await ask(posthorn, "GET /contacts/by-email/ada@example.com")).body;
  const page = (await ask(posthorn, `GET /contacts/${id}/consent/page?language=de`)).body;
  expect(page).toContain("Ort der Einwilligung: „Checkout form, spring 2026“.");
});

test("a step of a workflow is named by its workflow", async () => {
  await using posthorn = await workspace();
  const steps = [{ type: "UPDATE_CONTACT", name: "Leave", config: { updates: {}, subscribed: false } }];
  const { id, name } = await made(
    posthorn,
    { name: "Goodbye", eventName: "bye", enabled: true, steps },
    "POST /workflows",
  );
  await made(posthorn, { email: ADA });
  await made(posthorn, { email: ADA, event: "bye" }, "POST /v1/track");
  await posthorn.settle();
  expect((await ledger(posthorn.store, ADA)).at(-1)).toMatchObject({
    what: "unsubscribed",
    door: "workflow",
    workflow: { id, name },
  });
});

test("an erasure takes what the ledger says of the person, and leaves a keyed hash with the numbers of the rows", async () => {
  await using posthorn = await workspace();
  const { id } = await made(posthorn, { email: ADA });
  await made(posthorn, { email: "bob@example.com" });
  await made(posthorn, { email: ADA, subscribed: false });
  await posthorn.settle();
  await made(posthorn, { email: ADA, subscribed: true });
  await ask(posthorn, `DELETE /contacts/${id}`);
  await posthorn.settle();
  const [bob, erased, ...others] = await ledger(posthorn.store);
  // Where a loop chains, it has not been there since the last of them.
  const rows = ENGINE === "sqlite" ? "1,3-4" : "1,3";
  expect(bob?.address).toBe("bob@example.com");
  expect(others).toEqual([]);
  expect(erased).toEqual({
    what: "erased",
    at: "2026-03-01T09:00:00.000Z",
    person: expect.stringMatching(/^[\w-]{20,}/),
    rows,
    unsubscribedAt: "2026-03-01T09:00:00.000Z",
    door: "key",
    by: { id: expect.any(String), name: null },
  });
});

test("the wording of a form is kept once, and the row has its digest", async () => {
  await using posthorn = await workspace();
  const wording = { version: 3, language: "en", text: "Yes, write to me about offers." };
  await posthorn.store.write(async (tx) => {
    for (const seq of [1, 2]) {
      const act = {
        door: "form",
        form: { id: "f", name: "Newsletter" },
        evidence: { ip: "203.0.113.7", wording },
      } as const;
      note(tx, { workspace: 1, contact: { seq, email: ADA }, what: "agreed", act });
    }
  });
  await posthorn.settle();
  const [agreed] = await ledger(posthorn.store, ADA);
  const digest = new Bun.CryptoHasher("sha256").update(wording.text).digest("hex");
  expect(agreed).toMatchObject({ what: "agreed", form: { name: "Newsletter" }, wording: { version: 3, digest } });
  const kept = await posthorn.store.read((reader) => reader.all`select text from consent_wordings`);
  expect(kept).toEqual([{ text: wording.text }]);
});

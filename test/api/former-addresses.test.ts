// Former addresses, of a merge or of a change of address: they find the contact that has another one now, at every
// door.
import { describe, expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { makeForm, send as sendForm } from "../forms/sending.ts";
import { imported } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import { bring, LETTER, received, startHouse } from "../support/outside.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { startSubmission, submit } from "../support/submission.ts";
import { DAY } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NOW = "ada@example.com";
const OLD = "ada@elsewhere.test";

async function person(posthorn: Posthorn, email: string, more: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email, ...more } })).body.id;
}

/** Each makes OLD a former address of somebody who is not subscribed; answers the contact's id. */
const WAYS = {
  "a merge": async (posthorn: Posthorn) => {
    const [into, from] = [await person(posthorn, NOW, { subscribed: false }), await person(posthorn, OLD)];
    await ask(posthorn, "POST /contacts/merge", { body: { into, from: [from] } });
    return into;
  },
  "a change of address": async (posthorn: Posthorn) => {
    const id = await person(posthorn, OLD, { subscribed: false });
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: NOW } });
    return id;
  },
};

const stays = async (posthorn: Posthorn, id: string, data: object = {}) => {
  await posthorn.settle();
  expect((await ask(posthorn, "GET /contacts")).body.total).toBe(1);
  const { body } = await ask(posthorn, `GET /contacts/${id}`);
  expect(body).toMatchObject({ email: NOW, subscribed: false, data });
};

describe.each(Object.entries(WAYS))("after %s", (way, made) => {
  test("what is tracked, made or imported is the contact's that stays", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    const tracked = (await ask(posthorn, "POST /v1/track", { body: { email: OLD, event: "visit", data: { a: 1 } } }))
      .body;
    expect(tracked.data.contact).toBe(id);
    const upserted = (await ask(posthorn, "POST /contacts", { body: { email: OLD, data: { b: 2 } } })).body;
    expect(upserted).toMatchObject({ id, email: NOW, _meta: { isNew: false } });
    const { result } = await imported(posthorn, `email,c\n${OLD},x\n${NOW},y\nAda@Elsewhere.test,z\n`);
    expect(result).toMatchObject({ createdCount: 0, failureCount: 0 });
    await stays(posthorn, id, { a: 1, b: 2, c: "z" });
  });

  test("rows of one request that name both addresses take nothing from each other", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    const bodies = [OLD, NOW, OLD, NOW].map((email, n) => ({ email, event: "visit", data: { [`k${n}`]: n } }));
    await Promise.all(bodies.map((body) => ask(posthorn, "POST /v1/track", { body })));
    await stays(posthorn, id, { k0: 0, k1: 1, k2: 2, k3: 3 });
  });

  test("mail goes where it was sent, as the contact's", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    const { emails } = (await ask(posthorn, "POST /v1/send", { body: { ...letter, to: [OLD, NOW] } })).body.data;
    expect(emails.map(({ contact }: Json) => contact)).toEqual([
      { id, email: NOW },
      { id, email: NOW },
    ]);
    const template = { name: "News", subject: "News", body: "<p>{{ email }}</p>", type: "MARKETING" };
    const news = (await ask(posthorn, "POST /templates", { body: template })).body.id;
    const marketing = { from: letter.from, to: OLD, template: news };
    expect((await ask(posthorn, "POST /v1/send", { body: marketing })).body.error.code).toBe("CONTACT_UNSUBSCRIBED");
    await stays(posthorn, id);
    expect(posthorn.transport.recipients.toSorted()).toEqual([OLD, NOW].toSorted());
    const again = await ask(posthorn, `POST /emails/${emails[0].email}/resend`);
    expect(again.status).toBe(201);
    await stays(posthorn, id);
  });

  test("a suppression of either address keeps mail from the former one", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    for (const address of [OLD, NOW]) {
      const one = (await ask(posthorn, "POST /suppressions", { body: { address } })).body;
      expect((await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD } })).status).toBe(400);
      await ask(posthorn, `DELETE /suppressions/${one.id}`);
    }
    await stays(posthorn, id);
  });

  test("a form asks the contact, and a segment takes it", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    await makeForm(posthorn);
    await sendForm(posthorn, { email: OLD });
    await stays(posthorn, id);
    const { id: segment } = (await ask(posthorn, "POST /segments", { body: { name: "S", type: "STATIC" } })).body;
    const emails = [OLD, "nobody@example.com"];
    const added = (await ask(posthorn, `POST /segments/${segment}/members`, { body: { emails } })).body;
    expect(added).toEqual({ added: 1, notFound: ["nobody@example.com"] });
    const explained = (await ask(posthorn, "POST /segments/explain", { body: { segmentId: segment, email: OLD } }))
      .body;
    expect([explained.contact, explained.matches]).toEqual([{ id, email: NOW }, true]);
    const removed = (await ask(posthorn, `DELETE /segments/${segment}/members`, { body: { emails } })).body;
    expect(removed).toEqual({ removed: 1 });
  });

  test("mail that it sends us, and what programs hand in for it by SMTP, is the contact's (slow)", async () => {
    const { posthorn, port } = await startHouse();
    await using _ = posthorn;
    const id = await made(posthorn);
    await bring({ port }, LETTER);
    await received(posthorn);
    const [mail] = (await ask(posthorn, "GET /emails?status=RECEIVED")).body.data;
    expect(mail).toMatchObject({ from: OLD, contactId: id });
    await stays(posthorn, id);
    const { posthorn: other, ports } = await startSubmission();
    await using __ = other;
    const theirs = await made(other);
    await submit({ posthorn: other, ports }, `From: ${letter.from}\nTo: ${OLD}\nSubject: Hi\n\nHello`, { to: [OLD] });
    await stays(other, theirs);
  });

  test("the API of another service finds it", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    const headers = { authorization: `Bearer ${posthorn.keys.secret}`, "content-type": "application/json" };
    const found = await fetch(`${posthorn.server.url}/compat/resend/contacts/${OLD}`, { headers });
    expect(await found.json()).toMatchObject({ id, unsubscribed: true });
    const body = JSON.stringify({ email: OLD, first_name: "Ada" });
    const created = await fetch(`${posthorn.server.url}/compat/resend/contacts`, { method: "POST", headers, body });
    expect(await created.json()).toMatchObject({ id });
    await stays(posthorn, id);
  });

  test("a look-up finds it once, and says which address is a former one", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    const emails = [` ${OLD.toUpperCase()}`, NOW, "nobody@example.com"];
    const { body } = await ask(posthorn, "POST /contacts/lookup", { body: { emails } });
    expect(body).toMatchObject({
      found: [{ id, email: NOW }],
      notFound: ["nobody@example.com"],
      former: [{ email: emails[0], contactId: id }],
    });
    expect(body.found).toHaveLength(1);
  });

  test("the check of an import counts it as the one that it would change", async () => {
    await using posthorn = await workspace();
    await made(posthorn);
    const csv = `email,plan\n${OLD},pro\n${NOW},pro\nnobody@example.com,pro\n`;
    const body = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${csv}\r\n--x--\r\n`;
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const reply = await ask(posthorn, "POST /contacts/import/check", { headers, body });
    expect(reply.body).toMatchObject({ created: 1, updated: 1, repeated: 1 });
  });

  test("it is not found by its former address, and the answer says who it is", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    const { status, body } = await ask(posthorn, `GET /contacts/by-email/${OLD}`);
    const [reason, values] =
      way === "a merge" ? ["merged", { mergedInto: id, contactId: id }] : ["former_address", { contactId: id }];
    expect([status, body.error.code, body.error.reason, body.error.values]).toEqual([
      404,
      "CONTACT_NOT_FOUND",
      reason,
      values,
    ]);
    expect((await ask(posthorn, "GET /contacts/by-email/nobody@example.com")).body.error.reason).toBeUndefined();
  });

  test("a link in a mail to the former address unsubscribes, and neither shows the present one nor subscribes", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: true, data: { secret: "hush" } } });
    await ask(posthorn, "PATCH /workspace", { body: { pageFields: [{ key: "secret" }] } });
    const mail = (await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD } })).body.data.emails[0].email;
    const links = linksFor(posthorn.secrets, posthorn.server.url, { contactId: id, emailId: mail });
    const page = await (await fetch(links.manageUrl)).text();
    expect([page.includes(OLD), page.includes(NOW), page.includes("hush")]).toEqual([true, false, false]);
    expect([page.includes('value="false"'), page.includes('value="true"'), page.includes("pause")]).toEqual([
      true,
      false,
      false,
    ]);
    await fetch(links.unsubscribeUrl, { method: "POST" });
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.subscribed).toBe(false);
    const after = await (await fetch(links.subscribeUrl, { method: "POST" })).text();
    expect([after.includes(NOW), after.includes("<button>")]).toEqual([false, false]);
    for (const asked of ["subscribed=true", "pause=30", "language=de"]) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      expect(await (await fetch(links.manageUrl, { method: "POST", headers, body: asked })).text()).not.toContain(NOW);
    }
    expect((await ask(posthorn, `GET /contacts/${id}`)).body).toMatchObject({ subscribed: false, pausedUntil: null });
    // That of a mail to the present address does all.
    const own = (await ask(posthorn, "POST /v1/send", { body: { ...letter, to: NOW } })).body.data.emails[0].email;
    const present = linksFor(posthorn.secrets, posthorn.server.url, { contactId: id, emailId: own });
    expect(await (await fetch(present.subscribeUrl, { method: "POST" })).text()).toContain(NOW);
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.subscribed).toBe(true);
  });

  test("an address that somebody has now is theirs", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    const bob = await person(posthorn, "bob@example.com");
    await ask(posthorn, `PATCH /contacts/${bob}`, { body: { email: OLD } });
    expect((await ask(posthorn, `GET /contacts/by-email/${OLD}`)).body.id).toBe(bob);
    posthorn.clock.advance(DAY);
    await ask(posthorn, `PATCH /contacts/${bob}`, { body: { email: "bob@example.net" } });
    expect((await ask(posthorn, `GET /contacts/by-email/${OLD}`)).body.error.values.contactId).toBe(bob);
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.email).toBe(NOW);
  });

  test("erased with the contact, it is anybody's", async () => {
    await using posthorn = await workspace();
    const id = await made(posthorn);
    await ask(posthorn, `DELETE /contacts/${id}`);
    await posthorn.settle();
    const again = (await ask(posthorn, "POST /contacts", { body: { email: OLD } })).body;
    expect([again.id === id, again.email, again._meta.isNew]).toEqual([false, OLD, true]);
    expect(await countOf(posthorn, "former_addresses")).toBe(0);
  });
});

test("the undo of a merge works after the old address was tracked, imported and written to", async () => {
  await using posthorn = await workspace();
  const [into, from] = [await person(posthorn, NOW, { subscribed: false }), await person(posthorn, OLD)];
  const merge = (await ask(posthorn, "POST /contacts/merge", { body: { into, from: [from] } })).body;
  await ask(posthorn, "POST /v1/track", { body: { email: OLD, event: "visit" } });
  await imported(posthorn, `email,subscribed\n${OLD},\n`);
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to: OLD } });
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  expect((await ask(posthorn, `POST /contacts/merges/${merge.id}/undo`)).status).toBeLessThan(300);
  await posthorn.settle();
  expect((await ask(posthorn, `GET /contacts/by-email/${OLD}`)).body).toMatchObject({ id: from, subscribed: true });
  expect((await ask(posthorn, `GET /contacts/by-email/${NOW}`)).body).toMatchObject({ id: into, subscribed: false });
});

test("a row of a file that says a former address bounced or complained is about that address", async () => {
  await using posthorn = await workspace();
  const id = await person(posthorn, OLD);
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: NOW } });
  const columns = JSON.stringify(["email", "subscribed"]);
  await imported(posthorn, `email,status\n${OLD},bounced\n`, { fields: { columns } });
  const { body } = await ask(posthorn, `GET /suppressions?address=${OLD}`);
  expect(body.data.map(({ reason }: Json) => reason)).toEqual(["bounce"]);
  expect((await ask(posthorn, `GET /contacts/${id}`)).body).toMatchObject({ suppressed: null, subscribed: true });
});

test("former addresses of one workspace are nobody's in another", async () => {
  await using posthorn = await workspace();
  await WAYS["a merge"](posthorn);
  const { secret: bearer } = await addWorkspace(posthorn, { name: "Other", domain: "other.test" });
  const { body } = await ask(posthorn, "POST /contacts", { body: { email: OLD }, key: { bearer } });
  expect([body.email, body._meta.isNew]).toEqual([OLD, true]);
});

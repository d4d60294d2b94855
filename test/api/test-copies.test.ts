// Test copies of campaigns and templates: whose data they show, to whom they go, and that they change nothing.
import { describe, expect, test } from "bun:test";
import { news, write } from "../support/campaigns.ts";
import { contentOf, headerFields, mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const BODY = "<p>{{ name }} {{ plan }} <i>{{ email }}</i> <b>{{ subscribed }}</b> {{ data.email }}</p>";
const letter = {
  name: "Letter",
  type: "MARKETING",
  subject: "Hello {{ name }}",
  body: BODY,
  from: "news@example.test",
};

/** A campaign and a template that say the same. */
const KINDS = [
  ["campaign", (posthorn: Posthorn) => write(posthorn, { ...news, subject: letter.subject, body: BODY })],
  ["template", async (posthorn: Posthorn) => (await ask(posthorn, "POST /templates", { body: letter })).body.id],
] as const;

const contact = async (posthorn: Posthorn, email: string, data: Json) =>
  (await ask(posthorn, "POST /contacts", { body: { email, data } })).body.id as string;

describe.each(KINDS)("a test copy of a %s", (kind, make) => {
  test("shows the data of the contact that is named, to each address once", async () => {
    await using posthorn = await workspace();
    const ada = await contact(posthorn, "ada@example.com", { name: "Ada" });
    await contact(posthorn, "boss@example.com", { name: "Boss", plan: "pro" });
    const id = await make(posthorn);
    const body = { email: "boss@example.com", emails: ["new@example.com", "Boss@example.com"], contactId: ada };
    const reply = await ask(posthorn, `POST /${kind}s/${id}/test`, { body });
    const copies = [
      { to: "boss@example.com", email: expect.any(String) },
      { to: "new@example.com", email: expect.any(String) },
    ];
    expect([reply.status, reply.body.data]).toEqual([200, { email: expect.any(String), emails: copies }]);
    expect(reply.body.data.email).toBe(reply.body.data.emails[0].email);
    const mails = await mailsSent(posthorn);
    expect(posthorn.transport.sent.map(({ envelope }) => envelope.recipient).toSorted()).toEqual([
      "boss@example.com",
      "new@example.com",
    ]);
    for (const mail of mails) {
      expect(contentOf(mail).subject).toBe("[TEST] Hello Ada");
      expect(contentOf(mail).html).toContain("<p>Ada  <i>ada@example.com</i> <b>true</b> ada@example.com</p>");
    }
    expect(JSON.stringify((await ask(posthorn, "GET /contacts")).body)).not.toContain("new@example.com");
  });

  test("shows the data of its recipient if no contact is named", async () => {
    await using posthorn = await workspace();
    await contact(posthorn, "boss@example.com", { name: "Boss" });
    const id = await make(posthorn);
    const reply = await ask(posthorn, `POST /${kind}s/${id}/test`, { body: { email: "boss@example.com" } });
    expect(reply.body.data).toEqual({ email: expect.any(String) });
    expect((await mailsSent(posthorn)).map((mail) => contentOf(mail).subject)).toEqual(["[TEST] Hello Boss"]);
  });

  test("unsubscribes nobody, and cannot be sent again", async () => {
    await using posthorn = await workspace();
    const ada = await contact(posthorn, "ada@example.com", { name: "Ada" });
    await contact(posthorn, "boss@example.com", {});
    const id = await make(posthorn);
    const body = { emails: ["ada@example.com", "boss@example.com"], contactId: ada };
    const { data } = (await ask(posthorn, `POST /${kind}s/${id}/test`, { body })).body;
    await posthorn.settle();
    for (const { raw } of posthorn.transport.sent) {
      const link = headerFields(raw as Buffer).find(({ name }) => name === "List-Unsubscribe")?.value ?? "";
      const path = new URL(link.slice(1, -1)).pathname;
      expect((await ask(posthorn, `POST ${path}`, { key: "none" })).status).toBe(200);
    }
    const { contacts, data: listed } = (await ask(posthorn, "GET /contacts")).body;
    expect((contacts ?? listed).map(({ subscribed }: Json) => subscribed)).toEqual([true, true]);
    expect((await ask(posthorn, `POST /emails/${data.email}/resend`)).body.error?.code).toBe("EMAIL_STATE");
  });

  test("is refused without an address, to more than ten, and for a contact of others", async () => {
    await using posthorn = await workspace();
    const id = await make(posthorn);
    const refused = async (body: Json) => {
      const { error } = (await ask(posthorn, `POST /${kind}s/${id}/test`, { body })).body;
      return [error?.code, ...(error?.errors ?? []).map(({ field }: Json) => field)];
    };
    const many = Array.from({ length: 10 }, (_, at) => `reader${at}@example.com`);
    expect(await refused({})).toEqual(["VALIDATION_ERROR", "email"]);
    expect(await refused({ emails: ["ada@example.com", "nobody"] })).toEqual(["VALIDATION_ERROR", "emails.1"]);
    expect(await refused({ email: "ada@example.com", emails: many })).toEqual(["VALIDATION_ERROR", "emails"]);
    expect(await refused({ emails: [...many, "ada@example.com"] })).toEqual(["VALIDATION_ERROR", "emails"]);
    const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const theirs = { key: { bearer: secret }, body: { email: "eve@example.com" } };
    const { id: eve } = (await ask(posthorn, "POST /contacts", theirs)).body;
    expect(await refused({ email: "ada@example.com", contactId: eve })).toEqual(["CONTACT_NOT_FOUND"]);
    expect((await ask(posthorn, `POST /${kind}s/${id}/test`, theirs)).status).toBe(404);
    expect(posthorn.transport.sent).toEqual([]);
  });
});

test("a test copy of a template is none of the mails sent from it", async () => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "POST /templates", { body: { ...letter, type: "TRANSACTIONAL" } })).body;
  await ask(posthorn, `POST /templates/${id}/test`, { body: { email: "ada@example.com" } });
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(1);
  expect((await ask(posthorn, `GET /emails?templateId=${id}`)).body.data).toEqual([]);
});

test("a template without a sender has no test copy", async () => {
  await using posthorn = await workspace();
  const { from, ...nameless } = letter;
  const { id } = (await ask(posthorn, "POST /templates", { body: nameless })).body;
  const { body } = await ask(posthorn, `POST /templates/${id}/test`, { body: { email: "ada@example.com" } });
  expect(body.error.errors).toEqual([expect.objectContaining({ field: "from", code: "required" })]);
});

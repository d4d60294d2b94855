// GET /emails/{id}/content: what a mail says, whichever way it went; and files of messages that were submitted.
import { expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { bring, startHouse, wire } from "../support/outside.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { idsIn, startSubmission, submit } from "../support/submission.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function content(posthorn: Posthorn, id: string): Promise<Json> {
  const { status, body } = await ask(posthorn, `GET /emails/${id}/content`);
  expect([id, status]).toEqual([id, 200]);
  return body;
}

const valueOf = ({ headers }: Json, name: string): string =>
  headers.find((header: Json) => header.name === name)?.value;

const FILES = `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain; charset=utf-8

Grüße
--c
Content-Type: text/html; charset=utf-8

<p>Grüße</p>
--c--
--b
Content-Type: text/plain; name=a.txt
Content-Disposition: attachment; filename=a.txt

Hello
--b--
`;

test("what a mail says is shown before and after it has left, without what counts opens and clicks (slow)", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { body } = await ask(posthorn, "POST /v1/send", {
    body: {
      ...letter,
      subject: "Größe {{ size }}",
      body: '<p>{{ size }} <a href="https://shop.example/a?b=1&amp;c=2">shop</a><img src="cid:logo"></p>',
      data: { size: "XL" },
      headers: { "X-Order": "17" },
      attachments: [
        {
          filename: "logo.png",
          content: "iVBORw0KGgo=",
          contentType: "image/png",
          disposition: "inline",
          contentId: "logo",
        },
      ],
    },
  });
  const id = body.data.emails[0].email;
  const said = {
    subject: "Größe XL",
    html: '<p>XL <a href="https://shop.example/a?b=1&amp;c=2">shop</a><img src="cid:logo"></p>',
    text: "XL shop [https://shop.example/a?b=1&c=2]",
    attachments: [
      { number: 0, filename: "logo.png", contentType: "image/png", disposition: "inline", contentId: "logo", size: 8 },
    ],
  };
  expect(await content(posthorn, id)).toMatchObject(said);
  await posthorn.settle();
  const after = await content(posthorn, id);
  expect(after).toMatchObject(said);
  expect(valueOf(after, "Message-ID")).toBe(`<${id}@example.test>`);
  expect(valueOf(after, "Subject")).toBe("Größe XL");
  expect(valueOf(after, "X-Order")).toBe("17");
  const raw = posthorn.transport.sent[0]?.raw.toString().replace(/\r\n[ \t]+/g, " ") ?? "";
  expect(raw).toContain("/c/");
  expect(raw.replaceAll(" ", "")).toContain(valueOf(after, "DKIM-Signature").replaceAll(" ", ""));
});

test("files of text that are shown inline are files, and no part of what a mail says (slow)", async () => {
  await using posthorn = await workspace();
  const page = (contentType: string) => {
    const file = { content: btoa("<p>Menu</p>"), contentType, disposition: "inline" };
    return { ...file, contentId: contentType.replace("/", ".") };
  };
  const attachments = [
    { ...page("text/html"), filename: "menu.html" },
    { ...page("text/plain"), filename: "menu.txt" },
  ];
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, body: "<p>Hi</p>", attachments } });
  const id = body.data.emails[0].email;
  const said = { html: "<p>Hi</p>", text: "Hi", attachments: [{ filename: "menu.html" }, { filename: "menu.txt" }] };
  expect(await content(posthorn, id)).toMatchObject(said);
});

test("a mail without a text part has no text", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, body: "<p>Hi</p>", text: "" } });
  expect(await content(posthorn, body.data.emails[0].email)).toMatchObject({ html: "<p>Hi</p>", text: null });
});

test("a message that was submitted is read, its files are listed, and it can be sent again as it was (slow)", async () => {
  const { posthorn, ports } = await startSubmission();
  await using _ = posthorn;
  const head =
    "From: hello@example.test\nTo: bob@example.com\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nMessage-ID: <m1@example.test>\n";
  const [id = ""] = idsIn(await submit({ posthorn, ports }, Buffer.from(wire(`${head}MIME-Version: 1.0\n${FILES}`))));
  const file = { number: 0, filename: "a.txt", contentType: "text/plain", disposition: "attachment", contentId: null };
  expect(await content(posthorn, id)).toMatchObject({
    ...{ subject: "Grüße", html: "<p>Grüße</p>", text: "Grüße" },
    attachments: [{ ...file, size: 5 }],
  });
  expect((await ask(posthorn, `GET /emails/${id}/attachments`)).body).toEqual([{ ...file, size: 5 }]);
  expect((await ask(posthorn, `GET /emails/${id}/attachments/0`)).body).toBe("Hello");
  expect((await ask(posthorn, `GET /emails/${id}/attachments/1`)).status).toBe(404);
  expect((await ask(posthorn, "GET /emails?search=m1@example.test")).body.data).toMatchObject([{ id }]);
  await posthorn.settle();
  const { body } = await ask(posthorn, `POST /emails/${id}/resend`);
  expect(body).toMatchObject({ resentFrom: id, messageId: "<m1@example.test>" });
  await posthorn.settle();
  const [first, second] = posthorn.transport.sent;
  const unsigned = (raw: Buffer | undefined) => raw?.toString().replace(/^DKIM-Signature:.*\r\n([ \t].*\r\n)*/gm, "");
  expect(unsigned(second?.raw)).toBe(unsigned(first?.raw) ?? "");
});

test("email from outside is shown as it came in (slow)", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const head = "From: ada@elsewhere.test\nTo: help@example.test\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nX-Odd: a\n  b\n";
  await bring({ port }, `${head}MIME-Version: 1.0\n${FILES}`);
  await posthorn.settle();
  const [{ id }] = (await ask(posthorn, "GET /emails?status=RECEIVED&limit=5")).body.data;
  const said = await content(posthorn, id);
  expect(said).toMatchObject({ subject: "Grüße", html: "<p>Grüße</p>", text: "Grüße", attachments: [{ size: 5 }] });
  expect(valueOf(said, "X-Odd")).toBe("a  b");
  for (const search of ["help@example.test", "ada@elsewhere.test", "Gr"])
    expect((await ask(posthorn, `GET /emails?search=${search}`)).body.data).toMatchObject([{ id }]);
  expect(await ask(posthorn, `POST /emails/${id}/resend`)).toMatchObject({
    ...{ status: 400, body: { error: { code: "EMAIL_STATE" } } },
  });
});

test("what a mail says is nobody else's, and gone with its person", async () => {
  await using posthorn = await workspace();
  const { body } = await ask(posthorn, "POST /v1/send", { body: letter });
  const [{ email: id, contact }] = body.data.emails;
  await posthorn.settle();
  const { secret } = await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" });
  expect((await ask(posthorn, `GET /emails/${id}/content`, { key: { bearer: secret } })).status).toBe(404);
  await ask(posthorn, `DELETE /contacts/${contact.id}`);
  expect((await ask(posthorn, `GET /emails/${id}/content`)).status).toBe(404);
});

test("a mail that cannot be composed has no content, and says why", async () => {
  await using posthorn = await workspace();
  const endless = "{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}";
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, body: endless } });
  const reply = await ask(posthorn, `GET /emails/${body.data.emails[0].email}/content`);
  expect([reply.status, reply.body.error.code]).toEqual([400, "EMAIL_STATE"]);
});

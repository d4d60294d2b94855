// The clients of Resend, SendGrid and Postmark in the versions that programs have, each unchanged but for its address.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
/** By the names that package.json has for the versions. */
const clients = new Map<string, Json>();

const RESEND = ["resend-2", "resend-3", "resend-4", "resend-6-0", "resend-6-6", "resend-6-12", "resend"];
const SENDGRID = ["sendgrid-mail-7", "@sendgrid/mail"];
const POSTMARK = ["postmark-2", "postmark-3", "postmark-4", "postmark"];
const TRANSPORT = "@documenso/nodemailer-resend";

beforeAll(async () => {
  posthorn = await workspace();
  // Most versions of Resend's client read it once, as they are loaded.
  process.env["RESEND_BASE_URL"] = `${posthorn.server.url}/compat/resend`;
  for (const name of [...RESEND, ...SENDGRID, ...POSTMARK, TRANSPORT]) clients.set(name, await import(name));
});
afterAll(async () => {
  delete process.env["RESEND_BASE_URL"];
  await posthorn[Symbol.asyncDispose]();
});

/** More numbers than a body may have items. */
const FILE = Buffer.from(Array.from({ length: 30_000 }, (_, at) => at % 256));
const letter = { from: "Shop <shop@example.test>", to: "ada@example.com", subject: "Hi", html: "<p>Hello</p>" };
const mailOf = async (id: string) => (await ask(posthorn, `GET /emails/${id}`)).body;

async function sentWith(id: string): Promise<string> {
  await posthorn.settle();
  return (
    posthorn.transport.sent
      .find((one) => one.id === id)
      ?.raw.toString()
      .replace(/\r\n/g, "") ?? ""
  );
}

/** Where the bytes stand in a message. */
const inBase64 = FILE.toString("base64");

describe.each(RESEND)("%s", (version) => {
  const made = (): Json => new (clients.get(version).Resend as new (key: string) => Json)(posthorn.keys.secret);

  test("sends an email with a file as a Buffer, as base64 and in the text", async () => {
    const { data, error } = await made().emails.send({
      ...letter,
      html: '<img src="cid:logo">',
      attachments: [
        { filename: "a.bin", content: FILE },
        { filename: "b.bin", content: inBase64 },
        { filename: "c.png", content: FILE, contentId: "logo", inlineContentId: "logo", content_id: "logo" },
      ],
    });
    expect(error).toBeNull();
    const raw = await sentWith(data.id);
    expect(raw.split(inBase64).length - 1).toBe(3);
    expect(raw).toContain("<logo>");
  });

  test("sends one whose other fields are empty, under a key, once", async () => {
    const empty = { cc: "", bcc: [""], reply_to: "", replyTo: "", text: "", attachments: [], tags: [], headers: {} };
    const key = `${version} `.padEnd(256, "x");
    const send = () => made().emails.send({ ...letter, ...empty }, { idempotencyKey: key });
    const { data, error } = await send();
    expect(error).toBeNull();
    expect(await mailOf(data.id)).toMatchObject({ to: "ada@example.com", replyTo: null });
    const takesKeys = !["resend-2", "resend-3"].includes(version);
    expect((await send()).data.id === data.id).toBe(takesKeys);
  });

  test("sends a batch, and is told why one is refused", async () => {
    const { data, error } = await made().batch.send([letter, { ...letter, to: "bob@example.com" }]);
    expect([error, data.data.length]).toEqual([null, 2]);
    const refused = await made().emails.send({ ...letter, attachments: [{ filename: "a.bin" }] });
    expect(refused.data).toBeNull();
    expect(refused.error).toMatchObject({ name: "validation_error" });
    expect(refused.error.message).toStartWith("attachments.0.content: ");
  });
});

describe.each(SENDGRID)("%s", (version) => {
  const made = (): Json => {
    const service = new (clients.get(version).MailService as new () => Json)();
    service.setApiKey(posthorn.keys.secret);
    service.client.setDefaultRequest("baseUrl", `${posthorn.server.url}/compat/sendgrid`);
    return service;
  };
  const sent = async (email: object) => {
    const [{ statusCode, headers }] = await made().send({ ...letter, ...email });
    expect(statusCode).toBe(202);
    return headers["x-message-id"];
  };

  test("sends an email with a file, to several, with copies", async () => {
    const attachments = [{ filename: "a.bin", content: inBase64, type: "application/pdf", disposition: "attachment" }];
    const id = await sent({ to: ["ada@example.com", "bob@example.com"], cc: "cyd@example.com", attachments });
    expect(await sentWith(id)).toContain(inBase64);
  });

  test("sends what Strapi's provider hands it, with a callback, and what Medusa's does", async () => {
    const empty = { cc: undefined, bcc: "", replyTo: "", text: "Hello" };
    const [{ statusCode }] = await new Promise<Json>((resolve, reject) =>
      made().send({ ...letter, ...empty }, false, (fault: unknown, answer: Json) =>
        fault ? reject(fault) : resolve(answer),
      ),
    );
    expect(statusCode).toBe(202);
    const attachments = [
      { content: inBase64, filename: "a.pdf", content_type: "application/pdf", disposition: "attachment" },
    ];
    expect(await sentWith(await sent({ dynamicTemplateData: { order: 7 }, attachments }))).toContain(inBase64);
  });

  test("sends a template with data", async () => {
    const template = {
      name: version,
      alias: `d-${version.replace("@", "").replace("/", "-")}`,
      subject: "Bill {{ nr }}",
      body: "<p>{{ nr }}</p>",
    };
    await ask(posthorn, "POST /templates", { body: { ...template, type: "TRANSACTIONAL" } });
    const bill = { from: letter.from, to: letter.to, templateId: template.alias, dynamicTemplateData: { nr: 7 } };
    const [{ headers }] = await made().send(bill);
    expect(await sentWith(headers["x-message-id"])).toContain("<p>7</p>");
  });
});

describe.each(POSTMARK)("%s", (version) => {
  const made = (): Json => {
    const { host } = new URL(posthorn.server.url);
    const options = { requestHost: `${host}/compat/postmark`, useHttps: false };
    return new (clients.get(version).ServerClient as new (key: string, options: object) => Json)(
      posthorn.keys.secret,
      options,
    );
  };
  const mail = { From: letter.from, To: letter.to, Subject: letter.subject, HtmlBody: letter.html };

  test("sends an email with a file, and a batch", async () => {
    const Attachments = [{ Name: "a.bin", Content: inBase64, ContentID: "", ContentType: "application/pdf" }];
    const { ErrorCode, MessageID } = await made().sendEmail({ ...mail, Cc: "", ReplyTo: "", Attachments });
    expect(ErrorCode).toBe(0);
    expect(await sentWith(MessageID)).toContain(inBase64);
    const answers: Json[] = await made().sendEmailBatch([mail, { ...mail, To: "nobody" }]);
    expect(answers.map((one) => one.ErrorCode)).toEqual([0, 300]);
  });

  test("reads why an address is inactive", async () => {
    await ask(posthorn, "POST /suppressions", { body: { address: "gone@example.com" } });
    const refused = await made()
      .sendEmail({ ...mail, To: "gone@example.com" })
      .catch((fault: Json) => fault);
    expect([refused.statusCode, refused.code]).toEqual([422, 406]);
  });
});

test("Documenso's transport sends an email of nodemailer's with a file", async () => {
  const { ResendTransport } = clients.get(TRANSPORT);
  const transport = ResendTransport.makeTransport({ apiKey: posthorn.keys.secret });
  const from = { name: "Shop", address: "shop@example.test" };
  const data = {
    ...letter,
    from,
    to: { name: "Ada", address: "ada@example.com" },
    attachments: [{ filename: "a.bin", content: FILE }],
  };
  const sent = await new Promise<Json>((resolve, reject) =>
    transport.send({ data }, (fault: unknown, answer: Json) => (fault ? reject(fault) : resolve(answer))),
  );
  expect(await sentWith(sent.id)).toContain(inBase64);
});

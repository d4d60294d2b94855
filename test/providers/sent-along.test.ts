// Our id of a mail, sent along to the relay's provider (src/sending/carrier/sent-along.ts).
import { describe, expect, test } from "bun:test";
import { messageAlong } from "../../src/sending/carrier/sent-along.ts";
import { PROVIDERS, type ProviderName } from "../../src/mail/providers/table.ts";
import { letter, mailSent } from "../support/mails.ts";
import { KEYS } from "../support/providers.ts";
import { workspace } from "../support/workspace.ts";

const FIELDS: Readonly<Record<ProviderName, (id: string) => readonly [string, string]>> = {
  mailgun: (id) => ["x-mailgun-variables", `{"posthorn-id":"${id}"}`],
  sendgrid: (id) => ["x-smtpapi", `{"unique_args":{"posthorn-id":"${id}"}}`],
  sparkpost: (id) => ["x-msys-api", `{"metadata":{"posthorn-id":"${id}"}}`],
  postmark: (id) => ["x-pm-metadata-posthorn-id", id],
  brevo: (id) => ["x-mailin-custom", `posthorn-id:${id}`],
  mailjet: (id) => ["x-mj-customid", id],
  resend: (id) => ["x-posthorn-id", id],
  generic: (id) => ["x-posthorn-id", id],
};

/** What a client may try: more recipients, another mail's id. */
const FOREIGN = {
  "X-SMTPAPI": '{"to":["eve@example.com"]}',
  "x-mailgun-variables": '{"posthorn-id":"0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f"}',
  "X-PM-Metadata-order": "7",
  "X-MSYS-API": "{}",
  "X-Mailin-Custom": "a:b",
  "X-MJ-CustomID": "7",
  "X-Posthorn-Id": "7",
  "X-Own": "stays",
};
const PROVIDER = /^x-(smtpapi|mailgun|pm-|msys|mailin|mj-|posthorn)/;

describe.each(Object.keys(PROVIDERS) as ProviderName[])("to %s", (provider) => {
  test("each mail takes its id along, and nothing of a client's", async () => {
    const config = { relay: { provider, providerKey: KEYS[provider] } };
    await using posthorn = await workspace({ config });
    const { body } = await posthorn.call("POST /v1/send", { ...letter, headers: FOREIGN });
    const { headers } = await mailSent(posthorn);
    const id = body.data.emails[0].email;
    expect([...headers].filter(([name]) => PROVIDER.test(name))).toEqual([[...FIELDS[provider](id)]]);
    expect(headers.get("x-own")).toBe("stays");
  });

  test("a complete message does, too", () => {
    const fields = Object.entries(FOREIGN).map(([name, value]) => `${name}: ${value}\r\n`);
    const raw = Buffer.from(`Subject: a\r\n folded\r\n${fields.join("")}\r\nText: as it is\r\n`);
    const [name, value] = FIELDS[provider]("7");
    const lines = messageAlong(raw, "7", provider).toString().split("\r\n");
    expect(lines[0]?.toLowerCase()).toBe(`${name}: ${value}`.toLowerCase());
    expect(lines.slice(1)).toEqual(["Subject: a", " folded", "X-Own: stays", "", "Text: as it is", ""]);
  });
});

test("Amazon SES gets none of them, and a relay that is nobody's gets all", () => {
  const raw = Buffer.from("Subject: a\r\nX-SMTPAPI: {}\r\n\r\nText\r\n");
  expect(messageAlong(raw, "7", "none").toString()).toBe("Subject: a\r\n\r\nText\r\n");
  expect(messageAlong(raw, "7", null)).toBe(raw);
});

test("without a provider, the fields of a client leave as they are", async () => {
  await using posthorn = await workspace();
  await posthorn.call("POST /v1/send", { ...letter, headers: FOREIGN });
  const { headers } = await mailSent(posthorn);
  expect([...headers.keys()].filter((name) => PROVIDER.test(name))).toHaveLength(7);
});

// Whatever a field of a mail contains, it makes no header, no recipient and no body of its own (RFC 5322 §2.2).
import { describe, expect, test } from "bun:test";
import { imported } from "../support/files.ts";
import { contentOf, headerFields, letter, mailSent, mailsSent } from "../support/mails.ts";
import { startPosthorn, type Posthorn, type Reply } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";

const INJECTIONS = [
  "\r\nBcc: eve@evil.example",
  "\nBcc: eve@evil.example",
  "\rBcc: eve@evil.example",
  "\r\n Bcc: eve@evil.example",
  "\r\n\r\n<p>Evil</p>",
  "\n\n<p>Evil</p>",
  "\u2028Bcc: eve@evil.example",
  "\u0085Bcc: eve@evil.example",
  "\u000bBcc: eve@evil.example",
  "\u000cBcc: eve@evil.example",
  "\u001b[31mBcc: eve@evil.example",
  "\u560d\u560aBcc: eve@evil.example",
  "%0d%0aBcc: eve@evil.example",
  "=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=",
  "=?utf-8?b?DQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=",
  '"; boundary="evil',
  "<eve@evil.example>",
  ", eve@evil.example",
];

const PLACES: readonly [place: string, body: (text: string) => object][] = [
  ["the subject", (text) => ({ subject: `Hi${text}` })],
  ["a variable of the subject", (text) => ({ subject: "Hi {{ x }}", data: { x: text } })],
  ["a raw variable of the subject", (text) => ({ subject: "Hi {{{ x }}}", data: { x: text } })],
  ["a recipient's name", (text) => ({ to: { email: letter.to, name: `Ada${text}` } })],
  ["a recipient's name in a string", (text) => ({ to: `Ada${text} <${letter.to}>` })],
  ["a recipient", (text) => ({ to: `${letter.to}${text}` })],
  ["the sender's name", (text) => ({ from: { email: letter.from, name: `Shop${text}` } })],
  ["the name beside the sender", (text) => ({ name: `Shop${text}` })],
  ["the sender", (text) => ({ from: `${letter.from}${text}` })],
  ["the reply address", (text) => ({ reply: `help@example.test${text}` })],
  ["a header's name", (text) => ({ headers: { [`X-A${text}`]: "1" } })],
  ["a header's value", (text) => ({ headers: { "X-A": `1${text}` } })],
  ["a file's name", (text) => ({ attachments: [{ filename: `a${text}.txt`, content: "SGVsbG8=" }] })],
  [
    "a file's type",
    (text) => ({ attachments: [{ filename: "a.txt", content: "SGVsbG8=", contentType: `text/plain${text}` }] }),
  ],
  [
    "a file's content id",
    (text) => ({
      attachments: [{ filename: "a.txt", content: "SGVsbG8=", disposition: "inline", contentId: `a${text}` }],
    }),
  ],
];

/** Mails that are made of stored records. Each stores the text and lets one mail leave, or is refused on the way. */
type Stored = readonly [place: string, store: (posthorn: Posthorn, text: string) => Promise<Reply>];
const REFUSED = [409, 422];

const news = {
  name: "News",
  subject: "News",
  body: letter.body,
  from: letter.from,
  audienceType: "ALL",
};
const welcome = { name: "Welcome", subject: "Welcome", body: letter.body, type: "MARKETING", from: letter.from };

async function reader(posthorn: Posthorn, data: object = {}): Promise<Reply> {
  return ask(posthorn, "POST /contacts", { body: { email: letter.to, data } });
}

const campaign =
  (changes: (text: string) => object) =>
  async (posthorn: Posthorn, text: string): Promise<Reply> => {
    await reader(posthorn);
    const made = await ask(posthorn, "POST /campaigns", { body: { ...news, ...changes(text) } });
    if (REFUSED.includes(made.status)) return made;
    return ask(posthorn, `POST /campaigns/${made.body.data.id}/send`);
  };

const changedCampaign =
  (changes: (text: string) => object) =>
  async (posthorn: Posthorn, text: string): Promise<Reply> => {
    const { id } = (await ask(posthorn, "POST /campaigns", { body: news })).body.data;
    const changed = await ask(posthorn, `PUT /campaigns/${id}`, { body: changes(text) });
    if (REFUSED.includes(changed.status)) return changed;
    return ask(posthorn, `POST /campaigns/${id}/test`, { body: { email: letter.to } });
  };

const template =
  (changes: (text: string) => object) =>
  async (posthorn: Posthorn, text: string): Promise<Reply> => {
    const { id } = (await ask(posthorn, "POST /templates", { body: welcome })).body;
    const changed = await ask(posthorn, `PATCH /templates/${id}`, { body: changes(text) });
    if (REFUSED.includes(changed.status)) return changed;
    return ask(posthorn, "POST /v1/send", { body: { to: letter.to, template: id, subscribed: true } });
  };

const workspace =
  (changes: (text: string) => object) =>
  async (posthorn: Posthorn, text: string): Promise<Reply> => {
    const changed = await ask(posthorn, "PATCH /workspace", { body: changes(text) });
    return REFUSED.includes(changed.status) ? changed : campaign(() => ({}))(posthorn, "");
  };

/** The subject is what the event or the contact says. */
async function workflow(posthorn: Posthorn, eventName: string, subject: string): Promise<void> {
  const { id } = (await ask(posthorn, "POST /templates", { body: { ...welcome, subject } })).body;
  const steps = [{ type: "SEND_EMAIL", name: "Tell", config: { templateId: id } }];
  await ask(posthorn, "POST /workflows", { body: { name: "Flow", eventName, enabled: true, steps } });
}

const STORED: readonly Stored[] = [
  ["a campaign's name", campaign((text) => ({ name: `News${text}` }))],
  ["a campaign's subject", campaign((text) => ({ subject: `News${text}` }))],
  ["a campaign's sender", campaign((text) => ({ from: `${letter.from}${text}` }))],
  ["the name of a campaign's sender", campaign((text) => ({ fromName: `Shop${text}` }))],
  ["a campaign's reply address", campaign((text) => ({ replyTo: `help@example.test${text}` }))],
  ["a campaign's new subject", changedCampaign((text) => ({ subject: `News${text}` }))],
  ["the new name of a campaign's sender", changedCampaign((text) => ({ fromName: `Shop${text}` }))],
  ["a campaign's new sender", changedCampaign((text) => ({ from: `${letter.from}${text}` }))],
  ["a campaign's new reply address", changedCampaign((text) => ({ replyTo: `help@example.test${text}` }))],
  ["a template's name", template((text) => ({ name: `T${text}` }))],
  ["a template's subject", template((text) => ({ subject: `T${text}` }))],
  ["a template's sender", template((text) => ({ from: `${letter.from}${text}` }))],
  ["the name of a template's sender", template((text) => ({ fromName: `Shop${text}` }))],
  ["a template's reply address", template((text) => ({ replyTo: `help@example.test${text}` }))],
  ["the workspace's name", workspace((text) => ({ name: `Shop${text}` }))],
  ["the workspace's postal address", workspace((text) => ({ postalAddress: `Street 1${text}` }))],
  [
    "the name of the workspace's sender",
    async (posthorn, text) => {
      const named = { fromAddress: letter.from, fromName: `Shop${text}` };
      const changed = await ask(posthorn, "PATCH /workspace", { body: named });
      if (REFUSED.includes(changed.status)) return changed;
      return ask(posthorn, "POST /contacts", { body: { email: letter.to, doubleOptIn: true } });
    },
  ],
  [
    "the data of a contact",
    async (posthorn, text) => {
      await reader(posthorn, { name: `Ada${text}` });
      return campaign(() => ({ subject: "Hello {{{ name }}}" }))(posthorn, "");
    },
  ],
  [
    "a cell of an imported file",
    async (posthorn, text) => {
      await imported(posthorn, `email,name\n${letter.to},"Ada${text.replaceAll('"', '""')}"\n`);
      return campaign(() => ({ subject: "Hello {{{ name }}}" }))(posthorn, "");
    },
  ],
  [
    "an address of an imported file",
    async (posthorn, text) => {
      const { result } = await imported(posthorn, `email\n"${letter.to}${text.replaceAll('"', '""')}"\n`);
      return result.createdCount === 0
        ? { ...(await reader(posthorn)), status: 422 }
        : campaign(() => ({}))(posthorn, "");
    },
  ],
  [
    "a contact's new address",
    async (posthorn, text) => {
      const { id } = (await reader(posthorn)).body;
      const changed = await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: `${letter.to}${text}` } });
      return REFUSED.includes(changed.status) ? changed : campaign(() => ({}))(posthorn, "");
    },
  ],
  [
    "the data of an event",
    async (posthorn, text) => {
      await workflow(posthorn, "signup", "Hello {{{ event.plan }}}");
      return ask(posthorn, "POST /v1/track", { body: { email: letter.to, event: "signup", data: { plan: text } } });
    },
  ],
  [
    "a segment's name",
    async (posthorn, text) => {
      const made = await ask(posthorn, "POST /segments", { body: { name: `VIP${text}`, type: "STATIC" } });
      if (REFUSED.includes(made.status)) return made;
      await workflow(posthorn, `segment.${made.body.slug}.entry`, "Hello {{{ event.segmentName }}}");
      await reader(posthorn);
      return ask(posthorn, `POST /segments/${made.body.id}/members`, { body: { emails: [letter.to] } });
    },
  ],
  [
    "the recipient that a workflow names",
    async (posthorn, text) => {
      const { id } = (await ask(posthorn, "POST /templates", { body: { ...welcome, type: "TRANSACTIONAL" } })).body;
      const steps = [{ type: "SEND_EMAIL", name: "Tell", config: { templateId: id, to: `${letter.to}${text}` } }];
      const flow = { name: "Flow", eventName: "signup", enabled: true, steps };
      const made = await ask(posthorn, "POST /workflows", { body: flow });
      if (REFUSED.includes(made.status)) return made;
      return ask(posthorn, "POST /v1/track", { body: { email: "bob@example.com", event: "signup" } });
    },
  ],
];

const USUAL =
  /^(dkim-signature|from|to|reply-to|subject|message-id|date|x-a|mime-version|content-(type|transfer-encoding))$/i;
const OF_LISTS = /^(list-(id|unsubscribe|unsubscribe-post)|feedback-id|precedence|auto-submitted)$/i;

/** The one mail that has left has the usual header, one recipient and the body that was written. */
async function expectClean(posthorn: Posthorn): Promise<void> {
  const mail = await mailSent(posthorn);
  const raw = posthorn.transport.sent[0]?.raw as Buffer;
  const names = headerFields(raw).map(({ name }) => name);
  expect(names.filter((name) => !USUAL.test(name) && !OF_LISTS.test(name))).toEqual([]);
  expect(raw.toString("latin1")).not.toMatch(/[^\r]\n|\r[^\n]/);
  expect(posthorn.transport.recipients).toEqual([letter.to]);
  const to = Array.isArray(mail.to) ? mail.to : [mail.to];
  expect([to.flatMap((list) => list?.value.map(({ address }) => address)), mail.cc, mail.bcc]).toEqual([
    [letter.to],
    undefined,
    undefined,
  ]);
  const { html, from } = contentOf(mail);
  expect([from, html?.includes("<p>Evil</p>")]).toEqual([letter.from, false]);
}

/** One of each sort: what is stored is kept from headers in the same way as what is sent at once. */
const SORTS = ["\r\nBcc: eve@evil.example", "\n\n<p>Evil</p>", "\rBcc: eve@evil.example", INJECTIONS[13] as string];

test.each(STORED)("stored in %s, nothing becomes a header, a recipient or a body", async (_, store) => {
  for (const text of ["", ...SORTS]) {
    await using posthorn = await startPosthorn();
    const reply = await store(posthorn, text);
    if (text === "") expect(reply.status).toBeLessThan(300);
    if (!REFUSED.includes(reply.status)) await expectClean(posthorn);
  }
});

describe.each(PLACES)("in %s", (_, body) => {
  test("nothing becomes a header, a recipient or a body", async () => {
    await using posthorn = await startPosthorn();
    for (const text of INJECTIONS) {
      posthorn.transport.sent.length = 0;
      const reply = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...body(text) } });
      if (reply.status >= 400) {
        expect(reply.status).toBe(422);
        continue;
      }
      await expectClean(posthorn);
      const [{ html }] = (await mailsSent(posthorn)).map(contentOf) as [ReturnType<typeof contentOf>];
      expect(html).toBe(letter.body);
    }
  });
});

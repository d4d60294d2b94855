// What readers of a content share is made once, and each of them gets what would be made for them alone.
import { expect, test } from "bun:test";
import { Budget } from "../../src/content/templates/liquid/budget.ts";
import { tracked } from "../../src/sending/carrier/tracking/html.ts";
import { trackingMarks } from "../../src/sending/carrier/tracking/links.ts";
import { linksFor } from "../../src/content/rendering/links.ts";
import { draftContent, sharedContentOf, type MailDraft } from "../../src/content/rendering/draft.ts";
import { secretsOf } from "../../src/base/secrets.ts";

const secrets = secretsOf(Buffer.alloc(32, 7));
const BASE = "https://mail.example";
const READERS = ["a", "b", "c"].map((end) => `0199a3b4-0000-7000-8000-00000000000${end}`);
/** Prints nothing, and may be different for each reader: nothing is shared. */
const ALONE = "{% comment %}{% endcomment %}";
const OWN = "{{ unsubscribeUrl }}";
const terms = () => ({ budget: new Budget() });
const marksOf = (emailId: string) => trackingMarks(secrets, { base: BASE, boundTo: null }, emailId);

function draftFor(emailId: string, html: string, more: Partial<MailDraft> = {}): MailDraft {
  return {
    from: { address: "hello@shop.example", name: "Shop" },
    to: { address: "ada@people.example", name: null },
    subject: "News",
    preheader: null,
    html,
    text: null,
    contactData: '{"unsubscribeUrl":"mine","name":"Ada"}',
    requestData: null,
    subscribed: true,
    links: linksFor(secrets, BASE, { contactId: emailId, emailId }),
    marketing: { workspaceId: READERS[0] as string, batch: "b", postalAddress: "Shop\n1 Road", language: "en" },
    ...more,
  };
}

/** As it leaves, with its links led past us. */
function sent(emailId: string, draft: MailDraft) {
  const { html, text, own } = sharedContentOf(draft, terms());
  const untouched = Object.values(draft.links ?? {});
  return {
    isShared: own !== null,
    text: own ? own(text) : text,
    html: tracked(html, marksOf(emailId), untouched, own),
  };
}

const LINK = '<a href="https://shop.example/a">A</a>';
const BODIES: readonly [what: string, html: string, more?: Partial<MailDraft>][] = [
  ["the same for everybody", `<html><body><h1>News</h1><p>${"word ".repeat(40)}${LINK}</p></body></html>`],
  ["without a body", `<p>News ${LINK}</p>`],
  ["with links behind its end", `<body><p>News</p>${LINK}</body></html>${LINK}`],
  ["with two ends", `<body>${LINK}</body>${LINK}</body>${LINK}`],
  ["with the reader's own link", `<p>${LINK}<a href="${OWN}">Out</a></p><p>1 Road</p>`],
  [
    "with the own link in the text, in three braces",
    `<p>${"word ".repeat(12)}{{{ manageUrl }}} and {{subscribeUrl}}</p>`,
  ],
  ["with the own link as its words", `<p><a href="${OWN}">${OWN}</a></p>`],
  ["with the own link within another", `<a href="https://x.example/?to=${OWN}">A</a>`],
  ["with a table of data", `<table><tr><th>A</th><th>${OWN}</th></tr><tr><td>1</td><td>22</td></tr></table>`],
  ["as written text", `<pre>  ${OWN}\n  a</pre><blockquote>${OWN}</blockquote><ul><li>${OWN}</li></ul>`],
  ["with a part that is hidden", `<div style="display:none"><a href="${OWN}">Out</a></div>${LINK}`],
  ["with a preheader", `<body>${LINK}</body>`, { preheader: `Read ${OWN}` }],
  ["with a text", `<body>${LINK}</body>`, { text: `News\n${OWN}` }],
  ["with no HTML", "", { text: "News" }],
  ["for those who asked for it", `<body>${LINK}</body>`, { marketing: null }],
];

test.each(BODIES)(
  "a mail %s is for each of its readers as if it were made for that one alone",
  (_, html, more = {}) => {
    for (const id of [...READERS, ...READERS]) {
      const shared = sent(id, draftFor(id, html, more));
      const preheader = (more.preheader ?? "") + ALONE;
      const alone = sent(id, draftFor(id, html, { ...more, preheader }));
      expect([shared.isShared, alone.isShared]).toEqual([true, false]);
      expect({ html: shared.html, text: shared.text }).toEqual({ html: alone.html, text: alone.text });
      const { unsubscribeUrl } = linksFor(secrets, BASE, { contactId: id, emailId: id });
      if (more.marketing !== null) expect(shared.text + shared.html).toContain(unsubscribeUrl);
    }
  },
);

const LIKE_NO_OTHER: readonly [what: string, html: string][] = [
  ["names its reader", "<p>{{ name }}</p>"],
  ["changes the own link", "<p>{{ unsubscribeUrl | upcase }}</p>"],
  ["asks for the own link", "{% if unsubscribeUrl %}<p>News</p>{% endif %}"],
  ["has what stands for the own links", `<p>${"posthorn".repeat(8)}</p>`],
];
test.each(LIKE_NO_OTHER)("a mail that %s shares nothing", (_, html) => {
  const [ada = "", bob = ""] = READERS;
  expect(sharedContentOf(draftFor(ada, html), terms()).own).toBeNull();
  expect(draftContent(draftFor(bob, html), terms()).html).toContain(
    linksFor(secrets, BASE, { contactId: bob, emailId: bob }).unsubscribeUrl,
  );
});

test("what stands above a text, below it and where its links lead makes another content", () => {
  const [id = ""] = READERS;
  const html = `<body>${LINK}</body>`;
  const { marketing } = draftFor(id, html);
  const of = (more: Partial<MailDraft>) => draftContent(draftFor(id, html, more), terms());
  const other = linksFor(secrets, "https://news.shop.example", { contactId: id, emailId: id });
  expect(of({}).html).not.toContain("Above");
  expect(of({ preheader: "Above" }).html).toContain("Above");
  expect(of({ marketing: marketing && { ...marketing, postalAddress: "2 Street" } }).text).toContain("2 Street");
  expect(of({ marketing: marketing && { ...marketing, language: "de" } }).html).toContain('lang="de"');
  expect(of({ links: other }).html).toContain(other.unsubscribeUrl);
  expect(of({ text: "" }).text).toBe("");
  expect(of({}).text).toContain("1 Road");
});

test("a link of one reader that is written in a mail is that reader's own, and led past us for all others", () => {
  const [ada = "", bob = ""] = READERS;
  const { unsubscribeUrl } = linksFor(secrets, BASE, { contactId: ada, emailId: ada });
  const html = `<body><a href="${unsubscribeUrl}">Out</a></body>`;
  for (const id of [bob, ada, bob, ada]) {
    const shared = sent(id, draftFor(id, html));
    expect(shared.html.includes(`href="${unsubscribeUrl}"`)).toBe(id === ada);
    expect(shared.html).toBe(sent(id, draftFor(id, html, { preheader: ALONE })).html);
  }
});

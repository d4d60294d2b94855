// What mails with the same texts have in common is composed once: every byte is as if each had been composed by itself.
import { describe, expect, test } from "bun:test";
import { linksFor } from "../../src/contacts/sign-up/links.ts";
import { openBench, rawMessage, type Bench } from "../../src/delivery/carrier/carrier.ts";
import type { Handover } from "../../src/delivery/carrier/handover.ts";
import { cast, mouldOf } from "../../src/delivery/carrier/mould.ts";
import { trackingMarks } from "../../src/delivery/tracking/links.ts";
import { secretsOf } from "../../src/secrets.ts";
import { makeDkimKey } from "../../src/domains/dkim-key.ts";
import { seeded, type Random } from "../support/seeded.ts";

const secrets = secretsOf(Buffer.alloc(32, 7));
const BASE = "https://mail.example.com";
const { privateKeyPem } = await makeDkimKey();

type Content = Pick<
  Handover,
  "subject" | "preheader" | "html" | "text" | "headers" | "requestData" | "marketing" | "attachments"
> & { readonly isTracked: boolean };

const PLAIN: Content = {
  subject: "Hello",
  preheader: null,
  html: '<p>Hello! <a href="https://shop.example/">Our shop</a></p>',
  text: null,
  headers: null,
  requestData: null,
  marketing: null,
  attachments: [],
  isTracked: true,
};

const LETTER = {
  workspaceId: "0199a3b4-0000-7000-8000-0000000000f0",
  batch: "0199a3b4-0000-7000-8000-0000000000f1",
  postalAddress: "Main Street 1\nBerlin",
  language: "en",
} as const;

/** The nth mail of a content; every third recipient is Anna. */
function mail({ isTracked, ...content }: Content, number: number): Handover {
  const id = `0199a3b4-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
  const name = ["Anna", "Änne & Co", null, "Anna", "Bert <b>"][number % 5] ?? null;
  return {
    ...content,
    id,
    workspace: 1,
    messageId: `<${id}@shop.example>`,
    returnPath: `b+${number}@bounces.example`,
    dateMs: Date.parse("2026-11-23T10:00:00Z"),
    from: { address: "news@shop.example", name: "Shop" },
    to: { address: `r${number}@example.com`, name },
    replyTo: null,
    contactData: JSON.stringify({ name, city: "Köln", visits: number % 3 }),
    subscribed: true,
    links: linksFor(secrets, BASE, { contactId: id.replace(/^0199/, "0200"), emailId: id }),
    raw: null,
    dkim: { domain: "shop.example", selector: "s1", privateKeyPem },
    tracking: isTracked ? trackingMarks(secrets, BASE, id) : null,
  };
}

const raw = async (handover: Handover, bench: Bench = openBench()) =>
  (await rawMessage(handover, bench)).toString("latin1");

/** Five mails of a content by one thread, in turn with another's, and each by itself. */
async function expectSame(content: Content): Promise<void> {
  const bench = openBench();
  for (let number = 1; number <= 5; number++) {
    expect(await raw(mail(content, number), bench)).toBe(await raw(mail(content, number)));
    await raw(mail(PLAIN, number), bench);
  }
}

const LINKS = '<a href="https://shop.example/a?x=1&amp;y=2">A</a> <a href="https://shop.example/b">B</a>';
const CONTENTS: readonly [what: string, Partial<Content>][] = [
  ["without tracking", { isTracked: false }],
  ["without links", { html: "<p>Hello</p>" }],
  ["with several links", { html: `<p>${LINKS} ${LINKS}</p>` }],
  ["with a variable in a link", { html: '<a href="https://shop.example/{{ visits }}?m={{ email }}">A</a>' }],
  ["with a variable in the text", { html: `<p>Hello {{ name }}! ${LINKS}</p>` }],
  ["with conditions", { html: `{% if visits > 1 %}<p>${LINKS}</p>{% else %}<p>Welcome</p>{% endif %}` }],
  ["with links to the recipient's own pages", { html: '<a href="{{ unsubscribeUrl }}">x</a> {{ manageUrl }}' }],
  ["with an own page within a link", { html: '<a href="https://shop.example/?back={{ manageUrl }}">x</a>' }],
  ["with an own page in front of a boundary's beginning", { html: "<p>{{ manageUrl }}--=_x {{ manageUrl }}=_</p>" }],
  [
    "with the mail's own number",
    { html: "<p>{{ id }}</p>", requestData: '{"id":"0199a3b4-0000-7000-8000-000000000001"}' },
  ],
  ["with text beyond ASCII", { html: `<p>Grüße aus Köln 😀 ${LINKS}</p>`.repeat(5), subject: "Grüße" }],
  ["mostly beyond ASCII", { html: `<p>${"你好，世界。".repeat(40)}${LINKS}</p>` }],
  ["with long lines", { html: `<p>${"word ".repeat(100)}${LINKS}${"=".repeat(90)}</p>` }],
  ["with dots, tabs and spaces at ends of lines", { html: `<p>.\r\n.. \n\t\n${LINKS} \n.</p>` }],
  ["with NUL", { html: "<p>a\0token\0b {{ unsubscribeUrl }}</p>" }],
  ["with a whole document", { html: `<!doctype html><html><body class="x"><p>${LINKS}</p></body></html>` }],
  ["with a preheader", { preheader: "For {{ name }}, read this", html: `<body>${LINKS}</body>` }],
  ["with a text of its own", { text: "Hello {{ name }}\n\nsee {{ unsubscribeUrl }}" }],
  ["of text alone", { html: "", text: "Hello, and a long line ".repeat(20) }],
  ["without HTML and without text", { html: "", text: "" }],
  ["with headers", { headers: '{"X-Shop":"1","List-Unsubscribe":"<https://shop.example/off>"}' }],
  ["for marketing", { marketing: { ...LETTER } }],
  ["for marketing, in Arabic", { marketing: { ...LETTER, language: "ar" } }],
  ["for marketing, in German, with its text", { marketing: { ...LETTER, language: "de" }, text: "Hallo" }],
  ["for marketing, with its own way out", { marketing: { ...LETTER }, html: '<a href="{{unsubscribeUrl}}">off</a>' }],
  [
    "with a file",
    {
      attachments: [
        {
          filename: "a.txt",
          contentType: null,
          disposition: "attachment",
          contentId: null,
          content: Buffer.from("hi"),
        },
      ],
    },
  ],
];

describe("a mail", () => {
  test.each(CONTENTS)("%s is the same", (_what, content) => expectSame({ ...PLAIN, ...content }));

  const PIECES = [
    ...[
      "<p>",
      "</p>",
      "\n",
      " ",
      "Hello",
      "ü",
      "😀",
      "=",
      ".",
      "--",
      "=_",
      "<br>",
      "<td>",
      "<table><tr><td>",
      "</table>",
      "word ".repeat(30),
    ],
    ...[
      LINKS,
      "<a href='https://shop.example/{{ name }}'>",
      "</a>",
      "{{ name }}",
      "{{ unsubscribeUrl }}",
      "{{{ city }}}",
      "</body>",
    ],
    ...[
      "<!-- ",
      " -->",
      "<style>",
      "</style>",
      "&amp;",
      "{% if name %}",
      "{% endif %}",
      '<a href="https://shop.example/?u={{ manageUrl }}">',
    ],
  ];
  const oneOf = (random: Random): Content => ({
    ...PLAIN,
    html: random.text(PIECES, 12),
    text: random.below(3) === 0 ? random.text(PIECES, 6) : null,
    preheader: random.below(3) === 0 ? random.text(PIECES, 2) : null,
    marketing: random.below(2) === 0 ? { ...LETTER, language: random.pick(["en", "de", "fr"]) } : null,
    isTracked: random.below(4) > 0,
  });

  test("of any content is the same", async () => {
    const random = seeded(19);
    for (let round = 0; round < 150; round++) await expectSame(oneOf(random));
  }, 60_000);

  test("of a campaign is read and rewritten no more after the second", async () => {
    const bench = openBench();
    const content = { ...PLAIN, subject: "Hello {{ name }}", marketing: { ...LETTER } };
    for (const number of [1, 2]) await raw(mail(content, number), bench);
    expect(await readingsIn(() => raw(mail(content, 3), bench))).toBe(0);
    expect(await readingsIn(() => raw(mail({ ...content, html: "<p>Another one</p>" }, 3), bench))).toBe(1);
  });
});

/** How often the work reads HTML to track links. */
async function readingsIn(work: () => Promise<unknown>): Promise<number> {
  const globals = globalThis as unknown as { HTMLRewriter: typeof HTMLRewriter };
  const Real = globals.HTMLRewriter;
  let readings = 0;
  globals.HTMLRewriter = class extends Real {
    constructor() {
      super();
      readings++;
    }
  };
  try {
    await work();
    return readings;
  } finally {
    globals.HTMLRewriter = Real;
  }
}

describe("a campaign that names its readers", () => {
  const NAMES = ["Annabel", "Barbara", "Cecilia", "Dorothy", "Eleanor", "Florian", "Gabriel", "Hannibal", "Isabella"];
  const LETTERED: Content = {
    ...PLAIN,
    preheader: "{{ name }}, it's for you",
    html: `<h1>Dear {{ name }}</h1><p>Hello {{ name }}{{ name }}! <a href="https://shop.example/">For {{ name }}</a>`,
    marketing: { ...LETTER },
  };
  const to = (name: string, number: number, content = LETTERED) =>
    mail({ ...content, requestData: JSON.stringify({ name, id: number }) }, number);

  test.each<[what: string, content: Content, isRead: boolean]>([
    ["in its text", LETTERED, false],
    ["in its title as well", { ...LETTERED, html: `<title>{{ name }}</title>${LETTERED.html}` }, false],
    ["in both of its versions", { ...LETTERED, text: "Dear {{ name }}\n\nHello {{ name }}!" }, false],
    ["in a link", { ...LETTERED, html: `<a href="https://shop.example/{{ name }}">x</a>${LETTERED.html}` }, true],
    ["in an attribute", { ...LETTERED, html: `<p title="{{ name }}">x</p>${LETTERED.html}` }, true],
  ])("%s is read for some mails only, if nothing else depends on the names", async (_what, content, isRead) => {
    const bench = openBench();
    const send = (names: readonly string[]) =>
      readingsIn(async () => {
        for (const [index, name] of names.entries()) await raw(to(name, index + 1, content), bench);
      });
    const seven = NAMES.filter(({ length }) => length === 7);
    await send(seven.slice(1));
    const readings = await send(seven);
    expect(readings).toBe(isRead ? seven.length : 0);
  });

  test("and has the same address for all in a link is read for some mails only", async () => {
    const bench = openBench();
    const content = { ...LETTERED, html: `<a href="https://{{ shop }}/">x</a>{{ name }}` };
    const send = (number: number) =>
      raw(mail({ ...content, requestData: `{"shop":"shop.example","name":"n${number}"}` }, number), bench);
    for (let number = 10; number < 30; number++) await send(number);
    expect(await readingsIn(() => send(30))).toBe(0);
  });

  test("never shows one of them the name of another", async () => {
    const bench = openBench();
    const contents = [LETTERED, { ...LETTERED, text: "Dear {{ name }}\n\nHello {{ name }}!" }];
    for (let number = 1; number <= 60; number++) {
      const name = NAMES[(number * 7) % NAMES.length] as string;
      for (const content of contents) {
        const message = (await raw(to(name, number, content), bench)).replaceAll("=\r\n", "");
        expect(NAMES.filter((one) => message.includes(one))).toEqual([name]);
        expect(message.split(name).length - 1).toBe(content.text ? 7 : 9);
      }
    }
  });
});

describe("a mould", () => {
  const values = ["abcdefgh", "12345678"];
  const made = (make: (values: readonly string[]) => string) => {
    const bytes = (those: readonly string[]) => Buffer.from(make(those));
    return mouldOf(bytes, { values, bytes: bytes(values) });
  };

  test("takes other values of the same lengths, in any order, often, and across soft line breaks", () => {
    const make = ([one = "", other = ""]: readonly string[]) =>
      `${other}:${one.slice(0, 2)}=\r\n${one.slice(2)}${other}${one}.`;
    const mould = made(make);
    const others = ["--__--__", "ZZZZZZZZ"];
    expect(mould && cast(mould, others)?.toString()).toBe(make(others));
    expect(mould && cast(mould, ["short", "ZZZZZZZZ"])).toBeNull();
  });

  test("takes values that are as short as a character, and as long as a text", () => {
    const values = ["a", "b".repeat(5_000), "", "-"];
    const make = ([one = "", long = "", , other = ""]: readonly string[]) => `${one}${other}.${long}.${one}${one}`;
    const bytes = (those: readonly string[]) => Buffer.from(make(those));
    const mould = mouldOf(bytes, { values, bytes: bytes(values) });
    const others = ["-", "_".repeat(5_000), "", "x"];
    expect(mould && cast(mould, others)?.toString()).toBe(make(others));
  });

  test.each<[string, (values: readonly string[]) => string]>([
    ["more than the lengths of the values", ([one = ""]) => (one === "abcdefgh" ? "yes" : "no!")],
    ["a part of a value", ([one = ""]) => `<${one.slice(3)}>`],
    ["a value in another form", ([one = ""]) => one.toUpperCase()],
    ["whether a value ends in what begins a boundary", ([one = ""]) => `${one}=_`],
    ["whether a value goes on with it", ([one = ""]) => `--=${one}`],
    ["where a value's letters stand", ([one = "", other = ""]) => (one < other ? one + other : other + one)],
  ])("is not to be had of what depends on %s", (_what, make) => expect(made(make)).toBeNull());
});

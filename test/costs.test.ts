// What the dearest requests cost, by route: no request holds up all others for longer than its budget. Processor time
// of the thread that serves them, so a busy machine changes nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deflateSync, crc32 } from "node:zlib";
import { suppress } from "../src/audience/suppressions/suppression.ts";
import { costOf, MOST_MS, type Costly } from "./support/costs.ts";
import { documentOf, exampleOf, fieldsOf, operationsOf, withValue } from "./support/operations.ts";
import { startPosthorn, type Posthorn } from "./support/posthorn.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  const config = { limits: { requestsPerMinute: 0 }, compat: { mailgunHost: "mailgun.example" } };
  posthorn = await startPosthorn({ config });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const from = "shop@example.test";
const [MB, LISTED] = [1_000_000, 9_900];
const repeated = (piece: string, chars: number) => piece.repeat(Math.floor(chars / piece.length));
const addresses = (count: number, run: number, at = 0) =>
  Array.from({ length: count }, (_, n) => `r${run}-${at}-${n}@x.example`);

type Row = readonly [what: string, make: (run: number) => Costly, statuses: readonly number[]];

const DOORS: readonly Row[] = [
  ...[1, 10, 50].map((each): Row => [
    `a batch of 100 emails to ${each} people each`,
    (run) => ({
      route: "POST /v1/send/batch",
      body: {
        emails: Array.from({ length: 100 }, (_, at) => ({
          ...{ from, subject: "{{ nr }}", text: "{{ nr }}", tags: ["a", "b"], metadata: { order: "1" } },
          ...{ to: addresses(each, run, at), data: { nr: at }, persistent: true },
        })),
      },
    }),
    each > 10 ? [422] : [200],
  ]),
  ...[1, 10].map((files): Row => [
    `${files} files of Resend's as lists of 3.5 million numbers`,
    () => ({
      route: "POST /compat/resend/emails",
      body: {
        ...{ from, to: "ada@example.com", subject: "s", text: "t" },
        attachments: Array.from({ length: files }, (_, at) => ({
          filename: `${at}.bin`,
          content: Buffer.alloc(3_500_000 / files, 200),
        })),
      },
    }),
    [200],
  ]),
  [
    "a batch of Resend's to 5,000 people",
    (run) => ({
      route: "POST /compat/resend/emails/batch",
      body: Array.from({ length: 100 }, (_, at) => ({ from, to: addresses(50, run, at), subject: "s", text: "t" })),
    }),
    [422],
  ],
  ...["{{ ", "{% endraw %}", "{{ a | b }}", "{% if a %}x{% endif %}", "{{ a }}", "x"].flatMap((piece): Row[] => [
    [
      `a batch of 14 MB of ${piece}`,
      () => ({
        route: "POST /v1/send/batch",
        body: {
          emails: Array.from({ length: 100 }, (_, at) => {
            const text = at + repeated(piece, 0.14 * MB);
            return { from, to: "ada@example.com", subject: "s", body: text, data: at % 2 ? {} : undefined };
          }),
          mode: "each",
        },
      }),
      [200],
    ],
    [
      `Resend's batch of 14 MB of ${piece}`,
      () => ({
        route: "POST /compat/resend/emails/batch",
        body: Array.from({ length: 100 }, (_, at) => ({
          ...{ from, to: "ada@example.com", subject: "s", html: at + repeated(piece, 0.14 * MB) },
        })),
      }),
      [200, 422],
    ],
    ...[0.15, 0.5, 3, 14].flatMap((size): Row[] => [
      [
        `SendGrid's call for 100 people with ${size} MB of ${piece}`,
        () => ({ route: "POST /compat/sendgrid/v3/mail/send", body: sendgrid(repeated(piece, size * MB)) }),
        [202, 400],
      ],
      [
        `SendGrid's call for 100 people with substitutions in ${size} MB of ${piece}`,
        () => ({
          route: "POST /compat/sendgrid/v3/mail/send",
          body: sendgrid(repeated(piece, size * MB), { "{": "{{", a: "bb", x: "yy", "{%": "-" }),
        }),
        [202, 400],
      ],
    ]),
    [
      `Postmark's call with 14 MB of ${piece}`,
      () => ({
        route: "POST /compat/postmark/email",
        body: { From: from, To: "ada@example.com", Subject: "s", HtmlBody: repeated(piece, 14 * MB) },
      }),
      [422],
    ],
  ]),
  ...['"a",', '"\\', '"a <', "<>", ",", "a@b.cc,", '"A B" <a@b.cc>,'].flatMap((piece): Row[] => [
    [
      `Postmark's list of ${piece}`,
      () => ({
        route: "POST /compat/postmark/email",
        body: { From: from, To: repeated(piece, 5 * MB), Subject: "s", TextBody: "t" },
      }),
      [422],
    ],
    [
      `an address of ${piece}`,
      () => ({ route: "POST /v1/send", body: { from, to: repeated(piece, 5 * MB), subject: "s", text: "t" } }),
      [422],
    ],
  ]),
];

const MAILGUN_CALL = "POST /compat/mailgun/v3/example.test/messages";
const variables = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, value]));

/** To 1,000 people, each with their own values. */
function mailgun(run: number, html: string, own: object): FormData {
  const form = new FormData();
  const people = addresses(1_000, run);
  for (const [name, value] of Object.entries({ from, subject: "Hi %recipient.v0%", html })) form.append(name, value);
  for (const email of people) form.append("to", email);
  form.append("recipient-variables", JSON.stringify(Object.fromEntries(people.map((email) => [email, own]))));
  return form;
}

/** Of one field, or of so many. */
function formOf(name: string, value: string, count = 1): FormData {
  const form = new FormData();
  for (let at = 0; at < count; at++) form.append(name, value);
  if (name !== "to") form.append("to", "ada@example.com");
  return form;
}

const MAILGUN: readonly Row[] = [
  ...["%recipient.v0%", "{", "{{ ", "<p>x</p>"].flatMap((piece) =>
    [0.1, 0.45, 14].map((size): Row => [
      `a call of Mailgun's to 1,000 people with ${size} MB of ${piece}`,
      (run) => ({ route: MAILGUN_CALL, body: mailgun(run, repeated(piece, size * MB), variables(1, "Ada")) }),
      [200, 400],
    ]),
  ),
  [
    "a call of Mailgun's with 45 variables for each of 1,000 people",
    (run) => {
      const own = variables(45, "a value");
      const html = Object.keys(own).map((name) => `%recipient.${name}%`);
      return { route: MAILGUN_CALL, body: mailgun(run, html.join(" "), own) };
    },
    [200],
  ],
  [
    "a call of Mailgun's with long variables for each of 1,000 people",
    (run) => ({ route: MAILGUN_CALL, body: mailgun(run, "%recipient.v0%", variables(1, repeated("abc", 3_500))) }),
    [200],
  ],
  ...['"a",', '"a <', "<>,", ","].map((piece): Row => [
    `Mailgun's list of ${piece}`,
    () => ({ route: MAILGUN_CALL, body: formOf("to", repeated(piece, 0.49 * MB)) }),
    [400],
  ]),
  ...["[", "{}", '{"a":'].map((piece): Row => [
    `Mailgun's variables of ${piece}`,
    () => ({ route: MAILGUN_CALL, body: formOf("recipient-variables", repeated(piece, 4 * MB)) }),
    [400],
  ]),
  ...["o:tag", "v:x", "to", "x"].map((name): Row => [
    `a form of 4,900 fields ${name}`,
    () => ({ route: MAILGUN_CALL, body: formOf(name, "a@b.cc", 4_900) }),
    [400],
  ]),
  ["a form of 100,000 fields", () => ({ route: MAILGUN_CALL, body: formOf("x", "", 100_000) }), [400]],
  [
    "a complete message of 9 MB by Mailgun's call",
    () => {
      const message = `From: ${from}\nSubject: s\n\n${repeated("A line of text.\n", 9 * MB)}`;
      return { route: `${MAILGUN_CALL}.mime`, body: formOf("message", message) };
    },
    [200],
  ],
  [
    "14 MB of empty lines by Mailgun's call for a complete message",
    () => {
      const form = formOf("o:tag", "a");
      form.append("message", new Blob([repeated("\n", 14 * MB)]), "mime");
      return { route: `${MAILGUN_CALL}.mime`, body: form };
    },
    [400],
  ],
];

/** What is not JSON is read a second time, for the place of its fault. */
const BROKEN = [
  ...["\n", "1,", "{},", '"a",', "{"].map((piece) => ["[", piece] as const),
  ...["\\n", "x"].map((piece) => ['["', piece] as const),
].map(([begin, piece]): Row => [
  `14 MB of ${JSON.stringify(piece)} that are no JSON`,
  () => ({ route: "POST /v1/send", body: `${begin}${repeated(piece, 14 * MB)}}` }),
  [400, 422],
]);

function sendgrid(value: string, substitutions?: object) {
  const personalizations = addresses(100, 0).map((email) => ({ to: [{ email }], substitutions }));
  return { personalizations, from: { email: from }, subject: "s", content: [{ type: "text/html", value }] };
}

const link = '<a href="https://x.example/">a</a>';
const nested = "{% for a in (1..3000) %}{% for b in (1..3000) %}{{ a }}{{ b }}{% endfor %}{% endfor %}";
const texts = (body: string) => ({ name: "n", type: "MARKETING", subject: "s", body });
const WRITING: readonly Row[] = [
  link,
  nested,
  '<a href="{{ a }}">a</a>',
  "{{ <b>a</b> }}",
  '{{ a ?? "',
  "{{unsubscribe}}",
].flatMap((piece): Row[] => {
  const body = piece === nested ? nested : repeated(piece, 0.49 * MB);
  return [
    [
      `a preview of ${piece}`,
      () => ({ route: "POST /preview", body: { kind: "MARKETING", subject: "s", body } }),
      [200, 422],
    ],
    [`a template of ${piece}`, () => ({ route: "POST /templates", body: texts(body) }), [201, 422]],
    [
      `a campaign of ${piece}`,
      () => ({
        route: "POST /campaigns",
        body: { name: "n", from, audienceType: "ALL", subject: "s", body, text: body },
      }),
      [201, 422],
    ],
  ];
});

/** `fields` of each of so many items, which are new with each run. */
function applied(route: string, what: string, count: number, kind: string, fields: (at: number) => object): Row {
  const items = (run: number) =>
    Array.from({ length: count }, (_, at) => ({ kind, name: `${kind}-${run}-${at}`, fields: fields(at) }));
  return [`${route} with ${what}`, (run) => ({ route, body: { items: items(run) } }), [200]];
}
const days = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`day-${at}`, { type: "DELAY", config: { amount: 1, unit: "days" } }]),
);
/** What is undone is done twice on SQLite, so a plan is asked for half as much. */
const FILES: readonly Row[] = [["POST /content/plan", 0.5] as const, ["POST /content/apply", 1] as const].flatMap(
  ([route, part]) => [
    applied(route, `${500 * part} templates`, 500 * part, "templates", () => ({ subject: "s", body: "<p>x</p>" })),
    applied(route, `${1.9 * part} MB of templates`, 100 * part, "templates", () => ({
      subject: "s",
      body: repeated(link, 0.019 * MB),
    })),
    applied(route, `${48 * part} kB of code`, 100 * part, "templates", () => ({
      subject: "s",
      body: repeated("<p>{{ name }}</p>", 800),
    })),
    applied(route, `${1_000 * part} steps`, 50 * part, "workflows", () => ({
      trigger: { eventName: "signup" },
      steps: days,
    })),
  ],
);

const PICTURES: readonly Row[] = [
  [1_024, 16_384],
  [16_384, 1_024],
  [4_096, 4_096],
].map(([width = 0, height = 0]): Row => [
  `a picture of ${width} × ${height}`,
  () => ({ route: "POST /images", body: { name: "a.png", content: pngOf(width, height) } }),
  [201],
]);

const LISTS: readonly Row[] = [
  "/compat/sendgrid/v3/suppression/bounces?limit=500&offset=9500",
  "/compat/sendgrid/v3/suppression/unsubscribes?limit=500&offset=9500",
  "/compat/sendgrid/v3/suppression/blocks?limit=500&offset=9500",
  "/compat/mailgun/v3/example.test/bounces?limit=1000",
  "/compat/mailgun/v3/example.test/events?limit=300&event=accepted",
  "/compat/mailgun/v3/example.test/events?limit=300&tags=nothing",
  "/compat/postmark/message-streams/outbound/suppressions/dump",
  "/compat/postmark/message-streams/broadcast/suppressions/dump",
  "/compat/postmark/messages/outbound?count=500&offset=9500",
  "/compat/postmark/bounces?count=500&offset=9500",
  "/compat/resend/suppressions?limit=100",
  "/suppressions?limit=100",
  "/suppressions?search=zzz",
  "/contacts?limit=100&search=zzz",
].map((path): Row => [path, () => ({ route: `GET ${path}` }), [200, 422]]);

describe.each([
  ["a request to send", DOORS],
  ["a form", MAILGUN],
  ["what is written", WRITING],
  ["what is applied", FILES],
  ["a picture", PICTURES],
  ["what is no JSON", BROKEN],
] as const)("%s is within the budget", (_, rows) => {
  test.each(rows)("%s", async (_, make, statuses) => {
    const { ms, status, answer } = await costOf(posthorn, make);
    expect([statuses.includes(status), answer.slice(0, 200)]).toEqual([true, answer.slice(0, 200)]);
    expect(ms).toBeLessThan(MOST_MS);
  });
});

describe("a long list is within the budget", () => {
  beforeAll(async () => {
    await posthorn.store.write(async (tx) => {
      for (const target of addresses(LISTED, 0)) await suppress(tx, 1, { target, reason: "bounce", scope: "all" });
    });
    const contacts = addresses(LISTED, 1).map((email) => ({ email, subscribed: false }));
    for (let at = 0; at < LISTED; at += 100)
      await Promise.all(contacts.slice(at, at + 100).map((body) => posthorn.call("POST /contacts", { body })));
  });

  test.each(LISTS)("%s", async (_, make, statuses) => {
    const { ms, status } = await costOf(posthorn, make);
    expect(statuses).toContain(status);
    expect(ms).toBeLessThan(MOST_MS);
  });
});

test("every field of every route with 1.9 MB of anything is within the budget", async () => {
  const values: readonly unknown[] = [
    ...["{{ ", '"a",', "<a ", "a@b.cc ", "é"].map((piece) => repeated(piece, 0.9 * MB)),
    ...["", 7, []].map((item) => Array.from({ length: 300_000 }, () => item)),
  ];
  const dear: [name: string, ms: number][] = [];
  for (const one of operationsOf(await documentOf(posthorn))) {
    if (exampleOf(one) === undefined || one.name.startsWith("POST /providers/")) continue;
    const route = one.name.replace(/\{\w+\}/g, "0199a3b4-0000-7000-8000-000000000000");
    for (const field of fieldsOf(one))
      for (const value of values) {
        const body = JSON.stringify(withValue(exampleOf(one), field.path, value));
        const { ms } = await costOf(posthorn, { route, body }, 1);
        if (ms >= MOST_MS) dear.push([`${one.name} ${field.path.join(".")} ${body.slice(0, 60)}`, ms]);
      }
  }
  expect(dear).toEqual([]);
}, 600_000);

function pngOf(width: number, height: number): string {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  head[9] = 2;
  const rows = deflateSync(Buffer.alloc((width * 3 + 1) * height));
  const parts = [chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]).toString("base64");
}

function chunk(name: string, data: Buffer): Buffer {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(name, 4, "latin1");
  data.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
}

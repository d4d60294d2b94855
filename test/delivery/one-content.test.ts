// Mails of one content share what is made of it, and each is its recipient's all the same.
import { expect, test } from "bun:test";
import { createHmac, hkdfSync } from "node:crypto";
import { LeastCostFirst } from "../../src/base/brakes/least-cost-first.ts";
import { rawMessage } from "../../src/sending/carrier/carrier.ts";
import type { Handover } from "../../src/sending/carrier/handover.ts";
import { clickToken, trackingMarks } from "../../src/sending/carrier/tracking/links.ts";
import { secretsOf } from "../../src/base/secrets.ts";

const KEY = Buffer.alloc(32, 7);
const secrets = secretsOf(KEY);
const line = new LeastCostFirst();
const URL = "https://shop.example/track";
const WRITTEN = `<p>Größe and colour are as you wished: <a href="${URL}">follow it</a>.</p>`;
const ADA = { id: "0199a3b4-0000-7000-8000-00000000000a", address: "ada@people.example" };
const BOB = { id: "0199a3b4-0000-7000-8000-00000000000b", address: "bob@people.example" };
type Person = typeof ADA;

const marksOf = ({ id }: Person) => trackingMarks(secrets, { base: "https://mail.example", boundTo: null }, id);

function handoverTo(person: Person, html: string): Handover {
  const page = `https://mail.example/${person.id}`;
  return {
    id: person.id,
    workspace: 1,
    messageId: `<${person.id}@shop.example>`,
    returnPath: "bounces@shop.example",
    dateMs: 0,
    from: { address: "hello@shop.example", name: "Shop" },
    recipient: person.address,
    to: { address: person.address, name: null },
    group: null,
    replyTo: null,
    subject: "Your order",
    preheader: null,
    html,
    text: null,
    headers: null,
    contactData: null,
    requestData: null,
    subscribed: true,
    links: { unsubscribeUrl: page, subscribeUrl: page, manageUrl: page },
    sentAlong: null,
    marketing: null,
    attachments: [],
    raw: null,
    dkim: null,
    tracking: marksOf(person),
    move: null,
  };
}

/** Without the soft line breaks of quoted-printable, which could part a token. */
async function sent(person: Person, html: string): Promise<string> {
  return (await rawMessage(handoverTo(person, html), line)).toString("latin1").replaceAll("=\r\n", "");
}

/** Ada's mail with all that is hers replaced by what is Bob's. */
function asForBob(mail: string): string {
  const own = (person: Person) => [
    clickToken(marksOf(person), URL),
    marksOf(person).openToken,
    person.id,
    person.address,
  ];
  return own(ADA).reduce((text, one, at) => text.replaceAll(one, own(BOB)[at] as string), mail);
}

for (const [what, html] of [
  ["is the same for everybody", WRITTEN],
  ["names the reader", `${WRITTEN}<p>{{ email }} <a href="{{ unsubscribeUrl }}">unsubscribe</a></p>`],
] as const)
  test(`two mails of a content that ${what} differ only in what is each reader's own`, async () => {
    const [ada, bob] = [await sent(ADA, html), await sent(BOB, html)];
    expect(ada).toContain("text/plain");
    expect(ada).not.toBe(bob);
    expect(asForBob(ada)).toBe(bob);
    expect(await sent(ADA, html)).toBe(ada);
  });

test("signs as HMAC with SHA-256 does, each time anew", () => {
  const key = Buffer.from(hkdfSync("sha256", KEY, "posthorn", "sign", 32));
  for (const purpose of ["one", "two", "one"]) {
    const wanted = createHmac("sha256", key).update(`${purpose}\0bytes`).digest().subarray(0, 12);
    expect(secrets.sign(purpose, Buffer.from("bytes"), 12)).toEqual(wanted);
  }
});

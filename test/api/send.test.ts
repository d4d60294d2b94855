// POST /v1/send: every form that a mail can be asked for in, and what reaches the recipient.
import { describe, expect, test } from "bun:test";
import { contentOf, letter, mailSent, mailsSent } from "../support/mails.ts";
import { ask, countOf } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

describe("the recipients", () => {
  const shared = sharedPosthorn();
  const forms: readonly [form: unknown, addressees: readonly (readonly [address: string, name: string])[]][] = [
    ["ada@example.com", [["ada@example.com", ""]]],
    [" ADA@Example.COM ", [["ada@example.com", ""]]],
    ["Ada Lovelace <ada@example.com>", [["ada@example.com", "Ada Lovelace"]]],
    ['"Lovelace, Ada" <ada@example.com>', [["ada@example.com", "Lovelace, Ada"]]],
    [{ email: "ada@example.com" }, [["ada@example.com", ""]]],
    [{ email: "ada@example.com", name: "Ada" }, [["ada@example.com", "Ada"]]],
    [{ email: "ada@example.com", name: null }, [["ada@example.com", ""]]],
    [{ email: "ada@example.com", name: "" }, [["ada@example.com", ""]]],
    [{ email: "ada@example.com", name: "Ædå 🚀" }, [["ada@example.com", "Ædå 🚀"]]],
    [["ada@example.com"], [["ada@example.com", ""]]],
    [
      ["ada@example.com", { email: "bob@example.com", name: "Bob" }, "Cy <cy@example.com>"],
      [
        ["ada@example.com", ""],
        ["bob@example.com", "Bob"],
        ["cy@example.com", "Cy"],
      ],
    ],
  ];

  test.each(forms)("can be given as %j", async (to, addressees) => {
    const posthorn = shared();
    const { status, body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to } });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        emails: addressees.map(([email]) => ({ contact: { id: UUID, email }, email: UUID })),
        timestamp: "2026-03-01T09:00:00.000Z",
      },
    });
    const mails = await mailsSent(posthorn);
    expect(mails.map(({ to }) => (Array.isArray(to) ? to : to?.value))).toEqual(
      addressees.map(([address, name]) => [{ address, name }]),
    );
    expect(posthorn.transport.recipients.sort()).toEqual(addressees.map(([address]) => address));
  });

  test("can be fifty, each with a mail of its own that names nobody else (slow)", async () => {
    await using posthorn = await workspace();
    const to = Array.from({ length: 50 }, (_, index) => `u${index}@example.com`);
    const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to } });
    expect(body.data.emails.map((item: { contact: { email: string } }) => item.contact.email)).toEqual(to);
    await mailsSent(posthorn);
    expect(posthorn.transport.recipients.sort()).toEqual([...to].sort());
    for (const { raw } of posthorn.transport.sent) expect(raw.toString().match(/u\d+@example\.com/g)).toHaveLength(1);
  });

  test("get one mail if they are named twice", async () => {
    await using posthorn = await workspace();
    const to = ["ada@example.com", "bob@example.com", { email: "ADA@example.com", name: "Ada" }];
    const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to } });
    const [ada, bob, adaAgain] = body.data.emails;
    expect(adaAgain).toEqual(ada);
    expect(bob.contact.email).toBe("bob@example.com");
    expect(await countOf(posthorn, "emails")).toBe(2);
  });
});

describe("the sender", () => {
  const shared = sharedPosthorn();
  const forms: readonly [body: object, address: string, name: string][] = [
    [{ from: "hello@example.test" }, "hello@example.test", ""],
    [{ from: "HELLO@EXAMPLE.TEST" }, "hello@example.test", ""],
    [{ from: "Shop <hello@example.test>" }, "hello@example.test", "Shop"],
    [{ from: '"Shop, Inc." <hello@example.test>' }, "hello@example.test", "Shop, Inc."],
    [{ from: { email: "hello@example.test" } }, "hello@example.test", ""],
    [{ from: { email: "hello@example.test", name: "Shop" } }, "hello@example.test", "Shop"],
    [{ from: "hello@example.test", name: "Shop" }, "hello@example.test", "Shop"],
    [{ from: { email: "hello@example.test", name: "Shop" }, name: "Other" }, "hello@example.test", "Shop"],
    [{ from: "hello@example.test", name: null }, "hello@example.test", ""],
  ];

  test.each(forms)("can be given as %j", async (body, address, name) => {
    const posthorn = shared();
    await ask(posthorn, "POST /v1/send", { body: { ...letter, ...body } });
    expect((await mailSent(posthorn)).from?.value).toEqual([{ address, name }]);
  });

  test("may use a verified domain only, and a part of one is another domain", async () => {
    await using posthorn = await workspace();
    for (const from of ["hello@mail.example.test", "hello@ample.test", "hello@example.test.evil.example"]) {
      const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, from } });
      expect(body.error.code).toBe("DOMAIN_NOT_VERIFIED");
    }
  });
});

describe("the content", () => {
  const shared = sharedPosthorn();
  test("is sent as HTML with a text made from it", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /v1/send", { body: { ...letter, body: "<p>Hello <b>Ada</b></p>" } });
    const content = contentOf(await mailSent(posthorn));
    expect(content).toMatchObject({ subject: "Hi", html: "<p>Hello <b>Ada</b></p>", text: "Hello Ada" });
  });

  test("has the text that is given", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /v1/send", { body: { ...letter, text: "Written by hand" } });
    expect(contentOf(await mailSent(posthorn)).text).toBe("Written by hand");
  });

  test("has no text if the text is empty", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /v1/send", { body: { ...letter, text: "" } });
    expect(contentOf(await mailSent(posthorn))).toMatchObject({ text: null, html: "<p>Hello</p>" });
  });

  test("goes with the reply address and the headers that are given", async () => {
    await using posthorn = await workspace();
    const headers = {
      "X-Campaign": "spring",
      "List-Unsubscribe": "<https://example.test/out>",
      "In-Reply-To": "<1@example.com>",
    };
    await ask(posthorn, "POST /v1/send", { body: { ...letter, reply: "Help@Example.test", headers } });
    const mail = await mailSent(posthorn);
    expect(mail.replyTo?.value).toEqual([{ address: "help@example.test", name: "" }]);
    expect(mail.headers.get("x-campaign")).toBe("spring");
    expect(mail.inReplyTo).toBe("<1@example.com>");
  });

  test.each<[string, object, string]>([
    ["by its object", { from: { email: letter.from, name: '"The Shop"' } }, "The Shop"],
    ["beside its address", { from: '"The Shop" <hello@example.test>' }, "The Shop"],
    ["by itself", { name: '"Shop \\"&\\" Co"' }, 'Shop "&" Co'],
    ["and a lone quotation mark stays", { name: '12" records' }, '12" records'],
  ])("loses one pair of quotes round the sender's name, given %s", async (_, fields, name) => {
    const posthorn = shared();
    await ask(posthorn, "POST /v1/send", { body: { ...letter, ...fields } });
    expect((await mailSent(posthorn)).from?.value).toEqual([{ address: letter.from, name }]);
  });

  test.each(["Help Desk", "Häuser, Ilse", 'The "Desk"'])("has a name beside the reply address: %s", async (name) => {
    const posthorn = shared();
    const reply = `"${name.replaceAll('"', '\\"')}" <Help@Example.test>`;
    await ask(posthorn, "POST /v1/send", { body: { ...letter, reply } });
    expect((await mailSent(posthorn)).replyTo?.value).toEqual([{ address: "help@example.test", name }]);
  });

  test("may be 998 characters of subject and a body of a megabyte", async () => {
    await using posthorn = await workspace();
    const subject = "ü".repeat(998);
    const body = `<p>${"long ".repeat(200_000)}</p>`;
    expect((await ask(posthorn, "POST /v1/send", { body: { ...letter, subject, body, text: "" } })).status).toBe(200);
    const content = contentOf(await mailSent(posthorn));
    expect([content.subject === subject, content.html === body]).toEqual([true, true]);
  });
});

describe("sendAt", () => {
  const shared = sharedPosthorn();
  const times: readonly [sendAt: string, kept: string][] = [
    ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T12:00:00.5+02:00", "2026-03-01T10:00:00.500Z"],
    ["2026-03-01T10:00Z", "2026-03-01T10:00:00.000Z"],
    ["2027-03-02T09:00:00.000Z", "2027-03-02T09:00:00.000Z"],
    ["2026-02-28T09:00:00Z", "2026-03-01T09:00:00.000Z"],
  ];

  test.each(times)("%s keeps the mail until %s", async (sendAt, kept) => {
    const posthorn = shared();
    const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, sendAt } });
    const record = (await ask(posthorn, `GET /emails/${body.data.emails[0].email}`)).body;
    expect(record).toMatchObject({ status: "QUEUED", scheduledFor: kept });
  });

  test("of the past does not overtake what waits already (slow)", async () => {
    await using posthorn = await workspace({ config: { delivery: { concurrency: 1, ratePerSecond: 1 } } });
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "first@example.com" } });
    posthorn.clock.advance(1);
    await ask(posthorn, "POST /v1/send", {
      body: { ...letter, to: "second@example.com", sendAt: "2025-01-01T00:00:00Z" },
    });
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual(["first@example.com"]);
  });
});

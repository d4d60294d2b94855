// The attachments of POST /v1/send: what may be sent along, and what arrives of it.
import { describe, expect, test } from "bun:test";
import { letter, mailSent } from "../support/mails.ts";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const base64 = (bytes: number | string) =>
  (typeof bytes === "string" ? Buffer.from(bytes) : Buffer.alloc(bytes, 7)).toString("base64");
const file = { filename: "a.txt", content: base64("Hello") };
const MEGABYTE = 1024 * 1024;

describe("an attachment", () => {
  const cases: readonly [given: object, arrived: object][] = [
    [{ filename: "a.txt" }, { filename: "a.txt", contentType: "text/plain", contentDisposition: "attachment" }],
    [
      { filename: "a.pdf", contentType: "application/pdf" },
      { filename: "a.pdf", contentType: "application/pdf" },
    ],
    [
      { filename: "a", type: "image/png" },
      { filename: "a", contentType: "image/png" },
    ],
    [{ filename: "a", contentType: "image/png", type: "image/gif" }, { contentType: "image/png" }],
    [{ filename: "a.png", contentType: "", type: "" }, { contentType: "image/png" }],
    [{ filename: "a", contentType: "", type: "image/gif" }, { contentType: "image/gif" }],
    [
      { filename: "a.png", disposition: "inline", contentId: "logo" },
      { contentDisposition: "inline", cid: "logo" },
    ],
    [
      { filename: "a.txt", disposition: null, contentType: null, contentId: null },
      { contentDisposition: "attachment" },
    ],
    [{ filename: "Ærøskøbing 🚀.txt" }, { filename: "Ærøskøbing 🚀.txt" }],
    [{ filename: "O'Brien & sons; x=y.txt" }, { filename: "O'Brien & sons; x=y.txt" }],
    [{ filename: `${"x".repeat(251)}.txt` }, { filename: `${"x".repeat(251)}.txt` }],
    [{ filename: "a.txt", content: "SGVs\r\nbG8=\r\n" }, {}],
    [{ filename: "a.txt", content: "SGVsbG8" }, {}],
  ];

  test.each(cases)("%j arrives whole", async (given, arrived) => {
    await using posthorn = await workspace();
    const { status } = await ask(posthorn, "POST /v1/send", {
      body: { ...letter, attachments: [{ ...file, ...given }] },
    });
    expect(status).toBe(200);
    const { attachments } = await mailSent(posthorn);
    expect(attachments).toMatchObject([arrived]);
    expect(attachments[0]?.content.toString()).toBe("Hello");
  });

  test("can be one of ten, and all of them ten megabytes (slow)", async () => {
    await using posthorn = await workspace();
    const attachments = Array.from({ length: 10 }, (_, index) => ({
      filename: `${index}.bin`,
      content: base64(MEGABYTE),
    }));
    expect((await ask(posthorn, "POST /v1/send", { body: { ...letter, attachments } })).status).toBe(200);
    const mail = await mailSent(posthorn);
    expect(mail.attachments.map(({ filename, size }) => [filename, size])).toEqual(
      attachments.map(({ filename }) => [filename, MEGABYTE]),
    );
  });

  test("goes to every recipient, and none of them is a contact's", async () => {
    await using posthorn = await workspace();
    const to = ["ada@example.com", "bob@example.com"];
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to, attachments: [file] } });
    await posthorn.settle();
    for (const { raw } of posthorn.transport.sent) expect(raw.toString()).toContain(file.content);
    expect(posthorn.transport.sent).toHaveLength(2);
  });
});

function refused(name: string, attachments: unknown, fields: Scenario["fields"] = {}): Scenario {
  return {
    name,
    request: "POST /v1/send",
    body: { ...letter, attachments },
    status: 422,
    code: "VALIDATION_ERROR",
    fields,
  };
}

scenarios("attachments are refused", [
  refused("when there are eleven", Array(11).fill(file), { attachments: "too_big" }),
  refused("when they are one byte over ten megabytes", [{ ...file, content: base64(10 * MEGABYTE + 1) }], {
    attachments: "too_big",
  }),
  refused(
    "when they are over ten megabytes only together",
    [
      { ...file, content: base64(6 * MEGABYTE) },
      { ...file, content: base64(4 * MEGABYTE + 1) },
    ],
    { attachments: "too_big" },
  ),
  refused("when they are no list", file, { attachments: "invalid_type" }),
  refused("when one is a text", ["a.txt"], { "attachments.0": "invalid_type" }),
  refused("when name and content are missing", [{}], {
    "attachments.0.filename": "required",
    "attachments.0.content": "required",
  }),
  refused("when the name is empty", [{ ...file, filename: "" }], { "attachments.0.filename": "too_small" }),
  refused("when the name is 256 characters", [{ ...file, filename: "x".repeat(256) }], {
    "attachments.0.filename": "too_big",
  }),
  ...['a"b', "a\r\nb", "a\nb", "a\rb"].map((filename) =>
    refused(`when the name is ${JSON.stringify(filename)}`, [{ ...file, filename }], {
      "attachments.0.filename": "invalid",
    }),
  ),
  ...["?", "SGVsbG8*", "SGVs-_8=", "A", "AAAAA", "SGVsbG8===", "data:text/plain;base64,SGVsbG8=", "SGVsbG8=SGVs"].map(
    (content) =>
      refused(`when the content is ${content}`, [{ ...file, content }], { "attachments.0.content": "invalid_base64" }),
  ),
  refused("when the content is empty", [{ ...file, content: "" }], { "attachments.0.content": "too_small" }),
  refused("when the content is a list of bytes", [{ ...file, content: [72] }], {
    "attachments.0.content": "invalid_type",
  }),
  refused("when the type has a line break", [{ ...file, contentType: "text/plain\r\nX: y" }], {
    "attachments.0.contentType": "invalid",
  }),
  refused("when the disposition is unknown", [{ ...file, disposition: "hidden" }], {
    "attachments.0.disposition": "invalid",
  }),
  refused("when one is inline without a contentId", [file, { ...file, disposition: "inline" }], {
    "attachments.1.contentId": "required",
  }),
  ...["a b", "<a>", "a\r\nb", "ümlaut", "logo\u200b"].map((contentId) =>
    refused(`when the contentId is ${JSON.stringify(contentId)}`, [{ ...file, contentId }], {
      "attachments.0.contentId": "invalid",
    }),
  ),
]);

test("a bad file name is told which of its characters are at fault", async () => {
  await using posthorn = await workspace();
  const attachments = [{ ...file, filename: 'a"b\r\nc"d.txt' }];
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, attachments } });
  expect(body.error.errors).toEqual([
    {
      field: "attachments.0.filename",
      message: 'The text contains characters that are not allowed here: a quotation mark ("), a line break.',
      code: "invalid",
    },
  ]);
});

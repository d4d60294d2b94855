// Opens and clicks of submitted messages: not tracked unless that is switched on.
import { expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import type { Posthorn } from "../support/posthorn.ts";
import { idsIn, startSubmission, submit } from "../support/submission.ts";
import { readEmail, visit } from "../support/tracking.ts";

const HEADER = "From: ada@example.test\nSubject: Hi\nMIME-Version: 1.0\nDate: Mon, 02 Mar 2026 10:00:00 +0100\n";
const HTML = '<p>Größe</p>\n<a href="https://shop.example/?a=1&amp;b=ü">Shop</a>';
const QUOTED = HTML.replaceAll("=", "=3D")
  .replaceAll("ö", "=C3=B6")
  .replaceAll("ü", "=C3=\n=BC")
  .replaceAll("ß", "=c3=9f");

const part = (type: string, encoding: string, body: string) =>
  `--b\nContent-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: ${encoding}\n\n${body}\n`;
const mixed = (subtype: string, ...parts: string[]) =>
  `Content-Type: multipart/${subtype};\n boundary="b"\n\nPreamble\n${parts.join("")}--b--\nEpilogue\n`;
const alone = (body: string, ...fields: string[]) =>
  `Content-Type: text/html; charset="UTF-8"\n${fields.map((field) => `${field}\n`).join("")}\n${body}\n`;

const TRACKED: readonly [what: string, content: string][] = [
  ["HTML alone", alone(HTML, "Content-Transfer-Encoding: 8bit")],
  ["HTML in base64", alone(Buffer.from(HTML).toString("base64"), "Content-Transfer-Encoding: base64")],
  [
    "HTML beside text",
    mixed("alternative", part("text/plain", "8bit", "Größe"), part("text/html", "quoted-printable", QUOTED)),
  ],
  [
    "HTML in parts of parts",
    mixed(
      "mixed",
      part("text/plain", "7bit", "Hi"),
      `--b\n${mixed("related", part("text/html", "8bit", HTML))
        .replaceAll("--b", "--in")
        .replace('"b"', "in")}`,
    ),
  ],
];
const UNTOUCHED: readonly [what: string, content: string][] = [
  ["text", "\nhttps://shop.example/\n"],
  ["signed HTML", mixed("signed; protocol=x", part("text/html", "8bit", HTML), part("x/y", "7bit", "signature"))],
  ["encrypted", mixed("encrypted", part("text/html", "8bit", HTML))],
  [
    "a page as a file",
    mixed("mixed", part("text/html", "8bit", HTML).replace("\n\n", "\nContent-Disposition: attachment\n\n")),
  ],
  ["another charset", alone(HTML).replace("UTF-8", "iso-8859-1")],
  ["bytes that are no UTF-8", alone(Buffer.from("ff", "hex").toString("base64"), "Content-Transfer-Encoding: base64")],
  ["a page of nothing", mixed("mixed", "--b\nContent-Type: text/html\n")],
  ["no boundary", "Content-Type: multipart/mixed\n\n--b\n"],
  ["a message within", `Content-Type: message/rfc822\n\n${HEADER}${alone(HTML)}`],
];

/** Nothing that is not there. */
const READ = { skipHtmlToText: true, skipTextToHtml: true };

/** The addresses behind words of HTML, which a reader's text has where HTML stands beside it. */
function withoutLinks(text: string | undefined): string | undefined {
  return text?.replace(/\s*\[\S+\]/g, "");
}

async function left(posthorn: Posthorn): Promise<Buffer> {
  await posthorn.settle();
  const raw = posthorn.transport.sent.splice(0)[0]?.raw ?? Buffer.of();
  return raw.subarray(raw.indexOf("Message-ID:"));
}

test("nothing is looked for as it comes, whatever the workspace says (slow)", async () => {
  const open = await startSubmission({ tracking: true });
  await using posthorn = open.posthorn;
  await submit(open, `Message-ID: <1@a>\n${HEADER}${alone(HTML)}`);
  expect((await left(posthorn)).toString()).toBe(`Message-ID: <1@a>\n${HEADER}${alone(HTML)}`.replaceAll("\n", "\r\n"));
});

test("where it is switched on, the HTML has links and a pixel of its own, for each recipient, and nothing else is changed (slow)", async () => {
  const open = await startSubmission({ tracking: true, config: { smtp: { tracking: true } } });
  await using posthorn = open.posthorn;
  for (const [what, content] of TRACKED) {
    const message = `${HEADER}${content}`;
    const [id = ""] = idsIn(await submit(open, message));
    const raw = await left(posthorn);
    const [was, is] = [await simpleParser(message, READ), await simpleParser(raw, READ)];
    const html = String(is.html);
    const [, click = ""] = /href="http:\/\/127\.0\.0\.1:8484(\/c\/[\w-]+)"/.exec(html) ?? [];
    const [, pixel = ""] = /<img src="http:\/\/127\.0\.0\.1:8484(\/o\/[\w-]+)"/.exec(html) ?? [];
    expect([what, click, pixel]).toEqual([what, expect.stringContaining("/c/"), expect.stringContaining("/o/")]);
    expect(html).toContain("<p>Größe</p>\n<a");
    expect({
      text: withoutLinks(is.text),
      subject: is.subject,
      messageId: /^Message-ID: \S+/m.exec(raw.toString())?.[0],
    }).toEqual({
      ...{ text: withoutLinks(was.text), subject: "Hi" },
      messageId: `Message-ID: ${(await readEmail(posthorn, id))["messageId"]}`,
    });
    if (content.includes("Preamble"))
      expect(raw.toString()).toMatch(/\r\n\r\nPreamble\r\n--b\r\n[^]*--b--\r\nEpilogue\r\n$/);
    expect((await visit(posthorn, click)).headers.get("location")).toBe("https://shop.example/?a=1&b=%C3%BC");
    await visit(posthorn, pixel);
    await posthorn.settle();
    expect(await readEmail(posthorn, id)).toMatchObject({ opens: 1, clicks: 1 });
    const again = Buffer.from((await posthorn.call(`GET /emails/${id}/raw`)).body as string);
    expect(again.subarray(again.indexOf("Message-ID:")).equals(raw)).toBe(true);
  }
});

test("what is signed, encrypted, a file or cannot be read is left alone, and so is all of a workspace that wants no tracking (slow)", async () => {
  const open = await startSubmission({ tracking: true, config: { smtp: { tracking: true } } });
  await using posthorn = open.posthorn;
  const expectUntouched = async ([what, content]: readonly [string, string], at: number) => {
    const message = `Message-ID: <${at}@a>\n${HEADER}${content}`;
    await submit(open, message);
    expect([what, (await left(posthorn)).toString()]).toEqual([what, message.replaceAll("\n", "\r\n")]);
  };
  for (const [at, one] of UNTOUCHED.entries()) await expectUntouched(one, at);
  await posthorn.call("PATCH /workspace", { tracking: "MARKETING_ONLY" });
  await expectUntouched(["HTML", alone(HTML)], 100);
});

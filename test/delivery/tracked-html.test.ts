// Links led past us: which, how, and that the rest of the markup keeps every byte.
import { describe, expect, test } from "bun:test";
import { tracked } from "../../src/sending/carrier/tracking/html.ts";
import { clickToken, readClickToken, readOpenToken, trackingMarks } from "../../src/sending/carrier/tracking/links.ts";
import { secretsOf } from "../../src/base/secrets.ts";

const secrets = secretsOf(Buffer.alloc(32, 7));
const BASE = "https://mail.example.com";
const ID = "0199a3b4-0000-7000-8000-00000000abcd";
const marks = trackingMarks(secrets, { base: BASE, boundTo: null }, ID);
const OWN = [`${BASE}/unsubscribe/x`];

/** The targets of the links that lead past us, in their order. */
function targets(html: string): (string | null)[] {
  const found = [...tracked(html, marks, OWN).matchAll(/https:\/\/mail\.example\.com\/c\/([\w-]+)/g)];
  return found.map(([, token]) => readClickToken(secrets, token as string)?.url ?? null);
}

describe("a link that leads past us", () => {
  const LINKS: readonly [what: string, html: string, url: string][] = [
    ["in double quotes", '<a href="https://a.example/x?b=1">x</a>', "https://a.example/x?b=1"],
    ["in single quotes", "<a href='https://a.example/'>x</a>", "https://a.example/"],
    ["without quotes", "<a href=https://a.example/x>x</a>", "https://a.example/x"],
    ["in capitals", '<A HREF="HTTPS://A.example/X">x</A>', "HTTPS://A.example/X"],
    [
      "with references",
      '<a href="https://a.example/?a=1&amp;b=2&#38;c=&#x33;">x</a>',
      "https://a.example/?a=1&b=2&c=3",
    ],
    [
      "with an ampersand that is none",
      '<a href="https://a.example/?a=1&copy=2">x</a>',
      "https://a.example/?a=1&copy=2",
    ],
    ["with space around it", '<a href=" https://a.example/ ">x</a>', "https://a.example/"],
    ["with other letters", '<a href="https://bücher.example/ü?q=ж">x</a>', "https://bücher.example/ü?q=ж"],
    ["of a picture's area", '<map><area href="https://a.example/"></map>', "https://a.example/"],
    ["over plain http", '<a href="http://a.example/">x</a>', "http://a.example/"],
    ["before a fragment", '<a href="https://a.example/#part">x</a>', "https://a.example/#part"],
    ["in markup that is never closed", '<p><a href="https://a.example/">x', "https://a.example/"],
  ];
  test.each(LINKS)("%s", (_, html, url) => expect(targets(html)).toEqual([url]));

  test("keeps its other attributes and its text", () => {
    const html = tracked('<a class="b" href="https://a.example/" target=_blank>A &amp; B</a>', marks, OWN);
    expect(html).toStartWith(
      `<a class="b" href="${BASE}/c/${clickToken(marks, "https://a.example/")}" target=_blank>A &amp; B</a>`,
    );
  });
});

describe("what stays as it is", () => {
  const KEPT: readonly [what: string, html: string][] = [
    ["an address", '<a href="mailto:ada@example.com?subject=https://x.example">x</a>'],
    ["a telephone number", '<a href="tel:+49301234">x</a>'],
    ["an anchor", '<a href="#top">x</a>'],
    ["a path", '<a href="/x">x</a><a href="x.html">y</a><a href="//a.example/">z</a>'],
    ["a script", '<a href="javascript:alert(1)">x</a>'],
    ["a link without a target", "<a name=x>x</a><a href>y</a><a href=''>z</a>"],
    ["the way out", `<a href="${BASE}/unsubscribe/x">x</a>`],
    ["what is no address", '<a href="https://">x</a><a href="https://exa mple/">y</a>'],
    ["what is very long", `<a href="https://a.example/${"x".repeat(2_000)}">x</a>`],
    ["a picture and a style", '<link href="https://a.example/s.css"><img src="https://a.example/p.png">'],
    ["text that looks like a link", "https://a.example/ &lt;a href=https://a.example/&gt;"],
    ["a comment for one mail program", '<!--[if mso]><a href="https://a.example/">x</a><![endif]-->'],
    ["odd markup", '<P ALIGN=center  >a<BR/>b</p ><td bgcolor=#fff nowrap>é &nbsp;&unknown; < > "</td><!doctype html>'],
    ["nothing", ""],
  ];
  test.each(KEPT)("%s", (_, html) => expect(tracked(html, marks, OWN)).toStartWith(html));
});

describe("the pixel", () => {
  const pixels = (html: string) => tracked(html, marks, OWN).split(`${marks.openBase}${marks.openToken}`).length - 1;
  test("stands once, at the end of the body", () => {
    const html = tracked("<html><body><p>x</p></BODY></html>", marks, OWN);
    expect(html).toMatch(/^<html><body><p>x<\/p><img src="[^"]+" width="1" height="1" alt=""[^>]*><\/BODY><\/html>$/);
  });
  test("is found after letters whose lower case is longer", () => {
    const html = tracked("<html><body><p>İSTANBUL'DA İNDİRİM</p></body></html>", marks, OWN);
    expect(html).toMatch(/^<html><body><p>İSTANBUL'DA İNDİRİM<\/p><img src="[^"]+" [^>]*><\/body><\/html>$/);
  });
  test("stands once where there is no body", () => expect(pixels("<p>x</p>")).toBe(1));
});

describe("a token", () => {
  const open = marks.openToken;
  const click = clickToken(marks, "https://a.example/");

  test("names its mail", () => {
    expect(readOpenToken(secrets, open)).toEqual({ emailId: ID, boundTo: null });
    expect(readClickToken(secrets, click)).toEqual({ emailId: ID, url: "https://a.example/", boundTo: null });
  });

  test("that is bound to a workspace is of it alone", () => {
    const [mine, other] = ["0199a3b4-0000-7000-8000-000000000001", "0199a3b4-0000-7000-8000-000000000002"];
    const bound = trackingMarks(secrets, { base: BASE, boundTo: mine }, ID);
    const token = clickToken(bound, "https://a.example/");
    expect(readClickToken(secrets, token, [other, mine])).toMatchObject({ emailId: ID, boundTo: mine });
    expect(readOpenToken(secrets, bound.openToken, [mine])).toEqual({ emailId: ID, boundTo: mine });
    for (const workspaces of [[], [other]])
      expect([readClickToken(secrets, token, workspaces), readOpenToken(secrets, bound.openToken, workspaces)]).toEqual(
        [null, null],
      );
    expect(readClickToken(secrets, click, [other, mine])?.boundTo).toBeNull();
  });

  test("that was changed anywhere is none", () => {
    for (let at = 0; at < Buffer.from(click, "base64url").length; at++) {
      const bytes = Buffer.from(click, "base64url");
      bytes[at] = (bytes[at] as number) ^ 1;
      expect(readClickToken(secrets, bytes.toString("base64url"))).toBeNull();
    }
    for (let at = 0; at < Buffer.from(open, "base64url").length; at++) {
      const bytes = Buffer.from(open, "base64url");
      bytes[at] = (bytes[at] as number) ^ 1;
      expect(readOpenToken(secrets, bytes.toString("base64url"))).toBeNull();
    }
  });

  test.each(["", "x", "a".repeat(37), click.slice(0, 38), open])("that is not one, %p, leads nowhere", (token) => {
    expect(readClickToken(secrets, token)).toBeNull();
  });

  test("of one installation is none in another", () => {
    const others = secretsOf(Buffer.alloc(32, 8));
    expect([readOpenToken(others, open), readClickToken(others, click)]).toEqual([null, null]);
  });

  test("of one mail does not vouch for a link of another", () => {
    const other = trackingMarks(secrets, { base: BASE, boundTo: null }, "0199a3b4-0000-7000-8000-00000000abce");
    const [mine, theirs] = [
      Buffer.from(click, "base64url"),
      Buffer.from(clickToken(other, "https://b.example/"), "base64url"),
    ];
    const mixed = Buffer.concat([mine.subarray(0, 16), theirs.subarray(16)]);
    expect(readClickToken(secrets, mixed.toString("base64url"))).toBeNull();
  });
});

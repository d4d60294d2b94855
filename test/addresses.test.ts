// The grammar of addresses: src/base/addresses.ts.
import { describe, expect, test } from "bun:test";
import { domainOf, isDisplayName, parseAddress, parseMailbox, soughtInAddresses } from "../src/base/addresses.ts";
import { seeded } from "./support/seeded.ts";

describe("an address is stored in one form, however it was written", () => {
  test.each([
    ["someone@example.com", "someone@example.com"],
    ["  Some.One+Tag@Example.COM ", "some.one+tag@example.com"],
    ["\u00a0pasted@example.com\ufeff", "pasted@example.com"],
    ["o'hara@example.co.uk", "o'hara@example.co.uk"],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ["user%elsewhere.example@example.com", "user%elsewhere.example@example.com"],
    ["dot@example.com.", "dot@example.com"],
    ['"plain"@example.com', "plain@example.com"],
    ['"two..dots"@example.com', '"two..dots"@example.com'],
    ['".edge."@example.com', '".edge."@example.com'],
    ["someone@MÜLLER.example", "someone@xn--mller-kva.example"],
    ["someone@xn--mller-kva.example", "someone@xn--mller-kva.example"],
    ["someone@faß.de", "someone@xn--fa-hia.de"],
    ["someone@例え.テスト", "someone@xn--r8jz45g.xn--zckzah"],
    ["JOSÉ@example.com", "josé@example.com"],
    ["用户@例え.テスト", "用户@xn--r8jz45g.xn--zckzah"],
    ["😀@example.com", "😀@example.com"],
    ["a@b.c1", "a@b.c1"],
    [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
    [`${"ü".repeat(32)}@example.com`, `${"ü".repeat(32)}@example.com`],
    [`a@${"b".repeat(63)}.example`, `a@${"b".repeat(63)}.example`],
    [`a@${"b.".repeat(124)}com`, `a@${"b.".repeat(124)}com`],
  ])("%p is %p", (written, stored) => {
    expect(parseAddress(written)).toBe(stored);
    expect(parseAddress(stored)).toBe(stored);
  });
});

describe("what is not exactly one plain address is refused", () => {
  test.each([
    // no address
    "",
    " ",
    "someone",
    "@",
    "@example.com",
    "someone@",
    "some one@example.com",
    "someone@exam ple.com",
    "some\tone@example.com",
    // dots
    ".someone@example.com",
    "someone.@example.com",
    "some..one@example.com",
    "someone@.example.com",
    "someone@example..com",
    "someone@example.com..",
    // domains
    "someone@localhost",
    "someone@localhost.",
    "someone@[127.0.0.1]",
    "someone@[IPv6:::1]",
    "someone@127.0.0.1",
    "someone@0x7f.1",
    "someone@example.123",
    "someone@example.0x1",
    "someone@-example.com",
    "someone@example-.com",
    "someone@exam_ple.com",
    "someone@exam%2eple.com",
    "someone@example.com/path",
    "someone@example.com:25",
    "someone@xn--zz.com",
    "someone@xn--.com",
    `someone@${"b".repeat(64)}.example`,
    // lengths
    `${"a".repeat(65)}@example.com`,
    `${"ü".repeat(33)}@example.com`,
    `abcd@${"b.".repeat(124)}com`,
    `${"a".repeat(100_000)}@${"b.".repeat(100_000)}com`,
    // more than one address, or more than an address
    "a@b.com, c@d.com",
    "a@b.com,c@d.com",
    "a@b.com;c@d.com",
    "a@b.com c@d.com",
    "a@@b.com",
    "a@b.com@c.com",
    "a@b.com@",
    "<a@b.com>",
    "Name <a@b.com>",
    "<@hop.example:a@b.com>",
    "@hop.example:a@b.com",
    "group:a@b.com;",
    "group:;",
    "mailto:a@b.com",
    // comments
    "(note)a@b.com",
    "a(note)@b.com",
    "a@b.com(note)",
    "a@(outer(inner@evil.com))b.com",
    "a@b.com(",
    // quoted local parts that other programs cut elsewhere
    '"a@evil.com x"@good.com',
    '"a@evil.com"@good.com',
    '"a b"@good.com',
    '"a,b"@good.com',
    '"a>b"@good.com',
    '"a\\"b"@good.com',
    '"a\\@evil.com"@good.com',
    '""@good.com',
    '"a"b@good.com',
    'a"b"@good.com',
    '"a@good.com',
    // line breaks and controls, at the ends too
    "a@b.com\r\nBcc: x@evil.com",
    "a@b.com\nx",
    "a@b.com\n",
    "\ra@b.com",
    "a\r\n@b.com",
    "a@b\0.com",
    "a\0@b.com",
    "a@b.com\u0085",
    "a@b.com\u2028",
    "a\u2029@b.com",
    "a\x7f@b.com",
    "a\u009f@b.com",
    // characters that are unseen, reverse the line, or stand for others
    "a\u200b@b.com",
    "a\u00ad@b.com",
    "a\u034f@b.com",
    "a\u2800@b.com",
    "a\u202e@b.com",
    "\u2066a@b.com",
    "a@exa\u00admple.com",
    "a@exa\u034fmple.com",
    "a@b\u200d.com",
    "a@ｅxample.com",
    "a@example。com",
    "a@example．com",
    "a＠example.com",
    "a@𝐞xample.com",
    "a@①.com",
    "a@oﬃce.com",
    "a@\u212aernel.org",
    "ﬁ@example.com",
    "a@b.com\ud800",
    "\udc00@b.com",
  ])("%p", (text) => {
    expect(parseAddress(text)).toBeNull();
    expect(parseMailbox(`Name <${text}>`)).toBeNull();
  });
});

test("no foreign character in a domain turns it into another domain in ASCII (slow)", () => {
  const disguised: string[] = [];
  for (let code = 0x80; code < 0x30000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const address = parseAddress(`x@a${String.fromCodePoint(code)}b.com`);
    if (address !== null && !address.startsWith("x@xn--")) disguised.push(address);
  }
  expect(disguised).toEqual([]);
});

test("of 10,000 generated texts, those that pass are plain, short and unchanged by a second reading", () => {
  const random = seeded(1);
  const parts = [...'aZ9.-_+@@ "\\<>(),:;[]\r\n\0é例\u212a\u200b\u2028％＠。', "example.com", "xn--", "@example.com"];
  const plain = /^(?:[^\s@"(),:;<>[\\\]]+|"[^\s@"(),:;<>[\\\]]+")@(?:[a-z0-9-]+\.)+[a-z0-9-]+$/u;
  let passed = 0;
  for (let count = 0; count < 10_000; count++) {
    const address = parseAddress(random.text(parts, 1 + random.below(9)) + random.pick(["", "@example.com"]));
    if (address === null) continue;
    passed++;
    expect(address).toMatch(plain);
    expect(address).toBe(address.toLowerCase());
    expect(parseAddress(address)).toBe(address);
  }
  expect(passed).toBeGreaterThan(200);
});

describe("a mailbox is an address with or without a name", () => {
  test.each([
    ["a@b.com", "a@b.com", null],
    ["<a@b.com>", "a@b.com", null],
    ["Acme <A@B.com>", "a@b.com", "Acme"],
    ["Acme<a@b.com>", "a@b.com", "Acme"],
    ["  Jane Q. Public   <a@b.com> ", "a@b.com", "Jane Q. Public"],
    ['"Acme, Inc." <a@b.com>', "a@b.com", "Acme, Inc."],
    ['"a \\"b\\" \\\\" <a@b.com>', "a@b.com", 'a "b" \\'],
    ['"<evil@x.com>" <a@b.com>', "a@b.com", "<evil@x.com>"],
    ['"" <a@b.com>', "a@b.com", null],
    ['" " <a@b.com>', "a@b.com", null],
    ["Grüße 😀 日本 <a@b.com>", "a@b.com", "Grüße 😀 日本"],
    ["O'Hara & Söhne! <a@müller.example>", "a@xn--mller-kva.example", "O'Hara & Söhne!"],
  ])("%p", (text, address, name) => {
    expect(parseMailbox(text)).toEqual({ address, name });
  });
});

describe("what could be read as more than one mailbox is refused", () => {
  test.each([
    "",
    "Acme",
    "Acme a@b.com",
    "Acme <>",
    "Acme <a@b.com",
    "Acme a@b.com>",
    "Acme <a@b.com> x",
    "Acme <<a@b.com>>",
    "Acme, Inc. <a@b.com>",
    "x@evil.com <a@b.com>",
    "x@evil.com, Acme <a@b.com>",
    "<x@evil.com> <a@b.com>",
    "Acme <a@b.com>, Other <c@d.com>",
    "Acme (note) <a@b.com>",
    "Acme: <a@b.com>;",
    "Acme: Acme <a@b.com>;",
    "undisclosed-recipients:;",
    '"Acme <a@b.com>',
    '"Acme" Inc <a@b.com>',
    '"Acme" "Inc" <a@b.com>',
    '"Acme\\" <a@b.com>',
    "Acme\r\n <a@b.com>",
    "Acme\r\nBcc: x@evil.com\r\n <a@b.com>",
    '"Acme\nBcc: x" <a@b.com>',
    "Acme\u2028 <a@b.com>",
    "Acme\0 <a@b.com>",
    "Acme\ud800 <a@b.com>",
    "Acme <a@b.com>\n",
    `${"x".repeat(256)} <a@b.com>`,
    `${"(".repeat(100_000)} <a@b.com>`,
  ])("%p", (text) => {
    expect(parseMailbox(text)).toBeNull();
  });
});

test("a display name may hold anything that stays on one line", () => {
  expect(['a "b" <c>', "日本語", "👨‍👩‍👧", "x".repeat(255)].every(isDisplayName)).toBe(true);
  expect(["a\r", "a\nb", "a\0", "a\u0085", "a\u2029", "\udfff", "x".repeat(256)].some(isDisplayName)).toBe(false);
});

test("the domain of an address is what follows its last @", () => {
  expect(domainOf("a@b.com")).toBe("b.com");
});

test.each([
  [" B@MÜNCHEN.example ", "b@xn--mnchen-3ya.example"],
  ["@münchen.example", "@xn--mnchen-3ya.example"],
  ["jürgen@example.com", "jürgen@example.com"],
  ["b@mün", "b@mün"],
  ["münchen.example", "münchen.example"],
  ["b@exam", "b@exam"],
  ["b@example.", "b@example."],
  ["b@ｅxample.com", "b@ｅxample.com"],
  ["", ""],
])("what is sought in addresses as %p is %p", (text, sought) => {
  expect(soughtInAddresses(text)).toBe(sought);
});

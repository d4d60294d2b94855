// SPF, DKIM and DMARC of whole messages, against records that a test has written down.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { dkimSign } from "mailauth/lib/dkim/sign";
import { authenticate, checkDmarc, type Authentication } from "../../src/mail/inbound/reading/authenticate.ts";
import { withFewSignatures } from "../../src/mail/inbound/reading/header.ts";
import { ELSEWHERE, LETTER, signed, wire } from "../support/outside.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";

type Zones = Readonly<Record<string, Zone>>;
type Sent = { readonly ip?: string; readonly sender?: string; readonly zones?: Zones; readonly helo?: string };

const NOW_MS = Date.parse("2026-03-01T09:00:00.000Z");

async function verdicts(
  raw: Buffer,
  { ip = "127.0.0.1", sender = "ada@elsewhere.test", zones = {}, helo = "mx.elsewhere.test" }: Sent,
) {
  const resolver = new TableResolver({ ...ELSEWHERE, ...zones });
  const ask = (name: string, type: Parameters<TableResolver["find"]>[1]) => resolver.find(name, type).catch(() => null);
  const envelope = { clientAddress: ip, helo, sender, recipients: ["help@example.test"] };
  const found = await authenticate(raw, envelope, { ask, host: "mail.example.test", nowMs: NOW_MS });
  return { found, asked: resolver.asked };
}

const all = ({ spfVerdict, dkimVerdict, dmarcVerdict }: Authentication) =>
  [spfVerdict, dkimVerdict, dmarcVerdict].join(" ");

const altered = async () =>
  Buffer.from((await signed(LETTER)).toString("latin1").replace("How are you?", "Send money!"), "latin1");
const renamed = async () =>
  Buffer.from((await signed(LETTER)).toString("latin1").replace("Subject: Hello", "Subject: Urgent"), "latin1");
/** As most sign: every field once. */
const signedOnce = async (text = LETTER, algorithm = "rsa-sha256", headerList = "From:Subject:To:Message-ID:Date") => {
  const privateKey = readFileSync(new URL("../support/certificates/dkim.key.pem", import.meta.url), "utf8");
  const { signatures } = await dkimSign(wire(text), {
    canonicalization: "relaxed/relaxed",
    algorithm,
    signTime: new Date(NOW_MS),
    headerList,
    signatureData: [{ signingDomain: "elsewhere.test", selector: "key", privateKey }],
  } as never);
  return Buffer.concat([Buffer.from(signatures), wire(text)]);
};
const withFrom = async (field: string) =>
  Buffer.from((await signedOnce()).toString("latin1").replace(/^/, `${field}\r\n`), "latin1");
/** The signed From goes by another name, and another one stands above it. */
const withHiddenFrom = async (name: string) => {
  const signedLetter = (await signedOnce()).toString("latin1").replace("\r\nFrom:", `\r\n${name}:`);
  return Buffer.from(`From: The Boss <boss@elsewhere.test>\r\n${signedLetter}`, "latin1");
};
const twoAuthors = () => signed(LETTER.replace("From: ", "From: boss@bank.test, "));
const KEY = ELSEWHERE["key._domainkey.elsewhere.test"] as { TXT: readonly string[] };

describe("verdicts on SPF, DKIM and DMARC", () => {
  test.each<[string, () => Buffer | Promise<Buffer>, Sent, string]>([
    ["a signed letter from where it may come", () => signed(LETTER), {}, "PASS PASS PASS"],
    ["an unsigned letter from where it may come", () => wire(LETTER), {}, "PASS GRAY PASS"],
    ["a signed letter that was forwarded", () => signed(LETTER), { ip: "192.0.2.1" }, "FAIL PASS PASS"],
    ["a forged letter", () => wire(LETTER), { ip: "192.0.2.1" }, "FAIL GRAY FAIL"],
    ["a body that was altered", altered, { ip: "192.0.2.1" }, "FAIL FAIL FAIL"],
    ["a field that was altered", renamed, { ip: "192.0.2.1" }, "FAIL FAIL FAIL"],
    [
      "a signature of somebody else's",
      () => signed(LETTER, "other.test"),
      { ip: "192.0.2.1", zones: { "key._domainkey.other.test": KEY } },
      "FAIL PASS FAIL",
    ],
    [
      "a signature of a domain under the author's",
      () => signed(LETTER, "eu.elsewhere.test"),
      { ip: "192.0.2.1", zones: { "key._domainkey.eu.elsewhere.test": KEY } },
      "FAIL PASS PASS",
    ],
    [
      "a key that is gone",
      () => signed(LETTER),
      { ip: "192.0.2.1", zones: { "key._domainkey.elsewhere.test": {} } },
      "FAIL GRAY FAIL",
    ],
    [
      "a name server that is silent about the key",
      () => signed(LETTER),
      { ip: "192.0.2.1", zones: { "key._domainkey.elsewhere.test": "silence" } },
      "FAIL GRAY GRAY",
    ],
    [
      "a name server that is silent about SPF",
      () => wire(LETTER),
      { zones: { "elsewhere.test": "silence" } },
      "GRAY GRAY GRAY",
    ],
    [
      "a name server that is silent about what SPF includes",
      () => wire(LETTER),
      {
        ip: "192.0.2.1",
        zones: { "elsewhere.test": { TXT: ["v=spf1 include:spf.other.test -all"] }, "spf.other.test": "silence" },
      },
      "GRAY GRAY GRAY",
    ],
    [
      "a name server that is silent about where SPF redirects to",
      () => wire(LETTER),
      {
        ip: "192.0.2.1",
        zones: { "elsewhere.test": { TXT: ["v=spf1 redirect=spf.other.test"] }, "spf.other.test": "silence" },
      },
      "GRAY GRAY GRAY",
    ],
    [
      "a name server that is silent about a host in what SPF includes",
      () => wire(LETTER),
      {
        ip: "192.0.2.1",
        zones: {
          "elsewhere.test": { TXT: ["v=spf1 include:spf.other.test -all"] },
          "spf.other.test": { TXT: ["v=spf1 a:mx.other.test -all"] },
          "mx.other.test": "silence",
        },
      },
      "GRAY GRAY GRAY",
    ],
    [
      "a name server that is silent about DMARC",
      () => signed(LETTER),
      { zones: { "_dmarc.elsewhere.test": "silence" } },
      "PASS PASS GRAY",
    ],
    [
      "a domain that publishes nothing",
      () => wire(LETTER.replace("@elsewhere.test>\nTo", "@plain.test>\nTo")),
      { sender: "x@plain.test" },
      "GRAY GRAY GRAY",
    ],
    [
      "a domain that softly disowns it",
      () => wire(LETTER),
      { zones: { "elsewhere.test": { TXT: ["v=spf1 ~all"] } } },
      "FAIL GRAY FAIL",
    ],
    [
      "an SPF record that is broken",
      () => wire(LETTER),
      { zones: { "elsewhere.test": { TXT: ["v=spf1 -all", "v=spf1 +all"] } } },
      "FAIL GRAY FAIL",
    ],
    [
      "the null sender: its greeting counts",
      () => wire(LETTER),
      { sender: "", zones: { "mx.elsewhere.test": { TXT: ["v=spf1 ip4:127.0.0.0/8 -all"] } } },
      "PASS GRAY PASS",
    ],
    ["two authors, one of them forged", twoAuthors, {}, "PASS PASS FAIL"],
    ["a letter of which every field is signed once", () => signedOnce(), { ip: "192.0.2.1" }, "FAIL PASS PASS"],
    ...[
      "From: The Boss <boss@elsewhere.test>",
      "From: boss@bank.test",
      "FROM : The Boss <boss@elsewhere.test>",
      "From: The Boss",
    ].map((field): [string, () => Promise<Buffer>, Sent, string] => [
      `a second ${field} above it`,
      () => withFrom(field),
      { ip: "192.0.2.1" },
      "FAIL PASS FAIL",
    ]),
    ...["From\v", "From\f", "From\xa0", "From\r\n "].map((name): [string, () => Promise<Buffer>, Sent, string] => [
      `a second From above the signed one, which is called ${JSON.stringify(name)}`,
      () => withHiddenFrom(name),
      { ip: "192.0.2.1" },
      "FAIL PASS FAIL",
    ]),
    [
      "a From that is folded by a no-break space",
      async () => {
        const letter = (await signedOnce()).toString("latin1");
        return Buffer.from(letter.replace("Ada Lovelace <", "Ada Lovelace\r\n\xa0<"), "latin1");
      },
      { ip: "192.0.2.1" },
      "FAIL PASS PASS",
    ],
    [
      "a signature that leaves From open (RFC 6376 §6.1.1)",
      () => signedOnce(LETTER, "rsa-sha256", "Subject:To:Date"),
      { ip: "192.0.2.1" },
      "FAIL FAIL FAIL",
    ],
    [
      "two authors of one domain",
      () => signedOnce(LETTER.replace("From: ", "From: boss@elsewhere.test, ")),
      {},
      "PASS PASS FAIL",
    ],
    [
      "a group of authors",
      () => signedOnce(LETTER.replace(/From: .*/, "From: ada@elsewhere.test, Bosses: boss@bank.test;")),
      {},
      "PASS PASS FAIL",
    ],
    [
      "an address that nothing can go to",
      () => signedOnce(LETTER.replace(/From: .*/, 'From: "a@bank.test b"@elsewhere.test')),
      {},
      "PASS PASS GRAY",
    ],
    [
      "an empty line above the header",
      async () => Buffer.concat([wire("\n"), await signedOnce()]),
      {},
      "PASS GRAY GRAY",
    ],
    ["a signature by SHA-1 (RFC 8301)", () => signedOnce(LETTER, "rsa-sha1"), { ip: "192.0.2.1" }, "FAIL FAIL FAIL"],
    ["no author", () => wire("Subject: Hi\n\nHo\n"), {}, "PASS GRAY GRAY"],
    ["nothing at all", () => Buffer.alloc(0), {}, "PASS GRAY GRAY"],
  ])("%s", async (_, raw, sent, expected) => {
    expect(all((await verdicts(await raw(), sent)).found)).toBe(expected);
  });

  test.each(["DKIM-Signature", "DKIM-Signature\v"])(
    "ten signatures are checked, and a hundred more are not: %j",
    (name) => {
      const many = Array.from({ length: 100 }, (_, n) => `${name}: v=1; a=rsa-sha256; d=s${n}.test; s=key; l=${n}\n`);
      const kept = withFewSignatures(wire(many.join("") + LETTER)).toString("latin1");
      expect(kept.match(/DKIM-Signature/g)).toHaveLength(10);
      expect(kept).toEndWith(wire(LETTER).toString());
    },
  );

  test("a record that leads round and round is left after ten questions", async () => {
    const zones = {
      "elsewhere.test": { TXT: ["v=spf1 include:a.test -all"] },
      "a.test": { TXT: ["v=spf1 include:elsewhere.test -all"] },
    };
    const { found, asked } = await verdicts(wire(LETTER), { zones });
    expect(found.spfVerdict).toBe("FAIL");
    expect(asked.length).toBeLessThan(40);
  });
});

describe("DMARC walks up the tree (RFC 9989 §4.10)", () => {
  const nobody = { authors: ["a.b.c.example.test"], spf: null, dkim: [], isUnsure: false };
  const check = (
    zones: Record<string, string[]>,
    more: Partial<typeof nobody> & { spf?: string | null; dkim?: string[] },
  ) => checkDmarc(async (name) => zones[name] ?? [], { ...nobody, ...more });
  const record = (tags = "") => [`v=DMARC1; p=reject${tags}`];

  test.each<[string, Record<string, string[]>, object, string]>([
    ["no record anywhere", {}, {}, "GRAY"],
    ["a record above", { "_dmarc.example.test": record() }, {}, "FAIL"],
    [
      "a record above, and somebody below it who vouches",
      { "_dmarc.example.test": record() },
      { spf: "mail.example.test" },
      "PASS",
    ],
    [
      "strict: the very name must vouch",
      { "_dmarc.example.test": record("; aspf=s") },
      { spf: "mail.example.test" },
      "FAIL",
    ],
    [
      "strict: the very name vouches",
      { "_dmarc.example.test": record("; adkim=s") },
      { dkim: ["a.b.c.example.test"] },
      "PASS",
    ],
    ["a neighbour under a public suffix", { "_dmarc.test": record("; psd=y") }, { dkim: ["other.test"] }, "FAIL"],
    ["the same house under a public suffix", { "_dmarc.test": record("; psd=y") }, { dkim: ["example.test"] }, "PASS"],
    [
      "a house of its own below",
      { "_dmarc.c.example.test": record("; psd=n"), "_dmarc.example.test": record() },
      { dkim: ["example.test"] },
      "FAIL",
    ],
    ["two records are none", { "_dmarc.example.test": [...record(), ...record()] }, {}, "GRAY"],
    ["records of other things", { "_dmarc.example.test": ["v=spf1 -all", ...record()] }, {}, "FAIL"],
    ["something that may pass another time", { "_dmarc.example.test": record() }, { isUnsure: true }, "GRAY"],
    ["pct counts for nothing", { "_dmarc.example.test": record("; pct=0") }, {}, "FAIL"],
    ["no policy named", { "_dmarc.example.test": ["v=DMARC1;"] }, {}, "FAIL"],
  ])("%s", async (_, zones, more, expected) => {
    expect(await check(zones, more)).toBe(expected as never);
  });

  test("a name of very many labels takes eight questions", async () => {
    const asked: string[] = [];
    const txt = async (name: string) => (asked.push(name), []);
    await checkDmarc(txt, { ...nobody, authors: ["a.b.c.d.e.f.g.h.i.j.example.test"] });
    expect(asked).toHaveLength(8);
    expect(asked[1]).toBe("_dmarc.f.g.h.i.j.example.test");
  });
});

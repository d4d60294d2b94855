// What verify says of each DNS record of a sender domain (RFC 6376, 7208, 9989).
import { afterAll, expect, test } from "bun:test";
import type { Zone } from "../support/resolver.ts";
import { TableResolver } from "../support/resolver.ts";
import { freePort } from "../support/free-port.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

type Zones = Record<string, Zone>;
type Case = {
  readonly name: string;
  readonly purpose: string;
  readonly zones: (dkim: { readonly name: string; readonly value: string }) => Zones;
  readonly state: string;
  readonly problem: RegExp | null;
  /** What the server calls itself, if it says so. */
  readonly hostname?: string;
  /** Null = our mails have the sender's domain in their envelope. */
  readonly returnPathDomain?: string | null;
  /** At which name, if several records have the purpose. */
  readonly at?: string;
};

const spf = (name: string, state: string, problem: RegExp | null, zones: Zones): Case => {
  return { name: `SPF: ${name}`, purpose: "SPF", state, problem, returnPathDomain: null, zones: () => zones };
};
const envelope = (name: string, at: string, [state, problem]: [string, RegExp | null], zones: Zones): Case => {
  return { name: `SPF and return path: ${name}`, purpose: "SPF", at, state, problem, zones: () => zones };
};
const dmarc = (name: string, state: string, problem: RegExp | null, zones: Zones): Case => {
  return { name: `DMARC: ${name}`, purpose: "DMARC", state, problem, zones: () => zones };
};
const mx = (name: string, state: string, problem: RegExp | null, zones: Zones): Case => {
  return { name: `return path: ${name}`, purpose: "RETURN_PATH", state, problem, zones: () => zones };
};
const dkim = (name: string, state: string, problem: RegExp | null, zones: Case["zones"]): Case => {
  return { name: `DKIM: ${name}`, purpose: "DKIM", state, problem, zones };
};
const HOST = "mx.posthorn.example";
const inbound = (name: string, state: string, problem: RegExp | null, zones: Zones): Case => {
  return { name: `inbound: ${name}`, purpose: "INBOUND", state, problem, hostname: HOST, zones: () => zones };
};
const txt = (...records: string[]): Zone => ({ TXT: records });
const manyIncludes = (count: number) => Array.from({ length: count }, (_, i) => `include:s${i}.example`).join(" ");
const MANY = Object.fromEntries(
  Array.from({ length: 11 }, (_, i) => [`s${i}.example`, txt("v=spf1 ip4:192.0.2.1 -all")]),
);
const spfWord = (word: string, problem: RegExp | null = null) =>
  spf(word, problem ? "WRONG" : "OK", problem, { "mail.shop.example": txt(`v=spf1 ip4:192.0.2.1 ${word} -all`) });

const CASES: readonly Case[] = [
  dkim("as shown", "OK", null, ({ name, value }) => ({ [name]: txt(value) })),
  dkim("tags in another order, with space", "OK", null, ({ name, value }) => ({
    [name]: txt(`k=rsa; p=${value.split("p=")[1]?.replace(/.{100}/g, "$& ")} ; t=s`),
  })),
  dkim("an unrelated text beside it", "OK", null, ({ name, value }) => ({ [name]: txt("hello", value) })),
  dkim("two keys", "WRONG", /^There are 2 DKIM records at /, ({ name, value }) => ({
    [name]: txt(value, "v=DKIM1; p=AAAA"),
  })),
  dkim("for other signatures only", "WRONG", /h= is "sha1" and must be sha256/, ({ name, value }) => ({
    [name]: txt(`${value}; h=sha1`),
  })),
  dkim("for no mail", "WRONG", /s= is "tlsrpt" and must be email/, ({ name, value }) => ({
    [name]: txt(`${value}; s=tlsrpt`),
  })),
  dkim("revoked", "WRONG", /found "v=DKIM1; p=", expected p=/, ({ name }) => ({ [name]: txt("v=DKIM1; p=") })),
  dkim("an alias that leads nowhere", "WRONG", /^There is a CNAME to "keys\.other\.example" at /, ({ name }) => ({
    [name]: { CNAME: ["keys.other.example"] },
  })),
  dkim("under a doubled name", "MISSING", /enter posthorn2603\._domainkey as its name\.$/, ({ name, value }) => ({
    [`${name}.mail.shop.example`]: txt(value),
  })),
  dkim("another text under the doubled name", "MISSING", /^There is no such record at /, ({ name }) => ({
    [`${name}.mail.shop.example`]: txt("v=spf1 -all"),
  })),
  dkim("control characters are not repeated", "WRONG", /found "\[2Jp=x \[31m", expected/, ({ name }) => ({
    [name]: txt("\u0007[2Jp=x\u001b[31m".replace("\u0007", "")),
  })),
  spf("one record", "OK", null, { "mail.shop.example": txt("v=spf1 ip4:192.0.2.1 ~all", "other") }),
  spf("none", "MISSING", /begins with v=spf1/, { "mail.shop.example": txt("v=spf10 -all") }),
  spf("two", "WRONG", /^There are 2 SPF records/, { "mail.shop.example": txt("v=spf1 -all", "v=spf1 a -all") }),
  spf("for everybody", "WRONG", /lets everybody send/, { "mail.shop.example": txt("v=spf1 a +all") }),
  spf("for nobody", "WRONG", /allows nobody to send/, { "mail.shop.example": txt("v=spf1 -all") }),
  spf("for nobody, softly", "WRONG", /allows nobody to send/, { "mail.shop.example": txt("v=spf1 ~all") }),
  spf("as shown, word for word", "WRONG", /contains a placeholder/, {
    "mail.shop.example": txt("v=spf1 include:<what your relay asks for> ~all"),
  }),
  ...["ip6:2001:db8::/32", "a:x.example/24", "mx//64", "ptr", "exists:%{i}.x.example", "exp=why.example", "new=1"].map(
    (word) => spfWord(word),
  ),
  ...[
    "ip4:192.0.2",
    "ip4:192.0.2.1/33",
    "ip4:",
    "ip6:192.0.2.1",
    "ipv4:192.0.2.1",
    "include:",
    "all:x",
    "192.0.2.1",
  ].map((word) => spfWord(word, /^The SPF record at mail\.shop\.example is invalid because of ".+"\.$/)),
  spf("an include without record", "WRONG", /includes relay\.example, which has no SPF record/, {
    "mail.shop.example": txt("v=spf1 include:relay.example -all"),
    "relay.example": txt("hello"),
  }),
  spf("an include with two records", "WRONG", /includes relay\.example, which has 2 SPF records/, {
    "mail.shop.example": txt("v=spf1 include:relay.example -all"),
    "relay.example": txt("v=spf1 a -all", "v=spf1 mx -all"),
  }),
  spf("a fault in what is included", "WRONG", /record at relay\.example is invalid because of "ip:192\.0\.2\.1"/, {
    "mail.shop.example": txt("v=spf1 include:relay.example -all"),
    "relay.example": txt("v=spf1 ip:192.0.2.1 -all"),
  }),
  spf("a redirect behind all, which nobody comes to", "OK", null, {
    "mail.shop.example": txt("v=spf1 a -all redirect=nothing.example"),
  }),
  spf("ten lookups", "OK", null, { ...MANY, "mail.shop.example": txt(`v=spf1 ${manyIncludes(10)} -all`) }),
  spf("eleven lookups", "WRONG", /more than 10 DNS lookups/, {
    "mail.shop.example": txt(`v=spf1 a ${manyIncludes(10)} -all`),
  }),
  spf("too many behind an include", "WRONG", /more than 10 DNS lookups/, {
    "mail.shop.example": txt("v=spf1 include:relay.example -all"),
    "relay.example": txt("v=spf1 mx exists:%{i}.x.example redirect=more.example"),
    "more.example": txt(`v=spf1 ${manyIncludes(7)} ?all`),
  }),
  spf("that includes itself", "WRONG", /more than 10 DNS lookups/, {
    "mail.shop.example": txt("v=spf1 include:mail.shop.example -all"),
  }),
  spf("an include nobody answers for", "UNKNOWN", /^Nobody knows relay\.example/, {
    "mail.shop.example": txt("v=spf1 include:relay.example -all"),
    "relay.example": "silence",
  }),
  envelope("where receivers look", "b.example.com", ["OK", null], { "b.example.com": txt("v=spf1 mx -all") }),
  envelope("nothing where they look", "b.example.com", ["MISSING", /at b\.example\.com that begins with v=spf1\.$/], {
    "mail.shop.example": txt("v=spf1 mx -all"),
  }),
  envelope("nobody may send by the sender's domain itself", "mail.shop.example", ["OK", null], {
    "mail.shop.example": txt("v=spf1 -all"),
  }),
  envelope(
    "nothing there",
    "mail.shop.example",
    ["MISSING", /It matters little: receivers look at b\.example\.com\.$/],
    {},
  ),
  dmarc("a policy", "OK", null, { "_dmarc.mail.shop.example": txt("v=DMARC1; p=reject; rua=mailto:d@x.example") }),
  dmarc("that of the domain above", "OK", null, { "_dmarc.shop.example": txt("v=DMARC1;p=none") }),
  dmarc("none", "MISSING", /^There is no such record at _dmarc\.mail\.shop\.example/, {}),
  dmarc("that of the top level", "OK", null, { "_dmarc.example": txt("v=DMARC1; p=none; psd=y") }),
  dmarc("its own, whatever stands above", "OK", null, {
    "_dmarc.mail.shop.example": txt("v = DMARC1; p=none"),
    "_dmarc.shop.example": txt("v=DMARC1; p=monitor"),
    "_dmarc.example": "silence",
  }),
  dmarc("that of the organization, which has the fewest labels", "WRONG", /at _dmarc\.example is "monitor"/, {
    "_dmarc.shop.example": txt("v=DMARC1; p=none"),
    "_dmarc.example": txt("v=DMARC1; p=monitor"),
  }),
  dmarc("that of the organization, which says that it is one", "OK", null, {
    "_dmarc.shop.example": txt("v=DMARC1; p=none; psd=n"),
    "_dmarc.example": txt("v=DMARC1; p=monitor"),
  }),
  dmarc("two above, which are none", "MISSING", /no such record/, {
    "_dmarc.shop.example": txt("v=DMARC1; p=none", "v=DMARC1; p=reject"),
  }),
  dmarc("without p", "OK", /^The record has no p=, which means p=none/, {
    "_dmarc.mail.shop.example": txt("v=DMARC1; rua=mailto:d@x.example"),
  }),
  dmarc("unknown p", "WRONG", /p= at _dmarc\.mail\.shop\.example is "monitor" and must be none/, {
    "_dmarc.mail.shop.example": txt("v=DMARC1; p=monitor"),
  }),
  dmarc("two", "WRONG", /^There are 2 DMARC records/, {
    "_dmarc.mail.shop.example": txt("v=DMARC1; p=none", "v=DMARC1; p=reject"),
  }),
  mx("a host", "OK", null, {
    "b.example.com": { MX: ["mx.example.com"] },
    "mx.example.com": { AAAA: ["2001:db8::1"] },
  }),
  mx("none", "MISSING", /no MX record at b\.example\.com/, {}),
  mx("one that refuses", "WRONG", /accepts no email/, { "b.example.com": { MX: ["."] } }),
  mx("a host without address", "WRONG", /"mx\.example\.com" of the MX record has no address/, {
    "b.example.com": { MX: ["mx.example.com"] },
  }),
  inbound("here", "OK", null, { "mail.shop.example": { MX: ["MX.Posthorn.Example"] }, [HOST]: { A: ["192.0.2.7"] } }),
  inbound("here under another name", "OK", null, {
    "mail.shop.example": { MX: ["other.example"] },
    "other.example": { A: ["192.0.2.7"] },
    [HOST]: { A: ["192.0.2.7"] },
  }),
  inbound(
    "elsewhere",
    "OK",
    /goes to "other\.example": leave that as it is\. .* such as inbound\.mail\.shop\.example/,
    {
      "mail.shop.example": { MX: ["other.example"] },
      "other.example": { A: ["192.0.2.8"] },
      [HOST]: { A: ["192.0.2.7"] },
    },
  ),
  inbound("refused on purpose", "OK", /accepts no email/, { "mail.shop.example": { MX: ["."] } }),
  inbound("here, without address", "WRONG", /has no address/, { "mail.shop.example": { MX: [HOST] } }),
  inbound("nowhere", "MISSING", /Publish one only if email to mail\.shop\.example is to arrive here/, {}),
];

test("the record for email from outside is shown where this server takes some (slow)", async () => {
  for (const [inboundPort, purposes] of [
    [await freePort(), ["DKIM", "SPF", "DMARC", "INBOUND", "REPORT_PERMISSION", "TLS_REPORTS"]],
    [0, ["DKIM", "SPF", "DMARC"]],
  ] as const) {
    await using posthorn = await startPosthorn({ config: { smtp: { hostname: HOST, inboundPort } } });
    const { records } = (await ask(posthorn, "GET /domains")).body.data[0];
    expect(records.map(({ purpose }: Json) => purpose)).toEqual([...purposes]);
    if (inboundPort > 0) expect(records.at(3)).toMatchObject({ name: "example.test", value: `10 ${HOST}` });
  }
});

type Shop = { readonly posthorn: Posthorn; readonly table: Zones; readonly added: Json };
type Settings = Pick<Case, "hostname" | "returnPathDomain">;

async function openShop(settings: Settings): Promise<Shop> {
  const { hostname = null, returnPathDomain = "b.example.com" } = settings;
  const table: Zones = {};
  const posthorn = await startPosthorn({
    config: {
      delivery: { returnPathDomain },
      smtp: { hostname, inboundPort: hostname === null ? 0 : await freePort() },
    },
    resolver: new TableResolver(table),
  });
  const added = (await ask(posthorn, "POST /domains", { body: { domain: "mail.shop.example" } })).body;
  return { posthorn, table, added };
}

/**
 * One for all cases with its settings, unless a case verifies the domain: to make its keys takes a tenth of a second.
 */
const shops = new Map<string, Promise<Shop>>();
afterAll(async () => {
  for (const shop of shops.values()) await (await shop).posthorn[Symbol.asyncDispose]();
});

test.each(CASES)("$name", async ({ name, purpose, zones, state, problem, at, ...settings }) => {
  const key = purpose === "DKIM" ? name : JSON.stringify(settings);
  if (!shops.has(key)) shops.set(key, openShop(settings));
  const { posthorn, table, added } = (await shops.get(key)) as Shop;
  for (const known of Object.keys(table)) delete table[known];
  Object.assign(table, zones(added.records[0]));
  const { body } = await ask(posthorn, `POST /domains/${added.id}/verify`);
  const found = body.records.find((record: Json) => record.purpose === purpose && record.name === (at ?? record.name));
  expect(found).toMatchObject({ state, problem: problem === null ? null : expect.stringMatching(problem) });
  expect(body.verified).toBe(purpose === "DKIM" && state === "OK");
});

test("of a domain of many labels, those from the seventh on are asked for a policy (slow)", async () => {
  const resolver = new TableResolver({ "_dmarc.c.d.e.f.g.shop.example": txt("v=DMARC1; p=none") });
  await using posthorn = await workspace({ resolver });
  const { id } = (await ask(posthorn, "POST /domains", { body: { domain: "x.a.b.c.d.e.f.g.shop.example" } })).body;
  const { records } = (await ask(posthorn, `POST /domains/${id}/verify`)).body;
  expect(records.find(({ purpose }: Json) => purpose === "DMARC").state).toBe("OK");
  expect(resolver.asked.filter((question) => question.startsWith("TXT _dmarc."))).toEqual(
    ["x.a.b.c.d.e.f.g.shop", "c.d.e.f.g.shop", "d.e.f.g.shop", "e.f.g.shop", "f.g.shop", "g.shop", "shop"]
      .map((name) => `TXT _dmarc.${name}.example`)
      .concat("TXT _dmarc.example"),
  );
});

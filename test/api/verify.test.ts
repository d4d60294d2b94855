// POST /v1/verify, with name servers that say what is written here.
import { describe, expect, test } from "bun:test";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { SlowResolver, TableResolver, type Zone } from "../support/resolver.ts";
import { TestClock } from "../support/clock.ts";
import { ask, everything, scenarios, type Scenario } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const SOUND: Zone = { MX: ["mx.example"], A: ["192.0.2.1"] };
const ZONES: Readonly<Record<string, Zone>> = {
  "sound.example": SOUND,
  "gmail.com": SOUND,
  "gmial.com": SOUND,
  "grail.com": SOUND,
  "mailinator.com": SOUND,
  "box.mailinator.com": SOUND,
  "mozmail.com": SOUND,
  "xn--mnchen-3ya.example": SOUND,
  "null-mx.example": { MX: ["."], A: ["192.0.2.1"] },
  "half-null.example": { MX: [".", "mx.example"], A: ["192.0.2.1"] },
  "address-only.example": { A: ["192.0.2.1"] },
  "six-only.example": { AAAA: ["2001:db8::1"] },
  "www-only.example": { MX: ["mx.example"] },
  "www.www-only.example": { AAAA: ["2001:db8::1"] },
  "no-website.example": { MX: ["mx.example"] },
  "name-only.example": { NS: ["ns.example"] },
  "zone-only.example": { SOA: ["ns.example"] },
  "bare.example": {},
  "silent.example": "silence",
  "half-silent.example": { MX: "silence", A: ["192.0.2.1"] },
  "mx-then-silent.example": { MX: ["mx.example"], A: "silence", AAAA: "silence" },
  "silent-address.example": { A: "silence" },
  "silent-zone.example": { NS: "silence" },
};
const options = { resolver: new TableResolver(ZONES) };
const NOTHING = {
  isDisposable: false,
  isAlias: false,
  isTypo: false,
  isPlusAddressed: false,
  isRandomInput: false,
  isPersonalEmail: false,
};

function verified(name: string, email: string, data: object): Scenario {
  return {
    name,
    request: "POST /v1/verify",
    body: { email },
    status: 200,
    answer: { success: true, data: { ...NOTHING, ...data } },
  };
}

const there = { valid: true, domainExists: true, hasWebsite: true, hasMxRecords: true };

scenarios(
  "an address is looked at:",
  [
    verified("a sound one", "Ada@Sound.example", {
      ...there,
      email: "ada@sound.example",
      reasons: ["Email appears to be valid."],
    }),
    verified("a personal one", "ada@gmail.com", {
      ...there,
      isPersonalEmail: true,
      reasons: ["The domain gmail.com is a provider of personal mailboxes."],
    }),
    verified("a disposable one is no less valid", "ada@mailinator.com", {
      ...there,
      isDisposable: true,
      reasons: ["The domain mailinator.com belongs to a disposable email service."],
    }),
    verified("one under a disposable domain", "ada@box.mailinator.com", { ...there, isDisposable: true }),
    verified("one that forwards", "ada@mozmail.com", {
      ...there,
      isAlias: true,
      reasons: ["The domain mozmail.com belongs to a service that forwards to another address."],
    }),
    verified("one with a tag", "ada+shop@sound.example", {
      ...there,
      isPlusAddressed: true,
      reasons: ["The part before the @ has a tag after a plus sign."],
    }),
    verified("one of noise", "x7k2p9q4@sound.example", {
      ...there,
      isRandomInput: true,
      reasons: ["The part before the @ looks machine-made."],
    }),
    verified("a misspelled one, which is no less valid", "ada@gmial.com", {
      ...there,
      isDisposable: expect.any(Boolean),
      isPersonalEmail: expect.any(Boolean),
      isTypo: true,
      suggestedEmail: "ada@gmail.com",
      reasons: expect.arrayContaining(["The domain looks misspelled; gmail.com may be meant."]),
    }),
    verified("one at a company whose name is near a provider's", "ada@grail.com", {
      ...there,
      reasons: ["Email appears to be valid."],
    }),
    verified("one with an international domain", "ada@münchen.example", {
      ...there,
      email: "ada@xn--mnchen-3ya.example",
    }),
    verified("one with letters of the world", "анна@sound.example", { ...there, email: "анна@sound.example" }),
    verified("one in quotes", '"ada..b"@sound.example', { ...there, email: '"ada..b"@sound.example' }),
    verified("the longest", `${"ab".repeat(32)}@sound.example`, { ...there, isRandomInput: expect.any(Boolean) }),
  ],
  { ...options, changesNothing: true },
);

const dead = { valid: false, domainExists: false, hasWebsite: false, hasMxRecords: false };
const mute = (domain: string) => [`The domain ${domain} could not be checked: the name servers gave no answer.`];

scenarios(
  "a domain is looked up:",
  [
    verified("one that does not exist", "ada@missing.example", {
      ...dead,
      reasons: ["The domain missing.example does not exist."],
    }),
    verified("one that takes no mail by its own word", "ada@null-mx.example", {
      ...there,
      valid: false,
      hasMxRecords: false,
      reasons: ["The domain null-mx.example accepts no email: it says so by a null MX record."],
    }),
    verified("one that says so and contradicts itself", "ada@half-null.example", there),
    verified("one with an address alone", "ada@address-only.example", {
      ...there,
      hasMxRecords: false,
      reasons: ["The domain address-only.example has no MX records; email goes to its address record."],
    }),
    verified("one with an IPv6 address alone", "ada@six-only.example", { ...there, hasMxRecords: false }),
    verified("one whose website is at www", "ada@www-only.example", there),
    verified("one without a website", "ada@no-website.example", {
      ...there,
      hasWebsite: false,
      reasons: ["The domain no-website.example has no website."],
    }),
    verified("one that is a name and no more", "ada@name-only.example", {
      ...dead,
      domainExists: true,
      reasons: [
        "The domain name-only.example has neither MX records nor an address record.",
        "The domain name-only.example has no website.",
      ],
    }),
    verified("one that is a zone and no more", "ada@zone-only.example", { ...dead, domainExists: true }),
    verified("one with nothing at all", "ada@bare.example", {
      ...dead,
      reasons: ["The domain bare.example does not exist."],
    }),
    verified("one that nobody knows of", "ada@silent.example", { ...dead, reasons: mute("silent.example") }),
    verified("one whose MX nobody tells", "ada@half-silent.example", {
      ...there,
      valid: false,
      hasMxRecords: false,
      reasons: mute("half-silent.example"),
    }),
    verified("one whose addresses nobody tells, so that nothing is said of a website", "ada@mx-then-silent.example", {
      ...there,
      hasWebsite: false,
      reasons: ["Email appears to be valid."],
    }),
    verified("one without MX whose addresses nobody tells", "ada@silent-address.example", {
      ...dead,
      reasons: mute("silent-address.example"),
    }),
    verified("one that may be a zone or nothing", "ada@silent-zone.example", {
      ...dead,
      reasons: mute("silent-zone.example"),
    }),
  ],
  { ...options, changesNothing: true },
);

const noAddresses = [
  ...["ada", "@sound.example", "ada@", "ada@sound", "a@b@sound.example", "ada@[192.0.2.1]", "ada@[IPv6:2001:db8::1]"],
  ...[
    "ada@192.0.2.1",
    "ada@-sound.example",
    "ada@sound..example",
    "a..b@sound.example",
    '"a b"@sound.example',
    "@",
    " ",
  ],
  ...["ada@sound.example, bob@sound.example", "Ada <ada@sound.example>", "ada@sound.example\r\nBcc: x@sound.example"],
  ...[`${"a".repeat(65)}@sound.example`, `ada@${"a.".repeat(200)}example`, "ada\u200b@sound.example"],
];

scenarios(
  "what is no address is refused:",
  [
    ...noAddresses.map((email): Scenario => ({
      name: JSON.stringify(email).slice(0, 60),
      request: "POST /v1/verify",
      body: { email },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { email: "invalid_email" },
    })),
    ...[{}, { email: null }, { email: 7 }, { email: ["ada@sound.example"] }, { email: "" }, [], "x".repeat(10)].map(
      (body): Scenario => ({
        name: JSON.stringify(body),
        request: "POST /v1/verify",
        body: JSON.stringify(body),
        status: 422,
        code: "VALIDATION_ERROR",
      }),
    ),
    {
      name: "an endless one",
      request: "POST /v1/verify",
      body: { email: `${"a".repeat(100_000)}@sound.example` },
      status: 422,
      fields: { email: "too_big" },
    },
    {
      name: "one of invisible characters",
      request: "POST /v1/verify",
      body: { email: "\u0000" },
      status: 422,
      fields: { email: "invalid_string" },
    },
  ],
  options,
);

describe("verifying", () => {
  test("leaves no trace, in the store or in the log", async () => {
    await using posthorn = await workspace(options);
    const before = await everything(posthorn);
    await ask(posthorn, "POST /v1/verify", { body: { email: "traceless@sound.example" } });
    expect(await everything(posthorn)).toEqual(before);
    expect(posthorn.logLines.join("\n")).not.toContain("traceless");
  });

  test("asks the name servers once while their answers are valid, for everybody at a domain", async () => {
    const resolver = new TableResolver(ZONES);
    await using posthorn = await workspace({ resolver });
    const verify = (email: string) => ask(posthorn, "POST /v1/verify", { body: { email } });
    await Promise.all([verify("ada@sound.example"), verify("bob@sound.example")]);
    await verify("Cleo@SOUND.example");
    expect(resolver.asked.sort()).toEqual(["A sound.example", "AAAA sound.example", "MX sound.example"]);
    posthorn.clock.advance(3_600_000);
    await verify("ada@sound.example");
    expect(resolver.asked.length).toBe(6);
  });

  test("asks nothing more where nothing is, and where nobody answers", async () => {
    const resolver = new TableResolver(ZONES);
    await using posthorn = await workspace({ resolver });
    for (const domain of ["missing.example", "silent.example"]) {
      await ask(posthorn, "POST /v1/verify", { body: { email: `ada@${domain}` } });
    }
    expect(resolver.asked.length).toBe(6);
  });

  test("asks nothing for what is no address", async () => {
    const resolver = new TableResolver(ZONES);
    await using posthorn = await workspace({ resolver });
    await ask(posthorn, "POST /v1/verify", { body: { email: "ada@[192.0.2.1]" } });
    expect(resolver.asked).toEqual([]);
  });
});

describe("slow name servers", () => {
  const verify = (posthorn: Posthorn, email: string) => ask(posthorn, "POST /v1/verify", { body: { email } });

  test("are waited for three seconds in all, whatever depends on what they say; what is open then counts as missing", async () => {
    const clock = new TestClock();
    const resolver = new SlowResolver(ZONES, clock, () => 2_500);
    await using posthorn = await startPosthorn({ clock, resolver });
    const answer = verify(posthorn, "ada@www-only.example");
    await resolver.askedOf(3);
    clock.advance(2_500);
    await resolver.askedOf(5);
    expect(resolver.asked.slice(3)).toEqual(["A www.www-only.example", "AAAA www.www-only.example"]);
    clock.advance(499);
    expect(await Promise.race([answer, "open"])).toBe("open");
    clock.advance(1);
    expect((await answer).body.data).toMatchObject({ valid: true, hasMxRecords: true, hasWebsite: false });
  });

  test("that take longer have given no answer, and give it to the next who asks", async () => {
    const clock = new TestClock();
    const resolver = new SlowResolver(ZONES, clock, () => 3_500);
    await using posthorn = await startPosthorn({ clock, resolver });
    const answer = verify(posthorn, "ada@sound.example");
    await resolver.askedOf(3);
    clock.advance(3_000);
    expect((await answer).body.data).toMatchObject({ valid: false, reasons: mute("sound.example") });
    clock.advance(500);
    expect((await verify(posthorn, "ada@sound.example")).body.data.valid).toBe(true);
    expect(resolver.asked.length).toBe(3);
  });

  test("that one workspace asks much of keep no other waiting; what nobody was asked in time is told as that (slow)", async () => {
    const clock = new TestClock();
    const resolver = new SlowResolver(ZONES, clock, (name) => (name === "sound.example" ? 0 : 10_000));
    await using posthorn = await startPosthorn({ clock, resolver });
    const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
    const burst = Array.from({ length: 200 }, (_, count) => verify(posthorn, `ada@slow${count}.example`));
    await resolver.askedOf(100);
    const body = { email: "ada@sound.example" };
    const other = ask(posthorn, "POST /v1/verify", { key: { bearer: secret }, body });
    await resolver.askedOf(103);
    clock.advance(1);
    expect((await other).body.data.valid).toBe(true);
    const all = Promise.all(burst);
    while (!Array.isArray(await Promise.race([all, posthorn.call("GET /health")]))) clock.advance(1_000);
    const reasons = (await all).map((answer) => answer.body.data.reasons[0] as string);
    expect(new Set(reasons.map((reason) => reason.replace(/slow\d+/, "slow")))).toEqual(
      new Set([
        "The domain slow.example could not be checked: the name servers gave no answer.",
        "The domain slow.example could not be checked in time: too many DNS questions were under way.",
      ]),
    );
  });
});

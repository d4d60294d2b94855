// Sender domains from the command line, beside a running server, with a name server of our own.
import { DEFAULTS } from "../src/base/config.ts";
import { recordSettings } from "../src/tenant/domains/dns-records.ts";
import { domainReportedTo, type ReportDomain } from "../src/tenant/domains/queries.ts";
import { findDomain } from "../src/tenant/domains/domain.ts";
import { takeReports } from "../src/mail/reports/take.ts";
import { dmarcXml, readReport } from "./support/reports.ts";
import { describe, expect, test } from "bun:test";
import { send } from "./support/campaigns.ts";
import { TestClock } from "./support/clock.ts";
import { cliBeside, jsonBeside } from "./support/cli.ts";
import { letter } from "./support/mails.ts";
import { nameServer, SERVER_FAILURE, type NameAnswer } from "./support/name-server.ts";
import { firstOwner } from "./support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "./support/posthorn.ts";
import { addUnverifiedDomain, addWorkspace } from "./support/workspaces.ts";
import { workspace } from "./support/workspace.ts";

const FROM_SHOP = { ...letter, from: "hello@shop.example" };
const VERIFY = ["domain", "verify", "shop.example"];

function dkimOf(record: Json): { name: string; value: string } {
  return record.records.find(({ purpose }: { purpose: string }) => purpose === "DKIM");
}

/** A server whose workspace has the domain shop.example, not verified. */
async function withShop(): Promise<{ posthorn: Posthorn; dkim: { name: string; value: string } }> {
  const posthorn = await workspace();
  await addUnverifiedDomain(posthorn, "shop.example");
  const records = await jsonBeside(posthorn, ["domain", "list"]);
  return { posthorn, dkim: dkimOf(records.find(({ domain }: Json) => domain === "shop.example")) };
}

async function verifyWith(posthorn: Posthorn, name: string, answer: NameAnswer, words: readonly string[] = []) {
  await using server = await nameServer();
  server.answers.set(name, answer);
  return await cliBeside(posthorn, [...VERIFY, ...words], { POSTHORN_DNS_SERVERS: server.address });
}

async function mayBeSentFrom(posthorn: Posthorn): Promise<boolean> {
  return (await posthorn.call("POST /v1/send", FROM_SHOP)).status === 200;
}

describe("domain add", () => {
  test("prints the records that the domain needs; until it is verified nothing is sent from it", async () => {
    await using posthorn = await workspace();
    const record = await jsonBeside(posthorn, ["domain", "add", " Shop.Example.", "--workspace", "default"]);
    const { selector } = record;
    const dkim = expect.stringMatching(/^v=DKIM1; k=rsa; p=[\w+/=]{390,}$/);
    const txt = (purpose: string, name: string, value: unknown, required = false) => {
      const unknown = {
        state: "UNKNOWN",
        problem: null,
        problemCode: null,
        problemValues: {},
        found: [],
        suggestion: null,
        since: null,
      };
      const without = expect.stringContaining("Without it, ");
      return { purpose, type: "TXT", name, value, required, without, removableAt: null, ...unknown };
    };
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      domain: "shop.example",
      workspace: "default",
      verified: false,
      verifiedAt: null,
      forced: false,
      selector: expect.stringMatching(/^posthorn\d{4}$/),
      nextSelector: null,
      failingSince: null,
      graceEndsAt: null,
      checkedAt: null,
      nextCheckAt: expect.any(String),
      service: null,
      ways: expect.any(Array),
      information: expect.any(Array),
      records: [
        txt("DKIM", `${selector}._domainkey.shop.example`, dkim, true),
        txt("SPF", "shop.example", "v=spf1 include:<what your relay asks for> ~all"),
        txt("DMARC", "_dmarc.shop.example", "v=DMARC1; p=none"),
      ],
      projectId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.any(String),
    });
    const { body } = await posthorn.call("POST /v1/send", FROM_SHOP);
    expect(body.error.code).toBe("DOMAIN_NOT_VERIFIED");
  });

  test("shows a person where each record goes, and what to do next", async () => {
    await using posthorn = await workspace();
    const words = ["domain", "add", "shop.example", "--workspace", "default"];
    const { code, out } = await cliBeside(posthorn, words, { POSTHORN_DELIVERY_RETURN_PATH_DOMAIN: "b.example.com" });
    expect(code).toBe(0);
    expect(out).toMatch(
      /\n  DKIM \(required\)\n    name   \w+\._domainkey\.shop\.example\n    type   TXT\n    value  v=DKIM1/,
    );
    expect(out).toContain("\n  RETURN_PATH (recommended)\n    name   b.example.com\n    type   MX\n");
    expect(out).toContain("\n    Without it, bounces do not arrive");
    expect(out).toEndWith("\n\nThen: posthorn domain verify shop.example");
  });

  test("says of a provider's domain that it cannot be verified", async () => {
    await using posthorn = await workspace();
    const ended = await cliBeside(posthorn, ["domain", "add", "gmail.com", "--workspace", "default"]);
    expect([ended.code, ended.err]).toEqual([0, expect.stringContaining("you cannot verify it")]);
    const own = await cliBeside(posthorn, ["domain", "add", "shop.example", "--workspace", "default"]);
    expect(own.err).toBe("");
  });

  const refused: readonly [domain: string, said: string][] = [
    ["example.test", "The workspace already has the domain example.test."],
    ["taken.example", "The domain taken.example is verified in another workspace."],
    ["no domain", '"no domain" is not a domain name.'],
    ["127.0.0.1", '"127.0.0.1" is not a domain name.'],
  ];
  test.each(refused)("refuses %j", async (domain, said) => {
    await using posthorn = await workspace();
    await addWorkspace(posthorn, { name: "other", domain: "taken.example" });
    const ended = await cliBeside(posthorn, ["domain", "add", domain, "--workspace", "default"]);
    expect(ended).toEqual({ code: 1, out: "", err: said });
  });
});

describe("domain verify", () => {
  test("finds the record in the two strings in which such a key must be published", async () => {
    const { posthorn, dkim } = await withShop();
    await using _ = posthorn;
    const strings = [dkim.value.slice(0, 255), dkim.value.slice(255)];
    const ended = await verifyWith(posthorn, dkim.name, [["an older record"], strings]);
    expect([ended.code, ended.err, ended.out.split("\n").slice(0, 2)]).toEqual([
      0,
      "",
      ["shop.example is verified.", "  DKIM  OK"],
    ]);
    expect(await mayBeSentFrom(posthorn)).toBe(true);
  });

  const unpublished: readonly [what: string, answer: NameAnswer, found: RegExp][] = [
    ["nothing", [], /MISSING: There is no such record/],
    [
      "another key",
      [["v=DKIM1; k=rsa; p=", "AAAA"]],
      /WRONG: The record does not contain our key: found "v=DKIM1; k=rsa; p=AAAA"/,
    ],
  ];
  test.each(unpublished)("says what it looked for when it finds %s", async (_, answer, found) => {
    const { posthorn, dkim } = await withShop();
    await using __ = posthorn;
    const { code, out, err } = await verifyWith(posthorn, dkim.name, answer);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    const [title, problem, ...wanted] = err.split("\n");
    expect(title).toStartWith("shop.example is not verified.");
    expect(problem).toMatch(found);
    expect(wanted.slice(0, 2)).toEqual([`    TXT  ${dkim.name}`, `    should be  ${dkim.value}`]);
    expect(await mayBeSentFrom(posthorn)).toBe(false);
  });

  test("is no answer when the name server fails", async () => {
    const { posthorn, dkim } = await withShop();
    await using _ = posthorn;
    const { code, err } = await verifyWith(posthorn, dkim.name, SERVER_FAILURE);
    expect(code).toBe(1);
    expect(err).toMatch(/\n  DKIM  UNKNOWN: The DNS records of \S+ could not be checked: the name server \S+ failed/);
    expect(await mayBeSentFrom(posthorn)).toBe(false);
  });

  test("says how long a domain whose record is gone goes on sending", async () => {
    const { posthorn, dkim } = await withShop();
    await using _ = posthorn;
    await verifyWith(posthorn, dkim.name, [[dkim.value.slice(0, 200), dkim.value.slice(200)]]);
    const { code, err } = await verifyWith(posthorn, dkim.name, []);
    expect(code).toBe(1);
    expect(err).toMatch(/^shop\.example is verified, but its DNS record is gone: its emails are sent until \d{4}-/);
    expect((await cliBeside(posthorn, ["domain", "list"])).out).toMatch(
      /shop\.example +default +failing, stops \d{4}-/,
    );
    expect(await mayBeSentFrom(posthorn)).toBe(true);
  });

  test("with --force looks at nothing and says so", async () => {
    const { posthorn, dkim } = await withShop();
    await using _ = posthorn;
    const { code, out } = await verifyWith(posthorn, dkim.name, SERVER_FAILURE, ["--force"]);
    expect(code).toBe(0);
    expect(out).toBe("shop.example is marked as verified. Its DNS records were not checked.");
    expect(await mayBeSentFrom(posthorn)).toBe(true);
  });

  test("prints the record for programs, found or not", async () => {
    const { posthorn, dkim } = await withShop();
    await using _ = posthorn;
    const missing = await verifyWith(posthorn, dkim.name, [], ["--json"]);
    expect([missing.code, JSON.parse(missing.out).verified]).toEqual([1, false]);
    const forced = await jsonBeside(posthorn, [...VERIFY, "--force"]);
    expect(forced).toMatchObject({
      domain: "shop.example",
      verified: true,
      verifiedAt: expect.any(String),
      forced: true,
    });
  });

  test("with --force shows the domain as forced, until a check finds its record", async () => {
    const { posthorn, dkim } = await withShop();
    await using _ = posthorn;
    await verifyWith(posthorn, dkim.name, SERVER_FAILURE, ["--force"]);
    const listed = async () => (await cliBeside(posthorn, ["domain", "list"])).out;
    expect(await listed()).toMatch(/shop\.example +default +forced \S+, not checked/);
    const missing = await verifyWith(posthorn, dkim.name, []);
    expect(missing.out).toStartWith("shop.example is marked as verified (--force), but no check has confirmed it.\n");
    const strings = [dkim.value.slice(0, 255), dkim.value.slice(255)];
    const found = await verifyWith(posthorn, dkim.name, [strings], ["--json"]);
    expect(JSON.parse(found.out)).toMatchObject({ verified: true, forced: false });
    expect(await listed()).toMatch(/shop\.example +default +verified \d/);
  });

  test("asks which workspace is meant where several have the domain; only one of them may verify it", async () => {
    const { posthorn } = await withShop();
    await using _ = posthorn;
    await cliBeside(posthorn, ["workspace", "create", "other"]);
    await cliBeside(posthorn, ["domain", "add", "shop.example", "--workspace", "other"]);
    const unclear = await cliBeside(posthorn, [...VERIFY, "--force"]);
    expect(unclear.err).toBe("Several workspaces have the domain shop.example: name one with --workspace.");
    expect((await cliBeside(posthorn, [...VERIFY, "--force", "--workspace", "other"])).code).toBe(0);
    const second = await cliBeside(posthorn, [...VERIFY, "--force", "--workspace", "default"]);
    expect(second).toEqual({ code: 1, out: "", err: "The domain shop.example is verified in another workspace." });
  });

  test("knows the domains that were added, and no others", async () => {
    await using posthorn = await workspace();
    expect(await cliBeside(posthorn, VERIFY)).toEqual({
      code: 1,
      out: "",
      err: "There is no domain shop.example here.",
    });
  });
});

describe("domain rotate", () => {
  test("prints the record of the new key, which signs once that is found", async () => {
    const { posthorn, dkim } = await withShop();
    await using _ = posthorn;
    const rotated = await jsonBeside(posthorn, ["domain", "rotate", "shop.example"]);
    const { nextSelector } = rotated;
    expect(rotated.records.filter(({ purpose }: Json) => purpose === "DKIM")).toHaveLength(2);
    const again = await cliBeside(posthorn, ["domain", "rotate", "shop.example"]);
    expect(again).toMatchObject({
      code: 1,
      err: `The key ${nextSelector} is waiting for its DKIM record to be published.`,
    });
    const next = rotated.records.find(({ name }: Json) => name.startsWith(nextSelector));
    const { out } = await verifyWith(posthorn, next.name, [[next.value.slice(0, 255), next.value.slice(255)]]);
    expect(out).toStartWith("shop.example is verified.");
    expect(out).toContain(`${dkim.name} may be removed after `);
  });
});

describe("domain list", () => {
  test("shows whose domains are verified, of all workspaces or of one", async () => {
    const { posthorn } = await withShop();
    await using _ = posthorn;
    await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const { out } = await cliBeside(posthorn, ["domain", "list"]);
    expect(out.split("\n").map((line) => line.split(/  +/).slice(0, 3))).toEqual([
      ["DOMAIN", "WORKSPACE", "STATE"],
      ["example.test", "default", expect.stringMatching(/^forced \d{4}-.*, not checked$/)],
      ["shop.example", "default", "not verified"],
      ["other.example", "other", expect.stringMatching(/^forced \d{4}-.*, not checked$/)],
    ]);
    const names = (list: Json) => list.map(({ domain }: Json) => domain);
    expect(names(await jsonBeside(posthorn, ["domain", "list", "--workspace", "other"]))).toEqual(["other.example"]);
  });
});

describe("domain reports", () => {
  test("says whether a stricter policy is safe, and what sends in the domain's name", async () => {
    // The verb goes by the time of the machine.
    await using posthorn = await startPosthorn({ clock: new TestClock(new Date().toISOString()) });
    await addUnverifiedDomain(posthorn, "shop.example");
    const none = await cliBeside(posthorn, ["domain", "reports", "shop.example"]);
    expect(none.out).toStartWith("shop.example: No report has told of email from this domain yet.");
    await posthorn.store.write(async (tx) => {
      const { reportToken } = await findDomain(tx, "shop.example", null);
      const domain = (await domainReportedTo(tx, reportToken)) as ReportDomain;
      const begin = Math.floor(Date.now() / 86_400_000 - 2) * 86_400;
      const rows = [
        { ip: "192.0.2.9", count: 20, dkim: "fail", spf: "fail", path: "x.sendgrid.net pass" },
        { ip: "192.0.2.7", count: 4, dkim: "fail", spf: "fail", path: "x.test fail" },
      ] as const;
      const read = readReport([], dmarcXml({ domain: "shop.example", begin, rows }));
      const mail = { read, sender: null, isForged: false, hosts: {} };
      const settings = recordSettings(DEFAULTS, []);
      await takeReports(tx, { domain, mail, message: null, settings });
    });
    const { out } = await cliBeside(posthorn, ["domain", "reports", "shop.example"]);
    expect(out.split("\n")[0]).toStartWith(
      "shop.example: Not yet: SendGrid sends email that fails. Of 20 emails from your servers and from known services, 0 % passed (1 day, 1 receiver).",
    );
    expect(out).toContain("\nThe policy is p=none.\n");
    expect(out).toMatch(/\nSendGrid +known +20 +0 %\n192\.0\.2\.7 +unknown +4 +0 %\n/);
    expect(out).toContain("\n  SendGrid: SendGrid sends in your name without a signature of yours.");
    const json = await jsonBeside(posthorn, ["domain", "reports", "shop.example"]);
    expect(json).toMatchObject({ domain: "shop.example", verdict: { code: "failing" }, dmarc: { messages: 24 } });
  });
});

describe("domain warmup", () => {
  const WARMUP = ["domain", "warmup", "example.test"];

  async function warming(): Promise<Posthorn> {
    // The verb goes by the time of the machine.
    const posthorn = await startPosthorn({
      clock: new TestClock(new Date().toISOString()),
      config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
    });
    for (let at = 0; at < 20; at++) await posthorn.call("POST /contacts", { email: `p${at}@gmail.com` });
    return posthorn;
  }

  test("says how far it is and what waits, and a running server follows each change", async () => {
    await using posthorn = await warming();
    const env = {
      POSTHORN_DELIVERY_TRANSPORT: "smtp",
      POSTHORN_RELAY_HOST: "smtp.example.com",
      POSTHORN_HTTP_BASE_URL: "https://mail.example.com",
    };
    const shown = async (...words: string[]) => (await cliBeside(posthorn, [...WARMUP, ...words], env)).out;
    expect(await shown()).toContain("example.test: new. Its warm-up begins with its first marketing email.");
    expect(await shown("--days", "4, 8,16")).toContain("example.test: warming up, day 1 of 3. The day begins with");
    await send(posthorn, { from: "shop@example.test" });
    await posthorn.settle();
    const out = await shown();
    expect(out).toContain("example.test: warming up, day 1 of 3. The day ends 20");
    expect(out).toMatch(/\ngmail +1 of 4 +19 +20.+\n\nWhat waits will have left by 20/);
    expect(await shown("--pause")).toContain("paused on day 1 of 3. Known mailbox providers get no marketing email.");
    expect(await jsonBeside(posthorn, [...WARMUP, "--resume"], env)).toMatchObject({
      domain: "example.test",
      state: "RUNNING",
      today: [{ provider: "gmail", sent: 1, waiting: 19 }],
    });
    expect(await shown("--skip")).toContain("not warming up. Marketing email leaves at full pace.");
    await posthorn.clock.advance(60_000);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(20);
    expect(await shown("--restart")).toContain("warming up, day 1 of 3.");
    const { data } = (await (await firstOwner(posthorn)).ask("GET /audit")).body;
    expect(data.map(({ action }: Json) => action)).toContainValues(
      ["days", "pause", "resume", "skip", "restart"].map((what) => `domain warmup --${what}`),
    );
  });

  test("refuses what means nothing", async () => {
    await using posthorn = await warming();
    const refused = async (...words: string[]) => {
      const { code, err } = await cliBeside(posthorn, [...WARMUP, ...words]);
      return [code, err.split("\n")[0]];
    };
    expect(await refused("--days", "50,often")).toEqual([2, expect.stringContaining("--days takes up to 90")]);
    expect(await refused("--pause", "--skip")).toEqual([2, "Only one change can be made at a time."]);
    expect(await refused("--resume")).toEqual([1, expect.stringContaining("RUNNING")]);
  });
});

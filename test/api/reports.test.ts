// GET /domains/{id}/reports: what receivers report of a domain, and whether a stricter policy is safe.
import { expect, test } from "bun:test";
import { bring, ELSEWHERE, startHouse, type House } from "../support/outside.ts";
import type { Json } from "../support/posthorn.ts";
import {
  dmarcXml,
  mailWith,
  packed,
  reportAddress,
  tlsJson,
  tlsPolicy,
  YESTERDAY,
  type Row,
} from "../support/reports.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";

const CONFIG = {
  smtp: { hostname: "mx.posthorn.example" },
  delivery: { returnPathDomain: "bounces.posthorn.example" },
} as const;
const DAY_SECONDS = 86_400;

type Home = House & { readonly to: string; readonly id: string; readonly zones: Record<string, Zone> };

async function home(): Promise<Home> {
  const zones: Record<string, Zone> = { ...ELSEWHERE };
  const house = await startHouse({ config: CONFIG, resolver: new TableResolver(zones) });
  const [{ id }] = (await ask(house.posthorn, "GET /domains")).body.data;
  return { ...house, id, zones, to: await reportAddress(house.posthorn, "example.test") };
}

/** One report a day, the last of them yesterday. */
async function report({ posthorn, port, to }: Home, days: number, rows: readonly Row[], organization = "mailbox.test") {
  for (let ago = 0; ago < days; ago++) {
    const begin = YESTERDAY - ago * DAY_SECONDS;
    const xml = dmarcXml({ organization, id: `${organization} ${ago}`, begin, rows });
    await bring({ port }, mailWith(packed(xml)), { to: [to] });
  }
  await posthorn.settle();
}

async function reports({ posthorn, id }: Home, query = ""): Promise<Json> {
  const { status, body } = await ask(posthorn, `GET /domains/${id}/reports${query}`);
  expect(status).toBe(200);
  return body;
}

const OURS: Row = { count: 10, path: "bounces.posthorn.example pass" };

test("before the first report, it says so and where reports come to", async () => {
  const house = await home();
  await using _ = house.posthorn;
  expect(await reports(house)).toEqual({
    ...{ address: house.to, firstDay: "2026-01-31", lastDay: "2026-03-01", policy: null },
    verdict: {
      code: "no_reports",
      sentence: expect.stringContaining("No report has told of email from this domain yet."),
      values: { days: "0", receivers: "0", messages: "0", share: "0" },
    },
    dmarc: { messages: 0, passed: 0, quarantined: 0, rejected: 0, receivers: 0, series: [], sources: [] },
    tls: { sessions: 0, failed: 0, series: [], failures: [] },
  });
});

test("two weeks of mail that passes are enough for quarantine, and then for reject", async () => {
  const house = await home();
  await using _ = house.posthorn;
  await report(house, 13, [OURS, { ip: "198.51.100.7", count: 3, dkim: "fail", spf: "fail", path: "x.test fail" }]);
  expect((await reports(house)).verdict).toMatchObject({ code: "too_early", values: { days: "13", share: "100" } });
  await report(house, 14, [OURS], "second.test");
  const { verdict, dmarc } = await reports(house);
  expect(verdict).toEqual({
    code: "may_quarantine",
    sentence:
      "You may go to p=quarantine. Of 270 emails from your servers and from known services, 100 % passed (14 days, 2 receivers).",
    values: { days: "14", receivers: "2", messages: "270", share: "100" },
  });
  expect(dmarc.sources).toMatchObject([
    { origin: "OWN", provider: null, address: null, messages: 270, passed: 270, advice: null },
    { origin: "UNKNOWN", address: "198.51.100.7", messages: 39, passed: 0, advice: { code: "nobody_knows" } },
  ]);
  expect(dmarc.series.at(-1)).toEqual({ day: "2026-02-28", messages: 23, passed: 20, quarantined: 0, rejected: 0 });
  for (const [policy, code] of [
    ["quarantine", "may_reject"],
    ["reject", "strict"],
  ]) {
    house.zones["_dmarc.example.test"] = { TXT: [`v=DMARC1; p=${policy}`] };
    await ask(house.posthorn, `POST /domains/${house.id}/verify`);
    expect(await reports(house)).toMatchObject({ policy, verdict: { code } });
  }
});

test("a service that signs with its own name is in the way, and it says what to do", async () => {
  const house = await home();
  await using _ = house.posthorn;
  const theirs = { ip: "198.51.100.9", count: 2, dkim: "fail", spf: "fail", path: "mail1.mcsv.net pass" } as const;
  await report(house, 14, [OURS, { ...theirs, signatures: ["mcsv.net k1 pass"] }]);
  const { verdict, dmarc } = await reports(house);
  expect(verdict).toMatchObject({ code: "failing", values: { source: "Mailchimp", share: "83.3" } });
  expect(dmarc.sources[1]).toMatchObject({
    ...{ origin: "KNOWN", provider: "Mailchimp", messages: 28, passed: 0, dkim: 0, spf: 0 },
    advice: { code: "service_signs_as", values: { source: "Mailchimp", signedAs: "mcsv.net", domain: "example.test" } },
  });
});

test("mail of ours that a forwarder changed does no harm; few mails are too few", async () => {
  const house = await home();
  await using _ = house.posthorn;
  const { records } = (await ask(house.posthorn, `GET /domains/${house.id}`)).body;
  const [selector] = records[0].name.split(".");
  const signature = `example.test ${selector} fail`;
  const forwarded = {
    ip: "198.51.100.3",
    dkim: "fail",
    spf: "fail",
    path: "list.test pass",
    signatures: [signature],
  } as const;
  await report(house, 14, [{ ...OURS, count: 2 }, forwarded]);
  const { verdict, dmarc } = await reports(house);
  expect(verdict).toMatchObject({ code: "too_few", values: { messages: "28" } });
  expect(dmarc.sources[1]).toMatchObject({ origin: "FORWARDED", advice: { code: "forwarded_changed" } });
});

test("own mail that fails is said first, and the policy is known from reports where no check has found one", async () => {
  const house = await home();
  await using _ = house.posthorn;
  await report(house, 2, [{ ...OURS, dkim: "fail", spf: "fail" }]);
  expect(await reports(house)).toMatchObject({
    policy: "none",
    verdict: { code: "failing", values: { source: "this server (example.test)" } },
    dmarc: { sources: [{ origin: "OWN", advice: { code: "own_fails" } }] },
  });
});

test("the days asked for are counted, of DMARC and of TLS", async () => {
  const house = await home();
  await using _ = house.posthorn;
  await report(house, 5, [OURS]);
  const failure = {
    "result-type": "validation-failure",
    "receiving-mx-hostname": "mx.example.test",
    "failed-session-count": 5,
  };
  await bring(house, mailWith(packed(tlsJson({}, [tlsPolicy([failure])]))), { to: [house.to] });
  await house.posthorn.settle();
  const { dmarc, tls } = await reports(house, "?days=3");
  expect(dmarc).toMatchObject({ messages: 20, receivers: 1, series: [{ day: "2026-02-27" }, { day: "2026-02-28" }] });
  expect(tls).toEqual({
    ...{ sessions: 17, failed: 5, series: [{ day: "2026-02-28", sessions: 17, failed: 5 }] },
    failures: [{ policyType: "sts", result: "validation-failure", host: "mx.example.test", sessions: 5 }],
  });
  expect((await ask(house.posthorn, `GET /domains/${house.id}/reports?days=0`)).status).toBe(400);
});

test("the list has every report with its state, and what could not be read can be downloaded", async () => {
  const house = await home();
  const { posthorn, id, to } = house;
  await using _ = posthorn;
  await report(house, 1, [OURS]);
  await bring(house, mailWith(packed(dmarcXml({ domain: "other.test" }))), { to: [to] });
  await posthorn.settle();
  await bring(house, mailWith(packed("<!DOCTYPE a><feedback/>")), { to: [to] });
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /domains/${id}/reports/received`);
  expect(body).toMatchObject({
    total: 3,
    data: [
      { kind: null, state: "UNREADABLE", problemCode: "markup", problem: expect.stringContaining("XML"), isKept: true },
      { kind: "DMARC", state: "OTHER_DOMAIN", domain: "other.test", isKept: false },
      {
        state: "COUNTED",
        organization: "mailbox.test",
        sender: "elsewhere.test",
        messages: 10,
        passed: 10,
        repeats: 0,
      },
    ],
  });
  const raw = (report: Json) => ask(posthorn, `GET /domains/${id}/reports/received/${report.id}/raw`);
  expect((await raw(body.data[0])).body).toContain("Subject: Report domain: example.test");
  expect((await raw(body.data[2])).body.error.code).toBe("REPORT_NOT_FOUND");
  const other = await addWorkspace(posthorn, { name: "Other", domain: "third.test" });
  for (const path of ["reports", "reports/received", `reports/received/${body.data[0].id}/raw`]) {
    const answer = await ask(posthorn, `GET /domains/${id}/${path}`, { key: { bearer: other.secret } });
    expect(answer.body.error.code).toBe("DOMAIN_NOT_FOUND");
  }
});

// Reports that come home, from the SMTP session to what is kept of them.
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { freshDirectory } from "../support/database.ts";
import { TestClock } from "../support/clock.ts";
import { bring, ELSEWHERE, received, signed, startHouse, type House } from "../support/outside.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { dmarcXml, mailWith, packed, reportAddress, tlsJson, tlsPolicy, YESTERDAY } from "../support/reports.ts";
import { TableResolver } from "../support/resolver.ts";
import { ask, countOf } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";

const CONFIG = {
  smtp: { hostname: "mx.posthorn.example" },
  delivery: { returnPathDomain: "bounces.posthorn.example" },
};

/** A server that takes mail, and the address that takes the reports of example.test. */
async function home(zones = {}): Promise<House & { readonly to: string }> {
  const port = await startHouse({ config: CONFIG, resolver: new TableResolver({ ...ELSEWHERE, ...zones }) });
  return { ...port, to: await reportAddress(port.posthorn, "example.test") };
}

type Kept = Readonly<Record<string, unknown>>;

/** What is kept of reports, the oldest first. */
async function kept(posthorn: Posthorn): Promise<Kept[]> {
  await posthorn.settle();
  return posthorn.store.read(
    (reader) => reader.all<Kept>`
      select kind, state, fault, sender, organization, report_id as "id", policy_domain as "domain", messages, passed, repeats
      from reports order by seq`,
  );
}

async function rows(posthorn: Posthorn): Promise<Kept[]> {
  return posthorn.store.read(
    (reader) => reader.all<Kept>`
      select d.domain, r.day, r.ip, r.messages, r.dkim, r.spf, r.origin, r.provider, r.host from dmarc_rows r
      join domains d on d.seq = r.domain order by r.report, r.number`,
  );
}

test("a report comes to the address that the records name, and is no mail", async () => {
  const { posthorn, port, to } = await home({
    "9.2.0.192.in-addr.arpa": { PTR: ["o1.ptr.sendgrid.net."] },
    "o1.ptr.sendgrid.net": { A: ["192.0.2.9"] },
    "10.2.0.192.in-addr.arpa": { PTR: ["mail.google.com"] },
    "mail.google.com": { A: ["192.0.2.99"] },
  });
  await using _ = posthorn;
  expect(to).toMatch(/^reports-[a-z0-9]{24}@bounces\.posthorn\.example$/);
  const xml = dmarcXml({
    rows: [
      { ip: "192.0.2.8", count: 7, path: "bounces.posthorn.example pass" },
      { ip: "192.0.2.9", count: 5, dkim: "fail", spf: "fail" },
      { ip: "192.0.2.10", count: 2, dkim: "fail", spf: "fail" },
    ],
  });
  expect(await bring({ port }, await signed(mailWith(packed(xml))), { to: [to] })).toBe("250 2.6.0 Stored");
  expect(await kept(posthorn)).toEqual([
    {
      ...{ kind: "DMARC", state: "COUNTED", fault: null, sender: "elsewhere.test", organization: "mailbox.test" },
      ...{ id: "1", domain: "example.test", messages: 14, passed: 7, repeats: 0 },
    },
  ]);
  const common = { domain: "example.test", day: "2026-02-28" };
  expect(await rows(posthorn)).toEqual([
    { ...common, ip: "192.0.2.8", messages: 7, dkim: 1, spf: 1, origin: "OWN", provider: "", host: "" },
    {
      ...{ ...common, ip: "192.0.2.9", messages: 5, dkim: 0, spf: 0 },
      ...{ origin: "KNOWN", provider: "SendGrid", host: "o1.ptr.sendgrid.net" },
    },
    // Its name leads to another address.
    { ...common, ip: "192.0.2.10", messages: 2, dkim: 0, spf: 0, origin: "UNKNOWN", provider: "", host: "" },
  ]);
  expect(await received(posthorn)).toEqual([]);
  expect(await Promise.all(["messages", "contacts", "emails"].map((table) => countOf(posthorn, table)))).toEqual([
    0, 0, 0,
  ]);
});

test("the same report counts once, however often and however it comes", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  await bring({ port }, mailWith(packed(dmarcXml())), { to: [to] });
  await posthorn.settle();
  await bring({ port }, mailWith(packed(dmarcXml())), { to: [to] });
  await bring({ port }, mailWith(Buffer.from(dmarcXml()), "text/xml"), { to: [to, to.toUpperCase()] });
  await posthorn.settle();
  await bring({ port }, mailWith(packed(dmarcXml({ id: "2" }))), { to: [to] });
  expect(await kept(posthorn)).toMatchObject([
    { id: "1", repeats: 2 },
    { id: "2", repeats: 0 },
  ]);
  expect(await rows(posthorn)).toHaveLength(2);
});

test("a receiver that uses an id again each day is counted each day", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  for (const day of [0, 1, 2, 2]) {
    const begin = YESTERDAY - day * 86_400;
    await bring({ port }, await signed(mailWith(packed(dmarcXml({ begin })))), { to: [to] });
    await posthorn.settle();
  }
  const counts = (await kept(posthorn)).map(({ messages, repeats }) => [messages, repeats]);
  expect(counts).toEqual([
    [1, 0],
    [1, 0],
    [1, 1],
  ]);
});

test("parts of a report with other rows add up, and a row that came before counts once", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  const [one, two, three] = [1, 2, 3].map((count) => ({ ip: `192.0.2.${count}`, count }));
  const parts = [[one], [two], [one, two], [two, three]] as const;
  for (const rows of parts) {
    await bring({ port }, await signed(mailWith(packed(dmarcXml({ rows: rows as never })))), { to: [to] });
    await posthorn.settle();
  }
  const counts = (await kept(posthorn)).map(({ state, messages, repeats }) => [state, messages, repeats]);
  expect(counts).toEqual([
    ["COUNTED", 1, 1],
    ["COUNTED", 2, 0],
    ["COUNTED", 3, 0],
  ]);
  expect((await rows(posthorn)).map(({ messages }) => messages)).toEqual([1, 2, 3]);
});

test("two reports in one mail are both counted, and so is one in a mail that is forwarded", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  const part = (id: string) =>
    `--b\nContent-Type: application/gzip\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="${id}.xml.gz"\n\n${packed(dmarcXml({ id })).toString("base64")}\n`;
  const from = "From: DMARC Reports <reports@elsewhere.test>\nSubject: Reports\nMIME-Version: 1.0\n";
  const mixed = 'Content-Type: multipart/mixed; boundary="b"\n\n';
  await bring({ port }, await signed(`${from}${mixed}${part("1")}${part("2")}--b--\n`), { to: [to] });
  await posthorn.settle();
  for (const disposition of ["", 'Content-Disposition: attachment; filename="report.eml"\n']) {
    const inner = mailWith(packed(dmarcXml({ id: disposition === "" ? "inline" : "attached" })));
    const outer = `${from}${mixed}--b\n\nSee below.\n--b\nContent-Type: message/rfc822\n${disposition}\n${inner}\n--b--\n`;
    await bring({ port }, await signed(outer), { to: [to] });
    await posthorn.settle();
  }
  expect((await kept(posthorn)).map(({ id, state }) => [id, state])).toEqual([
    ["1", "COUNTED"],
    ["2", "COUNTED"],
    ["inline", "COUNTED"],
    ["attached", "COUNTED"],
  ]);
});

test("a TLS report that names no domain is about the one whose address it came to", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  const bare = { policy: { "policy-type": "no-policy-found" }, summary: { "total-successful-session-count": 1 } };
  for (const _again of [1, 2])
    await bring({ port }, await signed(mailWith(Buffer.from(tlsJson({}, [bare])), "application/tlsrpt+json")), {
      to: [to],
    });
  expect(await kept(posthorn)).toMatchObject([
    { kind: "TLS", state: "COUNTED", domain: "example.test", messages: 1, repeats: 1 },
  ]);
});

test("a report about another domain is kept as that, and not counted", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  await ask(posthorn, "POST /domains", { body: { domain: "other.test" } });
  await bring({ port }, mailWith(packed(dmarcXml({ domain: "other.test" }))), { to: [to] });
  await posthorn.settle();
  const tls = tlsJson({}, [{ ...tlsPolicy(), policy: { "policy-type": "sts", "policy-domain": "other.test" } }]);
  await bring({ port }, mailWith(packed(tls)), { to: [to] });
  expect(await kept(posthorn)).toMatchObject([
    { state: "OTHER_DOMAIN", domain: "other.test" },
    { state: "OTHER_DOMAIN", kind: "TLS" },
  ]);
  expect(await rows(posthorn)).toEqual([]);
  expect(await countOf(posthorn, "tls_rows")).toBe(0);
});

test("what others send under a policy of the domain above counts for the domain alone; rows find the nearest domain", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  await ask(posthorn, "POST /domains", { body: { domain: "shop.example.test" } });
  const from = ["example.test", "shop.example.test", "a.shop.example.test", "else.example.test"];
  const xml = dmarcXml({ rows: from.map((one) => ({ from: one })) });
  await bring({ port }, mailWith(packed(xml)), { to: [to] });
  expect(await kept(posthorn)).toMatchObject([{ messages: 4 }]);
  await bring({ port }, mailWith(packed(xml)), { to: [await reportAddress(posthorn, "shop.example.test")] });
  expect(await kept(posthorn)).toMatchObject([{ messages: 4 }, { messages: 2, domain: "example.test" }]);
  expect((await rows(posthorn)).map(({ domain }) => domain)).toEqual([
    ...["example.test", "shop.example.test", "shop.example.test", "example.test"],
    ...["shop.example.test", "shop.example.test"],
  ]);
});

test("a report whose mail names no author is not counted, since nothing of it can be checked", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  const mail = mailWith(packed(dmarcXml()));
  for (const text of [mail.replace(/^From: .*\n/, ""), mail.replace(/^From: .*/, "From: Reports:;")])
    await bring({ port }, text, { to: [to] });
  const unproven = { state: "UNPROVEN", sender: null, organization: "mailbox.test" };
  expect(await kept(posthorn)).toMatchObject([unproven, unproven]);
  expect(await rows(posthorn)).toEqual([]);
});

test("a report whose mail fails DMARC is not counted", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  const forged = mailWith(packed(dmarcXml())).replace("reports@elsewhere.test", "reports@guarded.test");
  posthorn.clock.advance(0);
  await bring({ port }, forged, { to: [to], from: "someone@nowhere.test" });
  expect(await kept(posthorn)).toMatchObject([{ state: "COUNTED", sender: "guarded.test" }]);
  await bring({ port }, mailWith(packed(dmarcXml({ id: "2" }))), { to: [to], from: "x@nowhere.test" });
  expect((await kept(posthorn))[1]).toMatchObject({ state: "UNPROVEN", sender: "elsewhere.test", id: "2" });
  expect(await rows(posthorn)).toHaveLength(1);
});

test("a TLS report is counted by what went wrong", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  const failure = {
    "result-type": "starttls-not-supported",
    "receiving-mx-hostname": "mx.example.test.",
    "failed-session-count": 4,
  };
  const mail = mailWith(packed(tlsJson({}, [tlsPolicy([failure])])), "application/tlsrpt+gzip");
  await bring({ port }, mail, { to: [to] });
  await bring({ port }, mail, { to: [to] });
  expect(await kept(posthorn)).toMatchObject([{ kind: "TLS", state: "COUNTED", messages: 16, passed: 12, repeats: 1 }]);
  const found = await posthorn.store.read(
    (reader) => reader.all`select day, policy_type, result, host, sessions from tls_rows order by number`,
  );
  expect(found).toEqual([
    { day: "2026-02-28", policy_type: "sts", result: "", host: "", sessions: 12 },
    { day: "2026-02-28", policy_type: "sts", result: "starttls-not-supported", host: "mx.example.test", sessions: 4 },
  ] as never);
});

test("what cannot be read is kept as it came, twenty a day, and said", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  await bring({ port }, mailWith(gzipSync(Buffer.alloc(40 * 1024 * 1024))), { to: [to] });
  await posthorn.settle();
  await bring({ port }, "From: a@elsewhere.test\nSubject: Hello\n\nBuy this.\n", { to: [to] });
  await posthorn.settle();
  await bring({ port }, mailWith(packed(dmarcXml({ begin: YESTERDAY + 90 * 86_400 }))), { to: [to] });
  await posthorn.settle();
  expect(await kept(posthorn)).toMatchObject([
    { state: "UNREADABLE", fault: "bomb" },
    { state: "UNREADABLE", fault: "none", kind: null },
    { state: "UNREADABLE", fault: "fields" },
  ]);
  expect(await countOf(posthorn, "messages")).toBe(3);
  for (let n = 0; n < 20; n++) await bring({ port }, `From: a@elsewhere.test\n\n${n}\n`, { to: [to] });
  await posthorn.settle();
  expect([await countOf(posthorn, "reports"), await countOf(posthorn, "messages")]).toEqual([23, 20]);
});

test("an address with no such token is a mailbox, or nobody's", async () => {
  const { posthorn, port } = await home();
  await using _ = posthorn;
  const token = "a".repeat(24);
  await bring({ port }, "From: a@elsewhere.test\nSubject: Hello\n\nHello\n", { to: [`reports-${token}@example.test`] });
  expect(await received(posthorn)).toMatchObject([{ to: `reports-${token}@example.test`, subject: "Hello" }]);
  const refused = bring({ port }, "Subject: Hello\n\nHello\n", { to: [`reports-${token}@bounces.posthorn.example`] });
  expect(refused).rejects.toThrow("550 5.1.1");
});

test("a report and a mail for people in one session are kept apart", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  await bring({ port }, mailWith(packed(dmarcXml())), { to: ["help@example.test", to] });
  expect(await kept(posthorn)).toMatchObject([{ state: "COUNTED" }]);
  expect(await received(posthorn)).toMatchObject([{ recipients: ["help@example.test"] }]);
});

test("the address of another workspace counts nothing for this one", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  const { secret } = await addWorkspace(posthorn, { name: "Other", domain: "third.test" });
  const theirs = await reportAddress(posthorn, "third.test", { bearer: secret });
  expect(theirs).not.toBe(to);
  await bring({ port }, mailWith(packed(dmarcXml())), { to: [theirs] });
  expect(await kept(posthorn)).toMatchObject([{ state: "OTHER_DOMAIN" }]);
  await bring({ port }, mailWith(packed(dmarcXml())), { to: [to] });
  expect(await kept(posthorn)).toMatchObject([{ state: "OTHER_DOMAIN" }, { state: "COUNTED" }]);
  expect(await rows(posthorn)).toMatchObject([{ domain: "example.test" }]);
});

test("a report that was stored before a restart is counted once after it", async () => {
  const directory = freshDirectory();
  const [dataDir, clock] = [directory.path, new TestClock()];
  {
    const house = await startHouse({ dataDir, clock, config: CONFIG });
    await using _ = house.posthorn;
    await bring(house, mailWith(packed(dmarcXml())), { to: [await reportAddress(house.posthorn, "example.test")] });
  }
  await using posthorn = await startPosthorn({ dataDir, clock, resolver: new TableResolver(ELSEWHERE) });
  expect(await kept(posthorn)).toMatchObject([{ state: "COUNTED", repeats: 0 }]);
  expect(await kept(posthorn)).toHaveLength(1);
});

test("the reports of a domain that is removed are refused, and go with it", async () => {
  const { posthorn, port, to } = await home();
  await using _ = posthorn;
  await bring({ port }, mailWith(packed(dmarcXml())), { to: [to] });
  await bring({ port }, mailWith(Buffer.from("Hello"), "text/plain"), { to: [to] });
  await posthorn.settle();
  expect(await Promise.all(TABLES.map((table) => countOf(posthorn, table)))).toEqual([2, 1, 1]);
  const { body } = await ask(posthorn, "GET /domains");
  await ask(posthorn, `DELETE /domains/${body.data[0].id}`);
  expect(bring({ port }, mailWith(packed(dmarcXml())), { to: [to] })).rejects.toThrow("550 5.1.1");
  posthorn.clock.advance(2 * 3_600_000);
  await posthorn.settle();
  expect(await Promise.all(TABLES.map((table) => countOf(posthorn, table)))).toEqual([0, 0, 0]);
});

test("reports go when inbound mail goes", async () => {
  const house = await startHouse({
    config: {
      ...CONFIG,
      retention: { mailDays: 0, bodyDays: 0, eventDays: 0, inboundDays: 10, attemptDays: 0, recipientDays: 0 },
    },
  });
  const { posthorn } = house;
  await using _ = posthorn;
  const to = await reportAddress(posthorn, "example.test");
  await bring(house, mailWith(packed(dmarcXml())), { to: [to] });
  await bring(house, mailWith(Buffer.from("Hello"), "text/plain"), { to: [to] });
  await posthorn.settle();
  posthorn.clock.advance(9 * 86_400_000);
  await posthorn.settle();
  expect(await Promise.all(TABLES.map((table) => countOf(posthorn, table)))).toEqual([2, 1, 1]);
  posthorn.clock.advance(2 * 86_400_000);
  await posthorn.settle();
  expect(await Promise.all(TABLES.map((table) => countOf(posthorn, table)))).toEqual([0, 0, 0]);
});

const TABLES = ["reports", "dmarc_rows", "messages"];

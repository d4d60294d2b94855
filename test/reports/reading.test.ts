// Reading reports of strangers: the forms that receivers write, and what is made to do harm.
import { describe, expect, test } from "bun:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { threadCpuMs } from "../../src/base/clock.ts";
import { textOfBytes } from "../../src/content/mime/charset.ts";
import { readReports } from "../../src/mail/reports/reading/read.ts";
import type { DmarcReport, ReadReports, DomainReport, TlsReport } from "../../src/mail/reports/reading/report.ts";
import { dmarcXml, packed, readReport, tlsJson, tlsPolicy, YESTERDAY, zipOf } from "../support/reports.ts";

function read(bytes: Uint8Array | string, text = "") {
  return readReport([Buffer.from(bytes)], text);
}

function only(found: ReadReports, kind: string): DomainReport {
  const [report, ...others] = "reports" in found ? found.reports : [];
  if (report?.kind !== kind || others.length > 0) throw new Error(JSON.stringify(found));
  return report;
}

function dmarc(bytes: Uint8Array | string): DmarcReport {
  return only(read(bytes), "DMARC") as DmarcReport;
}

function tls(bytes: Uint8Array | string): TlsReport {
  return only(read(bytes), "TLS") as TlsReport;
}

function file(name: string, text = dmarcXml()) {
  return { name, bytes: Buffer.from(text) };
}

const BEGUN = new Date(YESTERDAY * 1000).toISOString();
const fault = (name: string) => ({ fault: name }) as never;

describe("the forms of DMARC reports", () => {
  test("of RFC 7489, as one large receiver writes it", () => {
    const xml = dmarcXml({
      organization: "google.com",
      id: "15437862902347891234",
      policy: "<p>none</p><sp>none</sp><pct>100</pct><np>none</np><fo/>",
      rows: [
        { ip: "2001:db8::1", count: 3, signatures: ["example.test posthorn2603 pass", "amazonses.com x pass"] },
        { count: 2, dkim: "fail", spf: "fail", disposition: "reject", path: "other.test softfail" },
      ],
    });
    expect(dmarc(packed(xml))).toEqual({
      kind: "DMARC",
      organization: "google.com",
      reportId: "15437862902347891234",
      begunAt: BEGUN,
      endedAt: "2026-02-28T23:59:59.000Z",
      domain: "example.test",
      policy: { p: "none", sp: "none", np: "none", adkim: "r", aspf: "r", pct: "100" },
      rows: [
        {
          ...{
            ip: "2001:db8::1",
            count: 3,
            headerFrom: "example.test",
            disposition: "none",
            dkim: "pass",
            spf: "pass",
          },
          ...{ dkimDomain: "example.test", dkimSelector: "posthorn2603", dkimResult: "pass" },
          ...{ spfDomain: "example.test", spfResult: "pass", override: "" },
        },
        {
          ...{
            ip: "192.0.2.1",
            count: 2,
            headerFrom: "example.test",
            disposition: "reject",
            dkim: "fail",
            spf: "fail",
          },
          ...{ dkimDomain: "", dkimSelector: "", dkimResult: "", spfDomain: "other.test", spfResult: "softfail" },
          override: "",
        },
      ],
      lost: 0,
    });
  });

  test("of RFC 9990, with a namespace, its new fields, extensions, and the disposition pass", () => {
    const xml = `<?xml version="1.0"?>
<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0" xmlns:x="urn:example:extension">
  <version>1.0</version>
  <report_metadata><org_name>Sample Receiver</org_name><email>r@receiver.test</email><report_id>3v98abbp8ya9n3va8yr8oa3ya</report_id>
    <date_range><begin>${YESTERDAY}</begin><end>${YESTERDAY + 86399}</end></date_range><generator>Sample 1.0</generator></report_metadata>
  <policy_published><domain>example.test</domain><p>quarantine</p><sp>none</sp><np>reject</np><testing>n</testing>
    <discovery_method>treewalk</discovery_method></policy_published>
  <extension><x:arc-override>never</x:arc-override></extension>
  <record><row><source_ip>192.0.2.123</source_ip><count>123</count>
    <policy_evaluated><disposition>pass</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>
    <identifiers><envelope_from>example.com</envelope_from><header_from>example.test</header_from></identifiers>
    <auth_results><dkim><domain>example.test</domain><selector>abc123</selector><result>pass</result><human_result xml:lang="en">fine</human_result></dkim>
      <spf><domain>example.com</domain><scope>mfrom</scope><result>fail</result></spf></auth_results></record>
</feedback>`;
    const { policy, rows } = dmarc(xml);
    expect(policy).toEqual({ p: "quarantine", sp: "none", np: "reject", testing: "n", discovery_method: "treewalk" });
    expect(rows).toMatchObject([
      { count: 123, disposition: "none", dkim: "pass", spf: "fail", dkimSelector: "abc123" },
    ]);
  });

  test("with prefixes, CDATA, entities and comments, and no signatures or envelope at all", () => {
    const xml = `<!-- made by hand --><d:feedback xmlns:d="http://dmarc.org/dmarc-xml/0.1">
<d:report_metadata><d:org_name><![CDATA[Post & Co]]></d:org_name><d:report_id>a&amp;b</d:report_id>
<d:date_range><d:begin>${YESTERDAY}</d:begin><d:end>${YESTERDAY}</d:end></d:date_range></d:report_metadata>
<d:policy_published><d:domain>Example.TEST.</d:domain></d:policy_published>
<d:record><d:row><d:source_ip>::ffff:192.0.2.9</d:source_ip><d:count>1</d:count></d:row></d:record></d:feedback>`;
    expect(dmarc(xml)).toMatchObject({
      ...{ organization: "Post & Co", reportId: "a&b", domain: "example.test", policy: {} },
      rows: [{ ip: "192.0.2.9", headerFrom: "example.test", dkim: "fail", spf: "fail", spfDomain: "" }],
    });
  });

  test.each<[string, Uint8Array | string]>([
    ["as it is", dmarcXml()],
    ["with a mark of bytes", `\uFEFF${dmarcXml()}`],
    ["in gzip", packed(dmarcXml())],
    ["in zip", zipOf([{ name: "a.xml", bytes: Buffer.from(dmarcXml()) }], deflateRawSync)],
    ["in zip, not packed", zipOf([{ name: "a.xml", bytes: Buffer.from(dmarcXml()) }])],
  ])("%s", (_, bytes) => {
    expect(dmarc(bytes)).toMatchObject({ organization: "mailbox.test", rows: [{ count: 1 }] });
  });

  test("as the text of the mail, and as a file beside others", () => {
    expect(readReport([], `\n${dmarcXml()}`)).toMatchObject({ reports: [{ domain: "example.test" }] });
    const files = [Buffer.from("A logo"), Buffer.from("PK a broken zip"), packed(dmarcXml())];
    expect(readReport(files, "See the file.")).toMatchObject({ reports: [{ domain: "example.test" }] });
  });

  test.each<[string, Uint8Array]>([
    ["gzip and the end of a line", Buffer.concat([packed(dmarcXml()), Buffer.from("\r\n")])],
    ["gzip and NULs", Buffer.concat([packed(dmarcXml()), Buffer.alloc(512)])],
    ["gzip and something else", Buffer.concat([packed(dmarcXml()), Buffer.from("\n-- \nsent by a gateway")])],
    ["a file that is filled up with NULs", packed(`${dmarcXml()}${"\0".repeat(300)}`)],
    ["zip with its folder", zipOf([file("reports/", ""), file("reports/a.xml")], deflateRawSync)],
    ["zip of a Mac", zipOf([file("a.xml"), file("__MACOSX/._a.xml", "Mac OS X"), file(".DS_Store", "x")])],
    ["gzip in zip", zipOf([{ name: "a.xml.gz", bytes: packed(dmarcXml()) }])],
    ["zip with a note beside it", zipOf([file("README.txt", "A report"), file("a.xml")])],
    ["UTF-16 with a mark", Buffer.from(`\uFEFF${dmarcXml().replace("UTF-8", "UTF-16")}`, "utf16le")],
    ["UTF-16, the other way round", Buffer.from(`\uFEFF${dmarcXml()}`, "utf16le").swap16()],
    ["UTF-16 without a mark", Buffer.from(dmarcXml().replace("UTF-8", "utf-16"), "utf16le")],
    ["what is called UTF-16 and is not", Buffer.from(dmarcXml().replace("UTF-8", "UTF-16"))],
    ["seconds as decimals", Buffer.from(dmarcXml().replace(/<(begin|end|count)>(\d+)/g, "<$1>$2.0"))],
    ["milliseconds", Buffer.from(dmarcXml().replace(/<(begin|end)>(\d+)/g, "<$1>$2000"))],
    ...["T00:00:00Z", " 00:00:00", "", "T00:00:00.000+00:00", " 00:00:00 UTC", "T01:00:00+0100"].map(
      (time): [string, Uint8Array] => [
        `a time as 2026-02-28${time}`,
        Buffer.from(dmarcXml().replace(/<begin>\d+/, `<begin>2026-02-28${time}`)),
      ],
    ),
  ])("%s", (_, bytes) => {
    expect(dmarc(bytes)).toMatchObject({ organization: "mailbox.test", begunAt: BEGUN, rows: [{ count: 1 }], lost: 0 });
  });

  test.each<[string, string, Buffer, string | null]>([
    ["Latin 1, as the XML declares", "ISO-8859-1", Buffer.from(dmarcXml({ organization: "Señor" }), "latin1"), null],
    ["Latin 1, as the message declares", "", Buffer.from(dmarcXml({ organization: "Señor" }), "latin1"), "iso-8859-1"],
    ["Windows 1252, as nobody declares", "", Buffer.from(dmarcXml({ organization: "Señor" }), "latin1"), null],
    ["UTF-8, declared as Latin 1", "ISO-8859-1", Buffer.from(dmarcXml({ organization: "Señor" })), null],
  ])("%s", (_, declared, bytes, charset) => {
    const changed = Buffer.from(
      bytes.toString("latin1").replace(' encoding="UTF-8"', declared && ` encoding="${declared}"`),
      "latin1",
    );
    const found = readReports([{ bytes: changed, charset }], "", textOfBytes);
    expect(only(found, "DMARC").organization).toBe("Señor");
  });

  test("several in one message, and in one archive; the same one twice is one", () => {
    const [one, other] = ["1", "2"].map((id) => dmarcXml({ id }));
    const ids = (found: ReadReports) => "reports" in found && found.reports.map(({ reportId }) => reportId);
    expect(ids(readReport([packed(one as string), packed(other as string)], one as string))).toEqual(["1", "2"]);
    expect(ids(readReport([zipOf([file("1.xml", one), file("2.xml", other)])], ""))).toEqual(["1", "2"]);
  });

  test("a row that cannot be read is lost alone, and said", () => {
    const rows = [{ ip: "hidden", count: 1 }, { count: 5 }];
    expect(dmarc(dmarcXml({ rows }))).toMatchObject({ rows: [{ count: 5 }], lost: 1 });
    const broken = dmarcXml({ rows: [{ ip: "192.0.2.5" }, { count: 5 }] }).replace("<count>1<", "<count>one<");
    expect(dmarc(broken)).toMatchObject({ rows: [{ count: 5 }], lost: 1 });
  });

  test("the same row twice is one, and of very many rows the small ones are taken together", () => {
    const twice = dmarc(dmarcXml({ rows: [{ count: 2 }, { count: 3 }] }));
    expect(twice.rows).toMatchObject([{ count: 5 }]);
    const ip = (n: number) => `10.0.${n >> 8}.${n & 255}`;
    const many = dmarc(dmarcXml({ rows: Array.from({ length: 3_000 }, (_, n) => ({ ip: ip(n), count: n + 1 })) }));
    expect(many.rows.length).toBeLessThanOrEqual(1_000);
    expect(many.rows.reduce((sum, { count }) => sum + count, 0)).toBe((3_000 * 3_001) / 2);
    expect(many.rows.find((row) => row.ip === "")).toMatchObject({ dkim: "pass", headerFrom: "example.test" });
  });
});

describe("the forms of TLS reports", () => {
  const failure = { "result-type": "certificate-expired", "sending-mta-ip": "192.0.2.7", "failed-session-count": 3 };
  test.each<[string, Uint8Array | string]>([
    ["as it is", tlsJson({}, [tlsPolicy([failure])])],
    ["in gzip", packed(tlsJson({}, [tlsPolicy([failure])]))],
  ])("%s", (_, bytes) => {
    expect(tls(bytes)).toEqual({
      ...{ kind: "TLS", organization: "Mailbox Test", reportId: "2026-02-28T00:00:00Z_example.test" },
      ...{ begunAt: "2026-02-28T00:00:00.000Z", endedAt: "2026-02-28T23:59:59.000Z", domain: "example.test" },
      rows: [
        { policyType: "sts", result: "", host: "", ip: "", count: 12 },
        { policyType: "sts", result: "certificate-expired", host: "", ip: "192.0.2.7", count: 3 },
      ],
      lost: 0,
    });
  });

  test("without the domain of a policy, or without a policy, and with times as numbers", () => {
    const bare = { policy: { "policy-type": "no-policy-found" }, summary: { "total-successful-session-count": 1 } };
    expect(tls(tlsJson({}, [bare]))).toMatchObject({ domain: "", rows: [{ policyType: "no-policy-found", count: 1 }] });
    expect(tls(tlsJson({}, [{ summary: bare.summary }, tlsPolicy()]))).toMatchObject({ domain: "example.test" });
    const range = { "start-datetime": YESTERDAY, "end-datetime": `${YESTERDAY + 60}.5` };
    expect(tls(tlsJson({ "date-range": range }))).toMatchObject({
      begunAt: BEGUN,
      endedAt: "2026-02-28T00:01:00.000Z",
    });
    expect(tls(Buffer.from(`\uFEFF${tlsJson()}`, "utf16le"))).toMatchObject({ domain: "example.test" });
  });

  test("about several domains, as a report of each", () => {
    const of = (domain: string) => ({ ...tlsPolicy(), policy: { "policy-type": "sts", "policy-domain": domain } });
    const { reports } = read(tlsJson({}, [of("example.test"), of("shop.test"), of("example.test")])) as never as {
      reports: readonly TlsReport[];
    };
    expect(reports.map(({ domain, rows }) => [domain, rows[0]?.count])).toEqual([
      ["example.test", 24],
      ["shop.test", 12],
    ]);
    expect(
      read(
        tlsJson(
          {},
          Array.from({ length: 11 }, (_, at) => of(`a${at}.test`)),
        ),
      ),
    ).toEqual({ fault: "large" });
  });

  test("a detail that cannot be read is lost alone", () => {
    const broken = { ...failure, "failed-session-count": "many" };
    const policy = { ...tlsPolicy([failure]), "failure-details": [broken, failure] };
    expect(tls(tlsJson({}, [policy]))).toMatchObject({ rows: [{ count: 12 }, { count: 3 }], lost: 1 });
  });

  test("failures that no detail explains are counted as such", () => {
    const policy = {
      ...tlsPolicy([], 1),
      summary: { "total-successful-session-count": 1, "total-failure-session-count": 4 },
    };
    expect(tls(tlsJson({}, [policy])).rows).toMatchObject([{ result: "" }, { result: "unexplained", count: 4 }]);
  });
});

describe("what is no report is said", () => {
  const zeros = Buffer.alloc(40 * 1024 * 1024, 0x20);
  test.each<[string, string, Uint8Array | string]>([
    ["none", "a text", "Hello"],
    ["unpacking", "half a gzip", packed(dmarcXml()).subarray(0, 100)],
    ["unpacking", "a zip of many", zipOf(Array.from({ length: 11 }, (_, n) => file(`${n}.xml`)))],
    ["unpacking", "a zip of a folder", zipOf([{ name: "reports/", bytes: Buffer.alloc(0) }])],
    [
      "unpacking",
      "gzip with a changed byte",
      Buffer.from(packed(dmarcXml()).map((byte, at) => (at === 60 ? ~byte : byte))),
    ],
    ["unpacking", "half a zip", zipOf([{ name: "a.xml", bytes: Buffer.from(dmarcXml()) }]).subarray(0, 300)],
    ["unpacking", "ZIP64", zipOf([{ name: "a.xml", bytes: Buffer.from(dmarcXml()) }], deflateRawSync, 0xffffffff)],
    ["bomb", "a gzip bomb", gzipSync(zeros)],
    ["bomb", "a zip bomb", zipOf([{ name: "a.xml", bytes: zeros }], deflateRawSync)],
    ["bomb", "a zip bomb that lies", zipOf([{ name: "a.xml", bytes: zeros }], deflateRawSync, 100)],
    ["bomb", "a gzip bomb in a zip", zipOf([{ name: "a.xml.gz", bytes: gzipSync(zeros) }])],
    ["markup", "a gzip in a gzip", gzipSync(packed(dmarcXml()))],
    ["markup", "entities", dmarcXml().replace("<feedback>", '<!DOCTYPE f [<!ENTITY a "b">]><feedback>')],
    ["markup", "a document type in small letters", dmarcXml().replace("<feedback>", "<!doctype f><feedback>")],
    ["markup", "a tag that is never closed", dmarcXml().replace("</report_metadata>", "")],
    ["markup", "half a document", dmarcXml().slice(0, 400)],
    ["markup", "two roots", dmarcXml() + dmarcXml().replace(/<\?.*\?>/, "")],
    ["large", "a deep one", `<feedback>${"<a>".repeat(50)}${"</a>".repeat(50)}</feedback>`],
    ["large", "many fields in one", `<feedback><record>${"<a/>".repeat(5_000)}</record></feedback>`],
    ["fields", "another document", "<html><body>Hello</body></html>"],
    ["fields", "no count", dmarcXml().replace("<count>1</count>", "<count>some</count>")],
    ["fields", "no address", dmarcXml({ rows: [{ ip: "none" }] })],
    ["fields", "an end before the beginning", dmarcXml().replace(/<end>\d+/, "<end>5")],
    ["fields", "a year beyond all calendars", dmarcXml({ begin: 999_999_999_999_000 })],
    ["json", "half of it", tlsJson().slice(0, 100)],
    ["json", "a deep one", '{"a":'.repeat(100_000)],
    ["fields", "no policies", tlsJson({ policies: null })],
    [
      "large",
      "many policies",
      tlsJson(
        {},
        Array.from({ length: 200 }, () => tlsPolicy()),
      ),
    ],
  ])("%s: %s", (name, _, bytes) => {
    expect(read(bytes)).toEqual(fault(name));
  });

  test("tens of thousands of records are read in seconds of the processor, and more than a hundred thousand are refused", () => {
    const record = dmarcXml().match(/<record>[\s\S]*<\/record>/)?.[0] ?? "";
    const with_ = (count: number) => dmarcXml().replace(record, record.replace(/\s+/g, "").repeat(count));
    const startedMs = threadCpuMs();
    expect(dmarc(with_(20_000)).rows).toMatchObject([{ count: 20_000 }]);
    expect(threadCpuMs() - startedMs).toBeLessThan(3_300);
    expect(read(with_(100_001))).toEqual(fault("large"));
    // The clock of a busy machine says nothing.
  }, 60_000);
});

test("no bytes make it throw, and a report that was changed somewhere is read or refused", () => {
  const originals = [dmarcXml(), tlsJson(), packed(dmarcXml()), zipOf([{ name: "a", bytes: Buffer.from(dmarcXml()) }])];
  const changed = fc.record({
    original: fc.constantFrom(...originals.map((one) => Buffer.from(one))),
    cuts: fc.array(fc.record({ at: fc.nat(2_000), byte: fc.nat(255) }), { maxLength: 6 }),
    length: fc.nat(3_000),
  });
  fc.assert(
    fc.property(changed, ({ original, cuts, length }) => {
      const bytes = Buffer.from(original.subarray(0, length));
      for (const { at, byte } of cuts) if (at < bytes.length) bytes[at] = byte;
      expect(Object.keys(readReport([bytes], ""))[0]).toMatch(/^(reports|fault)$/);
    }),
    { numRuns: 2_000 },
  );
});

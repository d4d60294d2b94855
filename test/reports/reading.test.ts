// Reading reports of strangers: the forms that receivers write, and what is made to do harm.
import { describe, expect, test } from "bun:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { threadCpuMs } from "../../src/clock.ts";
import { readReport } from "../../src/reports/reading/read.ts";
import type { DmarcReport, TlsReport } from "../../src/reports/reading/report.ts";
import { dmarcXml, packed, tlsJson, tlsPolicy, YESTERDAY, zipOf } from "../support/reports.ts";

function read(bytes: Uint8Array | string, text = "") {
  return readReport([Buffer.from(bytes)], text);
}

function dmarc(bytes: Uint8Array | string): DmarcReport {
  const read1 = read(bytes);
  if (!("report" in read1) || read1.report.kind !== "DMARC") throw new Error(JSON.stringify(read1));
  return read1.report;
}

function tls(bytes: Uint8Array | string): TlsReport {
  const found = read(bytes);
  if (!("report" in found) || found.report.kind !== "TLS") throw new Error(JSON.stringify(found));
  return found.report;
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
    expect(readReport([], `\n${dmarcXml()}`)).toMatchObject({ report: { domain: "example.test" } });
    const files = [Buffer.from("A logo"), Buffer.from("PK a broken zip"), packed(dmarcXml())];
    expect(readReport(files, "See the file.")).toMatchObject({ report: { domain: "example.test" } });
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
    });
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
    ["unpacking", "a zip of two", zipOf([1, 2].map((n) => ({ name: `${n}.xml`, bytes: Buffer.from(dmarcXml()) })))],
    ["unpacking", "half a zip", zipOf([{ name: "a.xml", bytes: Buffer.from(dmarcXml()) }]).subarray(0, 300)],
    ["unpacking", "ZIP64", zipOf([{ name: "a.xml", bytes: Buffer.from(dmarcXml()) }], deflateRawSync, 0xffffffff)],
    ["bomb", "a gzip bomb", gzipSync(zeros)],
    ["bomb", "a zip bomb", zipOf([{ name: "a.xml", bytes: zeros }], deflateRawSync)],
    ["bomb", "a zip bomb that lies", zipOf([{ name: "a.xml", bytes: zeros }], deflateRawSync, 100)],
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
      "fields",
      "policies of two domains",
      tlsJson({}, [tlsPolicy(), { ...tlsPolicy(), policy: { "policy-domain": "b.test" } }]),
    ],
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

  test("a document of a hundred thousand records is read in seconds of the processor, and more are refused", () => {
    const record = dmarcXml().match(/<record>[\s\S]*<\/record>/)?.[0] ?? "";
    const with_ = (count: number) => dmarcXml().replace(record, record.replace(/\s+/g, "").repeat(count));
    const startedMs = threadCpuMs();
    expect(dmarc(with_(60_000)).rows).toMatchObject([{ count: 60_000 }]);
    expect(threadCpuMs() - startedMs).toBeLessThan(10_000);
    expect(read(with_(100_001))).toEqual(fault("large"));
  });
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
      expect(Object.keys(readReport([bytes], ""))[0]).toMatch(/^(report|fault)$/);
    }),
    { numRuns: 2_000 },
  );
});

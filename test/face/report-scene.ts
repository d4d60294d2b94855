// Reports of receivers on the shop's domain: three weeks, two services of its own, and somebody who forges.
import { recordSettings } from "../../src/tenant/domains/dns-records.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { domainReportedTo } from "../../src/tenant/domains/queries.ts";
import { takeReports } from "../../src/mail/reports/take.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { dmarcXml, tlsJson, tlsPolicy, type Row, readReport } from "../support/reports.ts";

const DOMAIN = "lanternfish.example";
const DAYS = 21;
const DAY_MS = 86_400_000;
const HOSTS = { "203.0.113.77": "mail.copycat.example", "198.51.100.9": "mail9.sea22.mcsv.net" };

function rowsOf(day: number, selector: string): readonly Row[] {
  const ours = { ip: "192.0.2.25", signatures: [`${DOMAIN} ${selector} pass`] } as const;
  const news = { ip: "198.51.100.9", dkim: "fail", spf: "fail", path: "mail9.sea22.mcsv.net pass" } as const;
  return [
    { ...ours, count: 380 + ((day * 37) % 120), path: `${DOMAIN} pass` },
    { ip: "203.0.113.10", count: 8, dkim: "pass", spf: "fail", path: "list.example pass", signatures: ours.signatures },
    { ...news, count: day % 7 === 2 ? 90 : 4, signatures: ["mcsv.net k1 pass"] },
    {
      ip: "203.0.113.77",
      count: 3 + (day % 5),
      dkim: "fail",
      spf: "fail",
      disposition: "quarantine",
      path: "x.example fail",
    },
  ];
}

/** As if they had come in by mail. */
export async function reportsOfReceivers({ store, clock }: Posthorn): Promise<void> {
  if (await store.read((reader) => reader.get`select 1 as found from reports limit 1`)) return;
  const today = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS;
  const settings = { ...recordSettings(DEFAULTS, []), spfTerm: "ip4:192.0.2.25" };
  const known = await store.read(
    (reader) => reader.get<{ token: string; selector: string }>`
      select d.report_token as token, k.selector from domains d join domain_keys k on k.domain = d.seq where d.domain = ${DOMAIN}`,
  );
  const take = (text: string, sender: string, isForged = false) =>
    store.write(async (tx) => {
      const domain = await domainReportedTo(tx, known?.token ?? "");
      if (!domain) throw new Error(`There is no ${DOMAIN}.`);
      const mail = { read: readReport([], text), sender, isForged, hosts: HOSTS };
      await takeReports(tx, { domain, mail, message: null, settings });
    });
  for (let day = 1; day <= DAYS; day++)
    for (const organization of ["google.com", "Outlook.com"]) {
      const begin = (today - day * DAY_MS) / 1000;
      const rows = rowsOf(day, known?.selector ?? "");
      const written = { organization, id: `${organization} ${day}`, domain: DOMAIN, begin, rows };
      await take(dmarcXml(written), organization.toLowerCase());
    }
  const failure = {
    "result-type": "certificate-host-mismatch",
    "receiving-mx-hostname": "mx.lanternfish.example",
    "failed-session-count": 6,
  };
  const policy = { ...tlsPolicy([failure], 412), policy: { "policy-type": "sts", "policy-domain": DOMAIN } };
  const [from, to] = [today - DAY_MS, today - 1].map((ms) => new Date(ms).toISOString());
  await take(tlsJson({ "date-range": { "start-datetime": from, "end-datetime": to } }, [policy]), "mailbox.test");
  await take(dmarcXml({ domain: "elsewhere.example" }), "elsewhere.example");
  await take("<feedback><report_metadata>", "small.example");
}

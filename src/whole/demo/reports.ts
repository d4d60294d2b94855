// Reports of receivers on the domains of the demo, as they come by email: its own mail, a mailing list that
// passes it on, a forger, and a server that could not encrypt.
import { DAY_MS, iso } from "../../base/clock.ts";
import { textOfBytes } from "../../content/mime/charset.ts";
import { readReports } from "../../mail/reports/reading/read.ts";
import { takeReports } from "../../mail/reports/take.ts";
import type { Store } from "../../store/store.ts";
import type { RecordSettings } from "../../tenant/domains/dns-records.ts";
import { findDomain } from "../../tenant/domains/domain.ts";

const DAYS = 14;
const RECEIVERS = ["google.com", "Outlook.com"];
/** Addresses for documentation (RFC 5737), with the names that lead back to them. */
const HOSTS = { "192.0.2.25": "mail.marrowfield.example", "203.0.113.77": "mail.copycat.example" };

type ReportedDomain = { readonly domain: string; readonly selector: string };

export async function takeReceiverReports(
  store: Store,
  { domain, selector }: ReportedDomain,
  settings: RecordSettings,
): Promise<void> {
  const today = Math.floor(store.clock.nowMs() / DAY_MS) * DAY_MS;
  await store.write(async (tx) => {
    const { seq, workspace } = await findDomain(tx, domain, null);
    const reported = { seq, domain, workspace, disabledAt: null };
    for (let day = 1; day <= DAYS; day++)
      for (const organization of RECEIVERS) {
        const reportDay = { day, organization, fromSeconds: (today - day * DAY_MS) / 1000 };
        const texts = [reportOn(domain, selector, reportDay), ...(day === 1 ? [tlsReportOn(domain, reportDay)] : [])];
        for (const text of texts) {
          const read = readReports([], text, textOfBytes);
          const mail = { read, sender: organization.toLowerCase(), isForged: false, hosts: HOSTS };
          await takeReports(tx, { domain: reported, mail, message: null, settings });
        }
      }
  });
}

type ReportDay = { readonly day: number; readonly organization: string; readonly fromSeconds: number };

function reportOn(domain: string, selector: string, { day, organization, fromSeconds }: ReportDay): string {
  const signed = `<dkim><domain>${domain}</domain><selector>${selector}</selector><result>pass</result></dkim>`;
  const rows = [
    row(["192.0.2.25", 18 + ((day * 7) % 11), "none", "pass", "pass"], domain, signed, `${domain} pass`),
    row(["203.0.113.10", 1 + (day % 3), "none", "pass", "fail"], domain, signed, "lists.example pass"),
    row(["203.0.113.77", 2 + (day % 4), "quarantine", "fail", "fail"], domain, "", "copycat.example fail"),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?><feedback><report_metadata>
<org_name>${organization}</org_name><email>noreply@${organization}</email><report_id>${organization} ${day}</report_id>
<date_range><begin>${fromSeconds}</begin><end>${fromSeconds + DAY_MS / 1000 - 1}</end></date_range></report_metadata>
<policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>quarantine</p></policy_published>
${rows.join("\n")}</feedback>`;
}

type Source = readonly [ip: string, count: number, disposition: string, dkim: string, spf: string];

/** `path`: the domain of the return path, and what SPF says of it. */
function row([ip, count, disposition, dkim, spf]: Source, domain: string, signed: string, path: string): string {
  const [pathDomain, result] = path.split(" ");
  return `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated>
<disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row>
<identifiers><header_from>${domain}</header_from></identifiers>
<auth_results>${signed}<spf><domain>${pathDomain}</domain><result>${result}</result></spf></auth_results></record>`;
}

/** A TLS report: whether email to the domain was encrypted on its way (RFC 8460). */
function tlsReportOn(domain: string, { organization, fromSeconds }: ReportDay): string {
  const [from, until] = [fromSeconds, fromSeconds + DAY_MS / 1000 - 1].map((seconds) => iso(seconds * 1000));
  return JSON.stringify({
    "organization-name": organization,
    "date-range": { "start-datetime": from, "end-datetime": until },
    "contact-info": `noreply@${organization}`,
    "report-id": `${organization} ${domain} ${from}`,
    policies: [
      {
        policy: { "policy-type": "sts", "policy-string": ["version: STSv1"], "policy-domain": domain },
        summary: { "total-successful-session-count": 41, "total-failure-session-count": 2 },
        "failure-details": [{ "result-type": "certificate-expired", "failed-session-count": 2 }],
      },
    ],
  });
}

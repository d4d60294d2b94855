// Reports as receivers write them, and the mails that bring them.
import { crc32, gzipSync } from "node:zlib";
import { textOfBytes } from "../../src/content/mime/charset.ts";
import { readReports } from "../../src/mail/reports/reading/read.ts";
import type { Json, Posthorn } from "./posthorn.ts";
import { ask, type Key } from "./scenario.ts";

export type Row = {
  readonly ip?: string;
  readonly count?: number;
  readonly from?: string;
  readonly disposition?: string;
  readonly dkim?: "pass" | "fail";
  readonly spf?: "pass" | "fail";
  /** `domain selector result` of each signature. */
  readonly signatures?: readonly string[];
  /** `domain result`. */
  readonly path?: string;
  readonly reason?: string;
};

export type Written = {
  readonly organization?: string;
  readonly id?: string;
  readonly domain?: string;
  readonly policy?: string;
  /** In seconds. */
  readonly begin?: number;
  readonly rows?: readonly Row[];
};

const DAY_SECONDS = 86_400;
/** The day before the one on which the clock of tests stands. */
export const YESTERDAY = Date.parse("2026-02-28T00:00:00Z") / 1000;

function rowXml(row: Row, domain: string): string {
  const { ip = "192.0.2.1", count = 1, from = domain, disposition = "none", dkim = "pass", spf = "pass" } = row;
  const [path = from, result = spf] = row.path?.split(" ") ?? [];
  const signatures = (row.signatures ?? []).map((one) => {
    const [signer, selector, found] = one.split(" ");
    return `<dkim><domain>${signer}</domain><selector>${selector}</selector><result>${found}</result></dkim>`;
  });
  const reason = row.reason === undefined ? "" : `<reason><type>${row.reason}</type><comment>why</comment></reason>`;
  return `  <record>
    <row><source_ip>${ip}</source_ip><count>${count}</count>
      <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${reason}</policy_evaluated>
    </row>
    <identifiers><header_from>${from}</header_from></identifiers>
    <auth_results>${signatures.join("")}<spf><domain>${path}</domain><result>${result}</result></spf></auth_results>
  </record>`;
}

/** As RFC 7489 has it. */
export function dmarcXml(written: Written = {}): string {
  const { organization = "mailbox.test", id = "1", domain = "example.test", policy = "<p>none</p>" } = written;
  const { begin = YESTERDAY, rows = [{}] } = written;
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>${organization}</org_name><email>noreply@${organization}</email>
    <report_id>${id}</report_id>
    <date_range><begin>${begin}</begin><end>${begin + DAY_SECONDS - 1}</end></date_range>
  </report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf>${policy}</policy_published>
${rows.map((row) => rowXml(row, domain)).join("\n")}
</feedback>
`;
}

export function tlsJson(more: Json = {}, policies: readonly Json[] = [tlsPolicy()]): string {
  return JSON.stringify({
    "organization-name": "Mailbox Test",
    "date-range": { "start-datetime": "2026-02-28T00:00:00Z", "end-datetime": "2026-02-28T23:59:59Z" },
    "contact-info": "smtp-tls@mailbox.test",
    "report-id": "2026-02-28T00:00:00Z_example.test",
    policies,
    ...more,
  });
}

export function tlsPolicy(failures: readonly Json[] = [], well = 12): Json {
  const badly = failures.reduce((sum: number, one: Json) => sum + one["failed-session-count"], 0);
  return {
    policy: { "policy-type": "sts", "policy-string": ["version: STSv1"], "policy-domain": "example.test" },
    summary: { "total-successful-session-count": well, "total-failure-session-count": badly },
    ...(failures.length > 0 ? { "failure-details": failures } : {}),
  };
}

/** A mail with a file, from a receiver whose mails pass. */
export function mailWith(file: Uint8Array, type = "application/gzip", to = "reports@example.test"): string {
  return `From: DMARC Reports <reports@elsewhere.test>
To: ${to}
Subject: Report domain: example.test Submitter: mailbox.test Report-ID: <1>
Message-ID: <${Bun.hash(file)}@elsewhere.test>
Content-Type: ${type}; name="mailbox.test!example.test!1!2.xml.gz"
Content-Disposition: attachment; filename="mailbox.test!example.test!1!2.xml.gz"
Content-Transfer-Encoding: base64

${Buffer.from(file).toString("base64").replace(/.{76}/g, "$&\n")}
`;
}

export function packed(text: string): Buffer {
  return gzipSync(text);
}

type Entry = { readonly name: string; readonly bytes: Uint8Array };

/** An archive of files that are not packed, or packed by `deflate`. */
export function zipOf(entries: readonly Entry[], deflate?: (bytes: Uint8Array) => Uint8Array, size?: number): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, bytes } of entries) {
    const content = Buffer.from(deflate ? deflate(bytes) : bytes);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(deflate ? 8 : 0, 4);
    fixed.writeUInt32LE(crc32(bytes), 10);
    fixed.writeUInt32LE(content.length, 14);
    fixed.writeUInt32LE(size ?? bytes.length, 18);
    fixed.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fixed, Buffer.from(name), content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fixed, tail, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** The address that a domain's records name for reports. */
export async function reportAddress(posthorn: Posthorn, domain: string, key: Key = "secret"): Promise<string> {
  const { body } = await ask(posthorn, "GET /domains", { key });
  const found = body.data.find((one: Json) => one.domain === domain);
  const record = found.records.find(({ purpose }: Json) => purpose === "DMARC");
  return /mailto:(\S+)/.exec(record.value)?.[1] ?? "";
}

/** What is read of files whose charset no message declares. */
export function readReport(files: readonly Uint8Array[], text: string) {
  return readReports(
    files.map((bytes) => ({ bytes, charset: null })),
    text,
    textOfBytes,
  );
}

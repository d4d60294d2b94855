// Our id of a mail, in the field that the relay's provider returns in its reports (docs/providers.md). Such fields of a
// client are removed: they are commands to the provider, which may add recipients or claim another mail's id.
import type { Config } from "../../base/config.ts";
import { fieldsIn, takenApart } from "../../content/mime/message-bytes.ts";

type RelayProviderName = NonNullable<Config["relay"]["provider"]>;

/** `none`: a relay that takes no such field. Null = the provider of the relay is unknown, and all fields stay. */
export type SentAlong = RelayProviderName | "none" | null;

type ProviderField = readonly [name: string, valueOf: (id: string) => string];

const OURS = "posthorn-id";
const BARE: ProviderField = ["X-Posthorn-Id", (id) => id];
const FIELDS: Readonly<Record<RelayProviderName, ProviderField>> = {
  brevo: ["X-Mailin-custom", (id) => `${OURS}:${id}`],
  generic: BARE,
  mailgun: ["X-Mailgun-Variables", (id) => JSON.stringify({ [OURS]: id })],
  mailjet: ["X-MJ-CustomID", (id) => id],
  postmark: [`X-PM-Metadata-${OURS}`, (id) => id],
  resend: BARE,
  sendgrid: ["X-SMTPAPI", (id) => JSON.stringify({ unique_args: { [OURS]: id } })],
  sparkpost: ["X-MSYS-API", (id) => JSON.stringify({ metadata: { [OURS]: id } })],
};
const TAKEN_OFF = new Set(Object.values(FIELDS).map(([name]) => name.toLowerCase()));
const METADATA = "x-pm-metadata-";

/** The custom headers of a mail that is composed here. */
export function headersAlong(
  headers: Readonly<Record<string, string>>,
  id: string,
  along: SentAlong,
): Readonly<Record<string, string>> {
  if (along === null) return headers;
  const kept = Object.entries(headers).filter(([name]) => !isTakenOff(name));
  return Object.fromEntries([...kept, ...(along === "none" ? [] : [ownField(id, along)])]);
}

/** A complete message. */
export function messageAlong(raw: Buffer, id: string, along: SentAlong): Buffer {
  if (along === null) return raw;
  const { header, body } = takenApart(raw);
  const kept = fieldsIn(header).filter((field) => !isTakenOff(field.split(":", 1)[0] ?? ""));
  const own = along === "none" ? [] : [ownField(id, along).join(": ")];
  const written = [...own, ...kept].map((field) => `${field.replace(/\r\n$/, "")}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${written}\r\n`, "latin1"), body]);
}

function ownField(id: string, along: RelayProviderName): readonly [string, string] {
  const [name, valueOf] = FIELDS[along];
  return [name, valueOf(id)];
}

function isTakenOff(name: string): boolean {
  const lower = name.trim().toLowerCase();
  return TAKEN_OFF.has(lower) || lower.startsWith(METADATA);
}

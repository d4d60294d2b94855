// The term of an SPF record that allows the servers that send our mails: the relay's own `include`, its address, or
// this host.
import { isIP } from "node:net";
import type { Config } from "../../base/config.ts";
import { isWithin, rangesOf } from "../../base/ip-addresses.ts";

/** The hosts of relays, each with the include in its manual. */
const INCLUDES: readonly (readonly [hosts: RegExp, include: string])[] = [
  [/^email-smtp(-fips)?\.[\w-]+\.amazonaws\.com$/, "amazonses.com"],
  [/\.sendgrid\.net$/, "sendgrid.net"],
  [/\.mailgun\.org$/, "mailgun.org"],
  [/\.postmarkapp\.com$/, "spf.mtasv.net"],
  [/\.(brevo|sendinblue)\.com$/, "spf.brevo.com"],
  [/\.mailjet\.com$/, "spf.mailjet.com"],
  [/\.mandrillapp\.com$/, "spf.mandrillapp.com"],
  [/\.sparkpostmail\.com$/, "sparkpostmail.com"],
  [/\.mailersend\.net$/, "_spf.mailersend.net"],
  [/\.smtp2go\.com$/, "spf.smtp2go.com"],
  [/\.elasticemail\.com$/, "_spf.elasticemail.com"],
  [/\.tem\.scaleway\.com$/, "_spf.tem.scaleway.com"],
  [/^smtp(-relay)?\.gmail\.com$|^(aspmx|smtp-relay)\.[\w.]*google(mail)?\.com$/, "_spf.google.com"],
  [/\.office365\.com$|\.protection\.outlook\.com$|\.mx\.microsoft$/, "spf.protection.outlook.com"],
  [/\.(fastmail|messagingengine)\.com$/, "spf.messagingengine.com"],
  [/\.ovh\.net$/, "mx.ovh.com"],
  [/\.gandi\.net$/, "_mailcust.gandi.net"],
];
const THIS_HOST = rangesOf(["127.0.0.0/8", "::1"]);
/** Receivers see another address than these private ones. */
const INSIDE = rangesOf([
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
  "fe80::/10",
]);

export type SpfWay = {
  readonly kind: Config["delivery"]["transport"];
  readonly relay: Pick<Config["relay"], "host" | "port">;
};

/** `mailHost`: the host name of this server in the DNS. Null = only the relay's provider knows it. */
export function spfTerm({ kind, relay }: SpfWay, mailHost: string | null): string | null {
  if (kind === "ses") return "include:amazonses.com";
  if (kind === "graph") return "include:spf.protection.outlook.com";
  if (kind !== "smtp" || relay.host === null) return null;
  const host = relay.host.toLowerCase().replace(/^\[|\]$|\.$/g, "");
  const family = isIP(host);
  if (host === "localhost" || (family !== 0 && isWithin(THIS_HOST, host))) return mailHost && `a:${mailHost}`;
  if (family !== 0) return isWithin(INSIDE, host) ? null : `ip${family}:${host}`;
  const include = INCLUDES.find(([hosts]) => hosts.test(host))?.[1];
  return include === undefined ? null : `include:${include}`;
}

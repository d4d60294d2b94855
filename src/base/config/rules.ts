// Rules between settings, checked after each setting on its own.
import { isIPv4 } from "node:net";
import type { ConfigValues } from "./keys.ts";
import { PROVIDER_RULES } from "./oidc.ts";
import { RELAY_RULES, type ConfigRule } from "./relay-rules.ts";

export const RULES: readonly ConfigRule[] = [
  {
    key: "http.base_url",
    isBroken: ({ http, delivery }) => delivery.transport !== "capture" && !isReachable(http.baseUrl),
    message:
      'must be an address that recipients can reach, unless delivery.transport is "capture": links in emails would be dead',
  },
  {
    key: "http.cert_file",
    isBroken: ({ http }) => http.certFile === null && http.keyFile !== null,
    message: "must be set when http.key_file is",
  },
  {
    key: "http.key_file",
    isBroken: ({ http }) => http.certFile !== null && http.keyFile === null,
    message: "must be set when http.cert_file is",
  },
  {
    key: "http.base_url",
    isBroken: ({ http }) => http.tls === "acme" && !hasPublicName(http.baseUrl),
    message: 'must be an https address with a full host name when http.tls is "acme": the certificate is for that name',
  },
  {
    key: "http.tls",
    isBroken: ({ http }) => http.tls !== null && (http.certFile !== null || http.keyFile !== null),
    message: "must not be set together with http.cert_file: a certificate comes from one of the two",
  },
  {
    key: "http.plain_port",
    isBroken: ({ http }) => http.tls === "acme" && http.plainPort === 0,
    message: 'must not be 0 when http.tls is "acme": the authority asks there',
  },
  {
    key: "http.plain_port",
    isBroken: ({ http }) => http.port !== 0 && (http.plainPort ?? (http.tls === "acme" ? 80 : 0)) === http.port,
    message: "must be another port than http.port",
  },
  ...RELAY_RULES,
  ...PROVIDER_RULES,
  {
    key: "ses.region",
    isBroken: ({ delivery, ses }) => delivery.transport === "ses" && ses.region === null,
    message: 'must be set when delivery.transport is "ses"',
  },
  {
    key: "ses.access_key_id",
    isBroken: ({ ses }) => ses.accessKeyId === null && (ses.secretAccessKey !== null || ses.sessionToken !== null),
    message: "must be set when ses.secret_access_key or ses.session_token is",
  },
  {
    key: "ses.secret_access_key",
    isBroken: ({ ses }) => ses.secretAccessKey === null && (ses.accessKeyId !== null || ses.sessionToken !== null),
    message: "must be set when ses.access_key_id or ses.session_token is",
  },
  {
    key: "smtp.cert_file",
    isBroken: ({ smtp }) => smtp.certFile === null && smtp.keyFile !== null,
    message: "must be set when smtp.key_file is",
  },
  {
    key: "smtp.key_file",
    isBroken: ({ smtp }) => smtp.certFile !== null && smtp.keyFile === null,
    message: "must be set when smtp.cert_file is",
  },
  {
    key: "smtp.submissions_port",
    isBroken: ({ smtp }) => smtp.submissionsPort !== 0 && smtp.submissionsPort === smtp.submissionPort,
    message: "must be another port than smtp.submission_port",
  },
  {
    key: "smtp.inbound_port",
    isBroken: ({ smtp }) =>
      smtp.inboundPort !== 0 && [smtp.submissionPort, smtp.submissionsPort].includes(smtp.inboundPort),
    message: "must be another port than smtp.submission_port and smtp.submissions_port",
  },
  {
    key: "http.port",
    isBroken: ({ http, smtp }) =>
      http.port !== 0 && [smtp.submissionPort, smtp.submissionsPort, smtp.inboundPort].includes(http.port),
    message: "must be another port than those of [smtp]",
  },
  {
    key: "http.plain_port",
    isBroken: ({ http, smtp }) =>
      Boolean(http.plainPort) &&
      [smtp.submissionPort, smtp.submissionsPort, smtp.inboundPort].includes(http.plainPort as number),
    message: "must be another port than those of [smtp]",
  },
  {
    key: "metrics.port",
    isBroken: ({ http, smtp, metrics }) =>
      metrics.port !== 0 &&
      [http.port, http.plainPort, smtp.submissionPort, smtp.submissionsPort, smtp.inboundPort].includes(metrics.port),
    message: "must be another port than http.port, http.plain_port and those of [smtp]",
  },
  ...(["resend", "postmark", "sendgrid", "mailgun"] as const).flatMap((service): ConfigRule[] => {
    const nameIn = ({ compat }: ConfigValues) => compat[`${service}Host`];
    const key = `compat.${service}_host`;
    return [
      {
        key,
        isBroken: ({ http, compat }) =>
          http.baseUrl !== null && new URL(http.baseUrl).hostname === compat[`${service}Host`],
        message: "must be another name than that of http.base_url: nothing else answers there",
      },
      {
        key,
        isBroken: (settings) =>
          Object.values(settings.compat).filter((name) => name !== null && name === nameIn(settings)).length > 1,
        message: "must be another name than the other hosts of [compat]",
      },
      {
        key,
        isBroken: (settings) => settings.http.tls === "acme" && nameIn(settings)?.includes(".") === false,
        message: 'must be a full host name when http.tls is "acme": the certificate is for that name, too',
      },
    ];
  }),
  {
    key: "backup.to",
    isBroken: ({ backup }) => backup.everySeconds !== null && backup.to === null,
    message: "must be set when backup.every is",
  },
  {
    key: "backup.stream",
    isBroken: ({ backup, database }) => backup.stream !== null && /^postgres/.test(database.url ?? ""),
    message: "must not be set with PostgreSQL: it ships the log of a SQLite file; PostgreSQL archives its own",
  },
  {
    key: "backup.stream",
    isBroken: ({ backup }) => backup.stream !== null && backup.stream === backup.to,
    message: "must be another place than backup.to",
  },
  {
    key: "backup.recipient",
    isBroken: ({ backup }) => backup.recipient !== null && backup.passphrase !== null,
    message: "must not be set together with backup.passphrase: a backup is encrypted with one of the two",
  },
  {
    key: "backup.access_key_id",
    isBroken: ({ backup }) => backup.accessKeyId === null && backup.secretAccessKey !== null,
    message: "must be set when backup.secret_access_key is",
  },
  {
    key: "backup.secret_access_key",
    isBroken: ({ backup }) => backup.accessKeyId !== null && backup.secretAccessKey === null,
    message: "must be set when backup.access_key_id is",
  },
  {
    key: "alerts.webhook",
    isBroken: ({ alerts }) => alerts.webhook === null && alerts.webhookSecret !== null,
    message: "must be set when alerts.webhook_secret is",
  },
  {
    key: "alerts.email",
    isBroken: ({ alerts }) => alerts.email.length === 0 && alerts.from !== null,
    message: "must be set when alerts.from is",
  },
];

/** Settings that work, but not as well as they should; reported at the start and by check-config. */
export const CAUTIONS: readonly ConfigRule[] = [
  {
    key: "alerts.email",
    isBroken: ({ alerts, delivery }) => alerts.email.length > 0 && delivery.transport === "capture",
    message: 'gets no alerts while delivery.transport is "capture": no email leaves',
  },
  {
    key: "backup.passphrase",
    isBroken: ({ backup }) =>
      [backup.to, backup.stream].some((place) => place?.startsWith("s3:")) &&
      backup.passphrase === null &&
      backup.recipient === null,
    message:
      "or backup.recipient should be set: a backup holds every contact, every email and the installation's key, and the bucket can read it",
  },
  {
    key: "http.base_url",
    isBroken: ({ http, delivery }) => delivery.transport !== "capture" && !http.baseUrl?.startsWith("https:"),
    message:
      "should begin with https: one-click unsubscribe needs it (RFC 8058), and large mailbox providers require that for marketing email",
  },
  {
    key: "http.base_url",
    isBroken: ({ http }) => http.certFile !== null && http.baseUrl !== null && !http.baseUrl.startsWith("https:"),
    message: "should begin with https: http.cert_file makes this server speak HTTPS",
  },
  {
    key: "http.plain_port",
    isBroken: ({ http }) => (http.plainPort ?? 0) !== 0 && http.tls === null && http.certFile === null,
    message: "should not be set unless http.tls or http.cert_file is: it leads to HTTPS",
  },
  {
    key: "metrics.token",
    isBroken: ({ metrics }) => metrics.path !== null && metrics.token === null,
    message: "should be set when metrics.path is: else everybody who reaches the API can read how much is sent",
  },
];

/** An authority gives certificates for names in the public DNS. */
function hasPublicName(baseUrl: string | null): boolean {
  if (!baseUrl?.startsWith("https:") || !isReachable(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname.includes(".") && !isIPv4(hostname);
}

/** Whether recipients can open the address: it is set, and neither loopback nor the unspecified address. */
function isReachable(baseUrl: string | null): boolean {
  if (baseUrl === null) return false;
  const { hostname } = new URL(baseUrl);
  if (isIPv4(hostname)) return !/^(127|0)\./.test(hostname);
  if (/^\[(::1?|::ffff:(7f..|0):.*)\]$/.test(hostname)) return false;
  return !/(^|\.)localhost\.?$/.test(hostname);
}

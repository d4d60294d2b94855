// The first configuration of a server, from a few answers.

export type SetupAnswers = {
  /** Where recipients reach the server: links in mails begin with it. */
  readonly baseUrl: string;
  readonly way: RelayAccount | Ses | "capture";
  /** Whether mail programs and other mail servers connect to the standard ports of this machine. */
  readonly isMailServer: boolean;
  /** The domain that bounces return to; null = none is set yet. */
  readonly returnPathDomain: string | null;
};
export type RelayAccount = {
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly password: string | null;
};
export type Ses = { readonly region: string };

/** Port 465 expects TLS from the first byte, others after STARTTLS. */
const IMPLICIT_TLS_PORT = 465;

export const MAIL_SERVER_PORTS = { submissionPort: 587, submissionsPort: 465, inboundPort: 25 };

function portLines(): readonly string[] {
  const { submissionPort, submissionsPort, inboundPort } = MAIL_SERVER_PORTS;
  return [
    `submission_port = ${submissionPort}`,
    `submissions_port = ${submissionsPort}`,
    `inbound_port = ${inboundPort}`,
  ];
}

/** A configuration file in TOML. A key that is left out has its default. */
export function configFor({ baseUrl, way, isMailServer, returnPathDomain }: SetupAnswers): string {
  const lines = [
    "# Posthorn's configuration. All settings: posthorn's config.example.toml, or /docs/guide/config.example.toml of the server.",
    "",
    "[http]",
    `base_url = ${quoted(baseUrl)}`,
    "# The proxy with TLS in front of this server.",
    'trusted_proxies = ["127.0.0.1", "::1"]',
    "",
    ...wayOut(way, returnPathDomain),
    ...(isMailServer ? ["", "[smtp]", 'host = "0.0.0.0"', ...portLines()] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function wayOut(way: SetupAnswers["way"], returnPathDomain: string | null): readonly string[] {
  const bounces =
    returnPathDomain === null
      ? [
          "# The domain that bounces return to: bounces.md of the guide.",
          '# return_path_domain = "bounces.example.com"',
        ]
      : [`return_path_domain = ${quoted(returnPathDomain)}`];
  if (way === "capture")
    return [
      "[delivery]",
      "# Emails are kept and not sent, until this is smtp or ses.",
      'transport = "capture"',
      ...bounces,
    ];
  if ("region" in way)
    return ["[delivery]", 'transport = "ses"', ...bounces, "", "[ses]", `region = ${quoted(way.region)}`];
  const { host, port, user, password } = way;
  return [
    "[delivery]",
    'transport = "smtp"',
    ...bounces,
    "",
    "[relay]",
    `host = ${quoted(host)}`,
    `port = ${port}`,
    ...(port === IMPLICIT_TLS_PORT ? ['tls = "implicit"'] : []),
    ...(user === null ? [] : [`user = ${quoted(user)}`, `password = ${quoted(password ?? "")}`]),
  ];
}

/** A basic string of TOML, which escapes as JSON does. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

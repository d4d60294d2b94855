// What to put into the configuration for a way out.

export type FirstWayKind = "smtp" | "ses" | "capture";

const OF_WAY: Readonly<Record<FirstWayKind, string>> = {
  smtp: `[delivery]
transport = "smtp"

[relay]
host = "smtp.example.com"
user = "posthorn"
password_file = "/run/secrets/relay_password"`,
  ses: `[delivery]
transport = "ses"

[ses]
region = "eu-west-1"`,
  capture: `[delivery]
transport = "capture"`,
};

/** `address`: to be set beside it, since a start with a way out asks for one; null = it is set in its place. */
export function wayLines(kind: FirstWayKind, address: string | null): string {
  return address === null || kind === "capture" ? OF_WAY[kind] : `[http]\nbase_url = "${address}"\n\n${OF_WAY[kind]}`;
}

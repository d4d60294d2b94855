// Lines for the configuration file that set up a way out, and why they are not entered here.
import { useTexts } from "../language.ts";
import { Code } from "../parts/code.tsx";
import { firstStartTexts } from "../texts/areas.ts";

const LINES = {
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
export type FirstWayKind = keyof typeof LINES;

/** `address`: a start with a way out asks the file for one; null = it has one. */
type FileLinesProps = { readonly kind: FirstWayKind; readonly address: string | null };

export function FileLines({ kind, address }: FileLinesProps) {
  const t = useTexts(firstStartTexts).file;
  const http = address === null || kind === "capture" ? "" : `[http]\nbase_url = "${address}"\n\n`;
  return (
    <>
      <p className="row-text">{t.put}</p>
      <Code title="config.toml" text={http + LINES[kind]} />
      <p className="disabled-reason">
        <span>
          {t.why} <a href="/docs/guide/configuration">{t.guide}</a>
        </span>
      </p>
    </>
  );
}

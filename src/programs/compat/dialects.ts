// The services whose APIs are spoken here, and their hosts.
import type { Config } from "../../base/config.ts";
import { MAILGUN } from "./mailgun/refusals.ts";
import { POSTMARK } from "./postmark/refusals.ts";
import { RESEND } from "./resend/refusals.ts";
import { SENDGRID } from "./sendgrid/refusals.ts";

export const DIALECTS = [RESEND, POSTMARK, SENDGRID, MAILGUN];

export function ownHostsIn({ compat }: Config): ReadonlyMap<string, string> {
  const { resendHost, postmarkHost, sendgridHost, mailgunHost } = compat;
  const hosts = [
    [resendHost, RESEND.at],
    [postmarkHost, POSTMARK.at],
    [sendgridHost, SENDGRID.at],
    [mailgunHost, MAILGUN.at],
  ] as const;
  return new Map(hosts.flatMap(([host, at]) => (host === null ? [] : [[host, at]])));
}

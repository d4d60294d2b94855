// The services whose APIs are spoken here, their hosts and their routes.
import type { Config } from "../../base/config.ts";
import { MAILGUN } from "./mailgun/refusals.ts";
import { mailgunRoutes } from "./mailgun/routes.ts";
import { POSTMARK } from "./postmark/refusals.ts";
import { postmarkRoutes } from "./postmark/routes.ts";
import type { CallDeps } from "./resend/call.ts";
import { resendCalls } from "./resend/calls.ts";
import { RESEND } from "./resend/refusals.ts";
import { resendRoutes } from "./resend/routes.ts";
import { SENDGRID } from "./sendgrid/refusals.ts";
import { sendgridRoutes } from "./sendgrid/routes.ts";

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

/** Mailgun's clients keep only the origin of an address: without a host of its own its routes would never be called. */
export function compatRoutes(deps: CallDeps, config: Config) {
  const { ours } = deps;
  return [
    resendRoutes(deps),
    resendCalls(deps),
    postmarkRoutes(deps, ours),
    sendgridRoutes(deps, ours),
    ...(config.compat.mailgunHost === null ? [] : [mailgunRoutes(deps, ours, config)]),
  ];
}

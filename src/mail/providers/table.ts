// The providers by their names in `relay.provider` and the route.
import type { Config } from "../../base/config.ts";
import { brevo } from "./brevo.ts";
import { generic } from "./generic.ts";
import { mailgun } from "./mailgun.ts";
import { mailjet } from "./mailjet.ts";
import { postmark } from "./postmark.ts";
import type { ProviderAdapter } from "./provider.ts";
import { resend } from "./resend.ts";
import { sendgrid } from "./sendgrid.ts";
import { sparkpost } from "./sparkpost.ts";

export type ProviderName = NonNullable<Config["relay"]["provider"]>;

export const PROVIDERS: Readonly<Record<ProviderName, ProviderAdapter>> = {
  brevo,
  generic,
  mailgun,
  mailjet,
  postmark,
  resend,
  sendgrid,
  sparkpost,
};

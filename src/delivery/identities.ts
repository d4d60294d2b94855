// The sender domains as the service that takes our mails knows them, if it has to: Amazon SES.
import type { Config } from "../config.ts";
import type { Identities } from "../workspaces/identity.ts";
import type { SesOptions } from "./ses/ses.ts";

const TIMEOUT_MS = 10_000;

/** The AWS SDK takes 30 MB: it is loaded when the first domain is looked at. */
export function identitiesFor({ delivery, ses }: Pick<Config, "delivery" | "ses">): Identities | null {
  if (delivery.transport !== "ses") return null;
  const options: SesOptions = { ...ses, region: ses.region ?? "", concurrency: 1, gapMs: 0, timeoutMs: TIMEOUT_MS };
  let opened: Promise<Pick<Identities, "look" | "close">> | null = null;
  const open = () => (opened ??= import("./ses/identities.ts").then((module) => module.sesIdentities(options)));
  return {
    service: "Amazon SES",
    look: async (domain, key) => (await open()).look(domain, key),
    close: async () => (await opened)?.close(),
  };
}

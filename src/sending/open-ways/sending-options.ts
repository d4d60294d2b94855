// The configuration of sending, and the sender domains at Amazon SES if mails leave through it.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Pace } from "../../base/brakes/token-bucket.ts";
import { ConfigError, ownName, type Config } from "../../base/config.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Identities } from "../../tenant/domains/check.ts";
import type { HandoverOptions, HeaderTerms } from "../carrier/handover.ts";
import type { TransportOptions } from "../carrier/transports.ts";
import type { SesOptions } from "../carrier/ses/ses.ts";
import { defaultWay } from "../../ground/ways/way.ts";
import type { WaySettings } from "../../base/config/ways.ts";

const REWRITTEN_BY_SES = ["message-id", "date"];

/** The options that all ways share. */
export function handoverOptions({ delivery }: Config, secrets: Secrets, bases: LinkBases): HandoverOptions {
  return { secrets, bases, returnPathDomain: delivery.returnPathDomain };
}

/** The changes of a way to a mail's header. */
export function headerTermsOf({ kind, relay }: WaySettings): HeaderTerms {
  return {
    rewrittenFields: kind === "ses" ? REWRITTEN_BY_SES : [],
    sentAlong: kind === "ses" || kind === "graph" ? "none" : relay.provider,
  };
}

/** Null = no limit. */
export function paceOf({ ratePerSecond, burst }: WaySettings, horizonMs: number): Pace | null {
  return ratePerSecond === 0 ? null : { intervalMs: 1000 / ratePerSecond, burst, horizonMs };
}

const MOST_AT_ONCE = 500;
/** The longest time that SES takes to answer, over any network. */
const SES_ANSWERS_SECONDS = 0.5;

/** Hand-overs at the same time: as configured, and to SES no fewer than the rate needs. */
export function handoversAtOnce({ kind, concurrency, ratePerSecond }: WaySettings): number {
  if (kind !== "ses") return concurrency;
  return Math.max(concurrency, Math.min(MOST_AT_ONCE, Math.ceil(ratePerSecond * SES_ANSWERS_SECONDS)));
}

/** With other ways to use, mail does not wait long for a next hop's greeting. */
const OPENING_MS = 5_000;

/** @throws ConfigError if the relay's certificates cannot be read */
export function transportOptions(
  config: Config,
  way: WaySettings = defaultWay(config),
  isOneOfSeveral: boolean = config.ways.length > 0,
): TransportOptions {
  const { kind, ratePerSecond, burst, relay, ses } = way;
  // Short enough that with half a gap of jitter no more than rate and burst together leave within a second.
  const gapMs = ratePerSecond === 0 ? 0 : 1000 / (ratePerSecond + burst - 0.5);
  const common = { concurrency: handoversAtOnce(way), gapMs, timeoutMs: relay.timeoutSeconds * 1000 };
  if (kind === "ses") return { kind, ses: { ...ses, ...common, region: ses.region ?? "" } };
  if (kind === "graph") return { kind, graph: { ...common, graphUrl: relay.graphUrl, user: relay.user ?? "" } };
  if (kind === "capture") return { kind };
  const ca = relay.caFile === null ? null : certificatesIn(relay.caFile);
  const opening = isOneOfSeveral ? { openingTimeoutMs: OPENING_MS } : {};
  return { kind, relay: { ...relay, ...common, ...opening, host: relay.host ?? "", ca, heloName: ownName(config) } };
}

function certificatesIn(path: string): string {
  try {
    const pem = readFileSync(path, "utf8");
    void new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw new ConfigError([{ key: "relay.ca_file", message: `${path} cannot be used: ${(error as Error).message}` }]);
  }
}

const TIMEOUT_MS = 10_000;

/**
 * The identities of the default way, if its service knows sender domains: the service decides whether they are
 * verified.
 */
export function identitiesFor({ delivery, ses }: Pick<Config, "delivery" | "ses">): Identities | null {
  return delivery.transport === "ses" ? identitiesOf(ses) : null;
}

/** The AWS SDK takes 30 MB: it is loaded with the first domain. */
export function identitiesOf(ses: WaySettings["ses"]): Identities {
  const options: SesOptions = { ...ses, region: ses.region ?? "", concurrency: 1, gapMs: 0, timeoutMs: TIMEOUT_MS };
  let opened: Promise<Pick<Identities, "look" | "close">> | null = null;
  const open = () =>
    (opened ??= import("../carrier/ses/identities.ts").then((module) => module.sesIdentities(options)));
  return {
    service: "Amazon SES",
    look: async (domain, key) => (await open()).look(domain, key),
    close: async () => (await opened)?.close(),
  };
}

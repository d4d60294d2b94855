// What the configuration says of sending, as the rooms of delivery take it.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError, ownName, type Config } from "../config.ts";
import type { Pace } from "../jobs/token-bucket.ts";
import type { Secrets } from "../secrets.ts";
import type { HandoverOptions } from "./handover.ts";
import type { TransportOptions } from "./transports.ts";

const REWRITTEN_BY_SES = ["message-id", "date"];

export function handoverOptions({ http, delivery }: Config, secrets: Secrets): HandoverOptions {
  return {
    secrets,
    baseUrl: http.baseUrl,
    returnPathDomain: delivery.returnPathDomain,
    rewrittenFields: delivery.transport === "ses" ? REWRITTEN_BY_SES : [],
  };
}

/** Null = no limit. */
export function paceOf({ delivery }: Config, horizonMs: number): Pace | null {
  if (delivery.ratePerSecond === 0) return null;
  return { intervalMs: 1000 / delivery.ratePerSecond, burst: delivery.burst, horizonMs };
}

/** @throws ConfigError if the relay's certificates cannot be read */
export function transportOptions(config: Config): TransportOptions {
  const { delivery, relay, ses } = config;
  const { concurrency, ratePerSecond, burst } = delivery;
  // So many gaps in a second that even with half a gap of jitter no more than rate and burst together get through.
  const gapMs = ratePerSecond === 0 ? 0 : 1000 / (ratePerSecond + burst - 0.5);
  const common = { concurrency, gapMs, timeoutMs: relay.timeoutSeconds * 1000 };
  if (delivery.transport === "ses") return { kind: "ses", ses: { ...ses, ...common, region: ses.region ?? "" } };
  if (delivery.transport === "capture") return { kind: "capture" };
  const ca = relay.caFile === null ? null : certificatesIn(relay.caFile);
  return { kind: "smtp", relay: { ...relay, ...common, host: relay.host ?? "", ca, heloName: ownName(config) } };
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

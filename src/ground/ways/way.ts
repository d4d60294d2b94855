// A way out: the next hop of mails, and its protocol. The default one is that of [delivery], [relay] and [ses]; others
// follow it.
import type { Config } from "../../base/config.ts";
import { DEFAULT_WAY, type WaySettings } from "../../base/config/ways.ts";

type DefaultWayConfig = Pick<Config, "delivery" | "relay" | "ses">;

/** The way of [delivery], [relay] and [ses] as they are now: a later change of them is another way. */
export function defaultWay({ delivery, relay, ses }: DefaultWayConfig): WaySettings {
  const { transport: kind, ratePerSecond, burst, concurrency } = delivery;
  return {
    name: DEFAULT_WAY,
    kind,
    ratePerSecond,
    burst,
    concurrency,
    price: null,
    relay: { ...relay },
    ses: { ...ses },
  };
}

/** The ways of the configuration: the default one first, then [[ways]] in the order in which they follow it. */
export function waysOf(config: DefaultWayConfig & Pick<Config, "ways">): readonly [WaySettings, ...WaySettings[]] {
  return [defaultWay(config), ...config.ways];
}

/** Host and port of the relay, the region of SES, or the mailbox at Graph; null = mails do not leave. */
export function addressOfWay({ kind, relay, ses }: WaySettings): string | null {
  if (kind === "graph") return relay.user;
  if (kind === "smtp") return relay.host && `${relay.host}:${relay.port}`;
  return kind === "ses" ? ses.region : null;
}

// The state of a sender domain at the ways out. Amazon SES registers the domain, on any way; a relay is queried as far
// as possible without a mail.
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import { MINUTE_MS, systemClock } from "../../base/clock.ts";
import { ConfigError, type Config } from "../../base/config.ts";
import { DEFAULT_WAY } from "../../base/config/ways.ts";
import type { WayLookup, Identities, SigningKey } from "../../tenant/domains/check.ts";
import { NOT_LOOKED, wrong, type DnsFinding } from "../../tenant/domains/dns-check/finding.ts";
import type { Ground } from "../../ground/ground.ts";
import type { Transports } from "./open-ways.ts";
import { NO_TOKENS, type WayTokens } from "../../ground/way-tokens/way-tokens.ts";
import type { Way } from "../../ground/ways/list.ts";
import { identitiesOf, transportOptions } from "./sending-options.ts";
import { openConnection, type RelayAddress } from "../carrier/smtp/opening.ts";
import { readReply, refusal } from "../carrier/smtp/reply.ts";
import { aboutWay } from "../carrier/transport/about-way.ts";

type SenderCheckOptions = {
  readonly config: Config;
  /** With their secrets. */
  readonly ways: () => readonly Way[];
  /** Absent: ways that log in with an access token are not asked. */
  readonly tokens?: Pick<WayTokens, "of"> | null;
  /** Names of ways that are not asked. */
  readonly without?: readonly string[];
};

const MAX_WAIT_MS = 5_000;
/** The page of a domain checks it every few seconds, and relays may count the queries. */
const ASKED_AGAIN_MS = 10 * MINUTE_MS;
const MOST_KEPT = 5_000;

type ServicesGround = Pick<Ground, "config" | "ways" | "tokens">;

/** The services that are asked about sender domains. `here`: ways with another transport in this process. */
export function servicesFor({ config, ways, tokens }: ServicesGround, here: Transports = {}) {
  const atWays = new SenderChecks({ config, tokens, ways: () => ways.used, without: Object.keys(here) });
  return { identities: () => atWays.identities, atWays };
}

export class SenderChecks implements WayLookup {
  readonly #options: SenderCheckOptions;
  readonly #services = new Map<string, Identities>();
  readonly #relays = new BoundedMap<string, { readonly atMs: number; readonly found: Promise<DnsFinding> }>(MOST_KEPT);

  constructor(options: SenderCheckOptions) {
    this.#options = options;
  }

  /** Sender identities at the default way, if it is SES. */
  get identities(): Identities | null {
    const way = this.#options.ways().find(({ name, kind }) => name === DEFAULT_WAY && kind === "ses");
    return way ? this.#serviceOf(way) : null;
  }

  get names(): readonly string[] {
    return this.#waysToAsk.map(({ name }) => name);
  }

  /** Asks each way but the default one, whose service decides (domains/check.ts). Never throws. */
  look(domain: string, key: SigningKey) {
    const others = this.#waysToAsk.filter(({ name, kind }) => name !== DEFAULT_WAY || kind !== "ses");
    return Promise.all(others.map(async (way) => ({ way: way.name, known: await this.#lookAt(way, domain, key) })));
  }

  /** As `look`, but no service gets the key, so that nothing is registered. */
  see(domain: string) {
    return Promise.all(
      this.#waysToAsk.map(async (way) => ({ way: way.name, known: await this.#lookAt(way, domain, null) })),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#services.values()].map((service) => service.close()));
  }

  get #waysToAsk(): readonly Way[] {
    const { ways, without = [] } = this.#options;
    return ways().filter(
      ({ name, kind, pausedAt, problem }) =>
        kind !== "capture" && pausedAt === null && problem === null && !without.includes(name),
    );
  }

  #lookAt(way: Way, domain: string, key: SigningKey | null): Promise<DnsFinding> {
    if (way.kind === "ses") return this.#serviceOf(way).look(domain, key);
    const about = `${domain} ${JSON.stringify(way.relay)}`;
    const nowMs = systemClock.monotonicMs();
    const before = this.#relays.get(about);
    if (before && nowMs - before.atMs < ASKED_AGAIN_MS) return before.found;
    const found = lookAtRelay(this.#options, way, domain);
    this.#relays.set(about, { atMs: nowMs, found });
    return found;
  }

  #serviceOf({ ses }: Way): Identities {
    const settings = JSON.stringify(ses);
    const service = this.#services.get(settings) ?? identitiesOf(ses);
    this.#services.set(settings, service);
    return service;
  }
}

/** Many services reject an unknown sender only at the end of a message. */
async function lookAtRelay({ config, tokens }: SenderCheckOptions, way: Way, domain: string): Promise<DnsFinding> {
  try {
    const options = transportOptions(config, way);
    return options.kind === "smtp"
      ? await askRelay({ ...options.relay, tokens: tokens?.of(way) ?? NO_TOKENS }, domain)
      : NOT_LOOKED;
  } catch (error) {
    if (error instanceof ConfigError) return NOT_LOOKED;
    throw error;
  }
}

/** Goes as far as a recipient, where Postfix checks the sender, and never sends a message. */
export async function askRelay(relay: RelayAddress, domain: string): Promise<DnsFinding> {
  const opened = await openConnection({ ...relay, timeoutMs: Math.min(relay.timeoutMs, MAX_WAIT_MS) });
  if ("kind" in opened) return NOT_LOOKED;
  const { dialogue } = opened;
  try {
    for (const [phase, command] of [
      ["mail", "MAIL FROM"],
      ["rcpt", "RCPT TO"],
    ] as const) {
      const answer = await dialogue.within(MAX_WAIT_MS, () => dialogue.answerTo(`${command}:<postmaster@${domain}>`));
      if (typeof answer !== "string" || answer.startsWith("2")) continue;
      const refused = refusal(phase, readReply(answer));
      const about = aboutWay(refused);
      return about?.what === "sender" && about.isSure ? wrong("way_refuses", { reply: refused.reply }) : NOT_LOOKED;
    }
    return NOT_LOOKED;
  } finally {
    void dialogue.quit();
  }
}

// The reports that a provider posts: their proof, and their size limit.
import { HOUR_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import type { Ground } from "../../ground/ground.ts";
import { excessOf } from "../../http/body/body.ts";
import { SparseWarnings } from "../../base/jobs/sparse-warnings.ts";
import { isTokenOf } from "./place.ts";
import type { ProviderRequest } from "./provider.ts";
import { PROVIDERS, type ProviderName } from "./table.ts";
import { takeReports } from "./take.ts";

const MOST_EVENTS = 1_000;
/** An event of SparkPost has some fifty fields. */
const BOUNDS = { levels: 30, keys: 100_000, items: 100_000 } as const;

export type ProviderIntake = { readonly events: number; readonly recorded: number };

export class ProviderReports {
  readonly #ground: Ground;
  readonly #warnings: SparseWarnings;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#warnings = new SparseWarnings(ground.log, ground.clock, HOUR_MS);
  }

  /** Includes ways by which no mail leaves at present: reports arrive late. */
  get #relays(): readonly Config["relay"][] {
    return this.#ground.ways.all.map(({ relay }) => relay);
  }

  /**
   * The configured provider, if this is its path.
   * @throws AppError ROUTE_NOT_FOUND
   */
  mustBeThere(name: string, token: string): ProviderName {
    const configured = this.#relays.find(({ provider }) => provider === name)?.provider ?? null;
    if (configured !== null && isTokenOf(this.#ground.secrets, name, token)) return configured;
    throw new AppError("ROUTE_NOT_FOUND", "There is no such route.");
  }

  /** @throws AppError FORBIDDEN, INVALID_JSON, VALIDATION_ERROR; NOTICE_EARLY if it has to be sent again later */
  async take(
    name: ProviderName,
    { headers, text }: Pick<ProviderRequest, "headers" | "text">,
  ): Promise<ProviderIntake> {
    const { store, clock } = this.#ground;
    const provider = PROVIDERS[name];
    const posted = { headers, text, body: parsed(text) };
    // Two ways may lead to one provider, by separate accounts.
    const accounts = this.#relays.filter((relay) => relay.provider === name);
    const account = accounts.find(({ providerKey }) => provider.isGenuine(posted, providerKey, clock.nowMs()));
    if (!account) throw this.#forged(provider.title);
    const events = provider.eventsOf(posted.body);
    if (events.length > MOST_EVENTS)
      throw invalidField("body", `A request has at most ${MOST_EVENTS} events.`, "too_big");
    const once = provider.onceOf?.(posted) ?? null;
    const batch = { name, provider, events, once, withVisits: account.providerTracking };
    return { events: events.length, recorded: await store.write((tx) => takeReports(tx, batch)) };
  }

  /** The report may be genuine, and relay.provider_key wrong. */
  #forged(title: string): AppError {
    this.#warnings.warn("a report of the relay's provider was refused: it is not proved by relay.provider_key", {
      provider: title,
    });
    return new AppError("FORBIDDEN", "The report is not signed as it should be, or is too old.");
  }
}

/**
 * Ids of providers may exceed the range of numbers: they are never calculated with.
 * @throws AppError INVALID_JSON
 */
function parsed(text: string): unknown {
  if (excessOf(text, BOUNDS) !== null) throw invalidField("body", "The body has too many fields.", "too_big");
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("INVALID_JSON", "The body is not JSON.");
  }
}

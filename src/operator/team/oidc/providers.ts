// The providers that people can sign in with: begins a sign-in, and reads what comes back. The code that talks to them
// is loaded with the first sign-in, and no provider is asked before: one that is down holds up no start and no other
// provider.
import { MINUTE_MS } from "../../../base/clock.ts";
import type { ProviderSettings } from "../../../base/config/oidc.ts";
import { SparseWarnings } from "../../../base/jobs/sparse-warnings.ts";
import { AppError } from "../../../base/errors.ts";
import type { Ground } from "../../../ground/ground.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { User } from "../queries.ts";
import { personIn, refuseOtherDomain, type ProviderPerson } from "./claims.ts";
import type { ProviderTrouble, ProviderLink, ProviderPlaces } from "./provider.ts";
import { identitiesOf } from "../identities/queries.ts";
import { openTicket, sealTicket, spend, type TicketSubject } from "./ticket.ts";

/** A discovery document changes rarely; a new key counts immediately, since keys are fetched at each sign-in. */
const KNOWN_MS = 10 * MINUTE_MS;
/** A clock there may be behind. */
const LATE_MS = MINUTE_MS;

export type SignInStart = { readonly url: string; readonly ticket: string };
/** Brought back by a browser. */
export type ProviderReturn = { readonly ticket: string; readonly answer: string };
/** `record` belongs into the transaction that relies on it. */
export type ProviderProof = {
  readonly provider: ProviderSettings;
  readonly person: ProviderPerson;
  /** They entered a password or the like after we had asked. */
  readonly isFresh: boolean;
  readonly record: (tx: Tx) => Promise<void>;
};

type KnownPlaces = { readonly places: ProviderPlaces; readonly untilMs: number };

export class Providers {
  readonly #ground: Ground;
  /** Strangers can fail as often as they like. */
  readonly #warnings: SparseWarnings;
  /** By issuer. */
  readonly #known = new Map<string, KnownPlaces>();

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#warnings = new SparseWarnings(ground.log, ground.clock, MINUTE_MS);
  }

  /** For buttons. */
  get offered(): readonly { readonly name: string; readonly label: string }[] {
    return this.#ground.config.oidc.map(({ name, label }) => ({ name, label }));
  }

  /** @throws AppError SIGN_IN_FAILED if it is unknown, or cannot be reached */
  async begin(name: string, subject: TicketSubject): Promise<SignInStart> {
    const link = this.#link(name);
    const { startAt } = await import("./provider.ts");
    // A signed-in user links an account, or proves who they are.
    const start = this.#had(link, await startAt(link, await this.#places(link), subject !== "sign in"));
    const { url, ...secret } = start;
    const ticket = { ...secret, subject, provider: name, begunAtMs: link.nowMs };
    return { url, ticket: sealTicket(this.#ground.secrets, ticket) };
  }

  /** @throws AppError SIGN_IN_FAILED */
  async proven({ ticket: text, answer }: ProviderReturn, subject: TicketSubject): Promise<ProviderProof> {
    const { secrets, clock } = this.#ground;
    const ticket = openTicket(secrets, text, subject, clock.nowMs());
    const link = this.#link(ticket.provider);
    const { claimsIn } = await import("./provider.ts");
    const claims = this.#had(link, await claimsIn(link, await this.#places(link), ticket, answer));
    const person = personIn(claims, link.provider);
    refuseOtherDomain(link.provider, person, claims);
    const isFresh = (person.authenticatedAtMs ?? 0) + LATE_MS >= ticket.begunAtMs;
    return { provider: link.provider, person, isFresh, record: (tx) => spend(tx, ticket) };
  }

  /** @throws AppError SIGN_IN_FAILED where users sign in with a provider only */
  refuseOthers(): void {
    const only = this.#ground.config.oidc.find((one) => one.only);
    if (only) throw elsewhere(only);
  }

  /**
   * Linked users sign in with the provider, so that access that ends there ends here; owners keep their other ways in.
   * @throws AppError SIGN_IN_FAILED
   */
  async refuseLinked(reader: Reader, { seq, isOwner }: User): Promise<void> {
    const { oidc } = this.#ground.config;
    if (isOwner || oidc.length === 0) return;
    const issuers = (await identitiesOf(reader, seq)).map(({ issuer }) => issuer);
    const theirs = oidc.find(({ issuer }) => issuers.includes(issuer));
    if (theirs) throw elsewhere(theirs);
  }

  #link(name: string): ProviderLink {
    const { config, clock } = this.#ground;
    const provider = config.oidc.find((one) => one.name === name);
    if (!provider)
      throw new AppError("SIGN_IN_FAILED", "Nobody signs in here with this provider.", { reason: "provider_unknown" });
    return { provider, redirect: `${config.http.baseUrl}/app/provider/${name}`, nowMs: clock.nowMs() };
  }

  async #places(link: ProviderLink): Promise<ProviderPlaces> {
    const { provider } = link;
    const [known, nowMs] = [this.#known.get(provider.issuer), this.#ground.clock.monotonicMs()];
    if (known && known.untilMs > nowMs) return known.places;
    const { placesOf } = await import("./provider.ts");
    const places = this.#had(link, await placesOf(provider));
    this.#known.set(provider.issuer, { places, untilMs: nowMs + KNOWN_MS });
    return places;
  }

  /** The log has what was wrong, once a minute; the person cannot mend it. @throws AppError SIGN_IN_FAILED */
  #had<Answer extends object>({ provider: { name, label } }: ProviderLink, answer: Answer | ProviderTrouble): Answer {
    if (!("isAway" in answer)) return answer;
    const { isAway, fault } = answer as ProviderTrouble;
    const message = "a provider did not let somebody in";
    this.#warnings.warn(message, { provider: name, problem: fault }, `${name} ${isAway}`);
    if (isAway)
      throw new AppError("SIGN_IN_FAILED", `${label} cannot be reached.`, {
        reason: "provider_away",
        values: { provider: label },
        suggestion: "Try again later. Owners can sign in with a password or a passkey.",
      });
    throw new AppError("SIGN_IN_FAILED", `${label} does not let you in: ${fault}`, {
      reason: "provider_refused",
      values: { provider: label, problem: fault },
    });
  }
}

function elsewhere({ label }: ProviderSettings): AppError {
  return new AppError("SIGN_IN_FAILED", `You sign in with ${label}.`, {
    reason: "provider_only",
    values: { provider: label },
  });
}

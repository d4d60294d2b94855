// The access tokens of ways that log in with OAuth 2.0. A token is kept encrypted, once for all nodes and connections,
// and the next one is requested before it ends.
import { iso, MINUTE_MS, type Clock } from "../../base/clock.ts";
import type { WaySettings } from "../../base/config/ways.ts";
import { NOTHING_DUE, restUntil } from "../../base/jobs/due.ts";
import type { Log } from "../../base/log.ts";
import { UnreadableError, type Secrets } from "../../base/secrets.ts";
import { heldSince } from "../../store/hold.ts";
import type { Store } from "../../store/store.ts";
import type { TokenGrant } from "./issuer.ts";
import type { TokenPlace } from "./token-place.ts";
import { adoptToken, askAgain, claimRenewal, putToken, tokenRow, type WayTokenRow } from "./queries.ts";

export type TokenWay = TokenPlace & Pick<WaySettings, "name">;

/** `isLocal`: it says nothing of the way: another process is asking at this moment, or the store is away. */
export type TokenAnswer =
  { readonly token: string; readonly endsAt: string } | { readonly fault: string; readonly isLocal?: true };

/** Answers an access token for one way. `refused`: a token that the next hop has refused, so that another is needed. */
export type AccessTokens = (refused: string | null) => Promise<TokenAnswer>;

/** For ways that log in with a password, or not at all. */
export const NO_TOKENS: AccessTokens = () => Promise.resolve({ fault: "There is no access token." });

type StoredTokens = {
  /** The settings that they are for. */
  readonly for: string;
  readonly accessToken: string | null;
  /** The newest one, where the service gave another; null = that of the settings. */
  readonly refreshToken: string | null;
  readonly gotAtMs: number;
  /** The sign-in that they go back to; null = none. */
  readonly signIn: string | null;
};
type TokenState = StoredTokens & Omit<WayTokenRow, "secrets">;
/** `seen`: the secrets as they were read. */
type KnownTokens = TokenState & { readonly seen: string | null };

const NONE = {
  ...{ accessToken: null, refreshToken: null, gotAtMs: 0, signIn: null },
  ...{ endsAt: null, renewAt: "", problem: null },
};
const BUSY = { fault: "Another node is asking for the access token", isLocal: true } as const;

/** A claim that ended with its process is taken over then; longer than a request may take. */
const CLAIM_MS = 30_000;
/** It has to last until a relay has read it. */
const LAST_MOMENTS_MS = 10_000;
/** So much of its life is used. */
const RENEWED_AFTER = 0.8;
/** A token of this age is not to blame for a refusal. */
const FRESH_MS = MINUTE_MS;
const LATER_MS = MINUTE_MS / 2;
const LOOK_AGAIN_MS = 1_000;
const REFUSED_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;

type WayTokensOptions = { readonly store: Store; readonly secrets: Secrets; readonly log: Log; readonly clock: Clock };

export class WayTokens {
  readonly #options: WayTokensOptions;
  /** By way: one request after the other, so that two that need a token share one. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: WayTokensOptions) {
    this.#options = options;
  }

  of(way: TokenWay): AccessTokens {
    return (refused) =>
      this.#inTurn(way.name, () => this.#token(way, refused)).catch(({ message }: Error) => ({
        fault: message,
        isLocal: true,
      }));
  }

  /**
   * Asks for the tokens that are due; answers the wait until the next one is. A restored copy that is held asks for
   * none: a service that replaces refresh tokens would end those of the original.
   */
  async renew(ways: readonly TokenWay[]): Promise<number> {
    const theirs = ways.filter(usesTokens);
    if (theirs.length === 0 || (await this.#options.store.read(heldSince)) !== null) return NOTHING_DUE;
    const rests = theirs.map((way) => this.#inTurn(way.name, () => this.#renewDue(way)));
    return Math.min(NOTHING_DUE, ...(await Promise.all(rests)));
  }

  /** A person has mended something, and waits for the answer. */
  async askAgain(way: string): Promise<void> {
    await this.#options.store.write((tx) => askAgain(tx, way));
  }

  /** Takes what a person has signed in for; it counts before the right of the client itself. */
  async adopt(way: TokenWay, grant: Extract<TokenGrant, { readonly kind: "granted" }>, signIn: string): Promise<void> {
    const { store, clock } = this.#options;
    const next = nextOf({ ...NONE, for: settingsOf(way), signIn }, grant, clock.nowMs());
    const work = () => store.write((tx) => adoptToken(tx, way.name, { ...next, secrets: this.#sealed(next) }));
    await this.#inTurn(way.name, work);
  }

  /** Whether the tokens of the way go back to this sign-in. */
  async comeFrom(way: TokenWay, signIn: string): Promise<boolean> {
    return (await this.#known(way)).signIn === signIn;
  }

  #inTurn<Answer>(way: string, work: () => Promise<Answer>): Promise<Answer> {
    const answer = (this.#turns.get(way) ?? Promise.resolve()).then(work, work);
    this.#turns.set(way, answer);
    return answer;
  }

  async #token(way: TokenWay, refused: string | null): Promise<TokenAnswer> {
    const known = await this.#known(way);
    const nowMs = this.#options.clock.nowMs();
    const isBad = refused !== null && known.accessToken === refused && nowMs - known.gotAtMs >= FRESH_MS;
    if (!isBad && lastsUntilMs(known) > nowMs + LAST_MOMENTS_MS) return answerIn(known);
    if (known.problem !== null && !isDue(known, nowMs)) return { fault: known.problem };
    return this.#renewed(way, isBad ? { ...known, accessToken: null, endsAt: null } : known);
  }

  async #renewDue(way: TokenWay): Promise<number> {
    const known = await this.#known(way);
    const nowMs = this.#options.clock.nowMs();
    if (isDue(known, nowMs)) await this.#renewed(way, known);
    else return restUntil(known.renewAt, nowMs);
    return LOOK_AGAIN_MS;
  }

  /** `known`: what stays if there is no other token. */
  async #renewed(way: TokenWay, known: KnownTokens): Promise<TokenAnswer> {
    const { store, clock } = this.#options;
    const claim = { seen: known.seen, none: this.#sealed({ for: "", ...NONE }), until: iso(clock.nowMs() + CLAIM_MS) };
    if ((await store.write((tx) => claimRenewal(tx, way.name, claim))) === 0) return BUSY;
    // 100 kB of code that most installations never need.
    const { grantOf } = await import("./grant.ts");
    const refreshToken = known.refreshToken ?? way.relay.refreshToken;
    const grant = await grantOf({ ...way, refreshToken, nowMs: clock.nowMs() });
    const next = nextOf(known, grant, clock.nowMs());
    await store.write((tx) => putToken(tx, way.name, { ...next, secrets: this.#sealed(next) }));
    this.#tell(way, known.problem, next.problem);
    return next.accessToken === null ? { fault: next.problem ?? "" } : answerIn(next);
  }

  #tell({ name: way }: TokenWay, before: string | null, problem: string | null): void {
    const { log } = this.#options;
    if (problem !== null && problem !== before) log.warn("a sending route gets no new access token", { way, problem });
    if (problem === null && before !== null) log.info("a sending route gets access tokens again", { way });
  }

  /** Tokens for other settings, or of another secret.key, are none. */
  async #known(way: TokenWay): Promise<KnownTokens> {
    const { store, secrets } = this.#options;
    const row = await store.read((reader) => tokenRow(reader, way.name));
    const none = { ...NONE, for: settingsOf(way), seen: row?.secrets ?? null };
    if (row === null) return none;
    try {
      const kept = JSON.parse(secrets.decrypt(row.secrets)) as StoredTokens;
      return kept.for === none.for ? { ...row, ...kept, seen: row.secrets } : none;
    } catch (error) {
      if (error instanceof UnreadableError) return none;
      throw error;
    }
  }

  #sealed({ for: settings, accessToken, refreshToken, gotAtMs, signIn }: StoredTokens): string {
    const kept: StoredTokens = { for: settings, accessToken, refreshToken, gotAtMs, signIn };
    return this.#options.secrets.encrypt(JSON.stringify(kept));
  }
}

export function usesTokens({ kind, relay }: Omit<TokenWay, "name">): boolean {
  return (kind === "smtp" || kind === "graph") && relay.auth === "oauth2";
}

function answerIn({ accessToken, endsAt }: TokenState): TokenAnswer {
  return { token: accessToken ?? "", endsAt: endsAt ?? "" };
}

/** A token goes nowhere but where these settings send it. */
export function settingsOf({ kind, relay }: TokenWay): string {
  const { host, port, tls, verifyCertificate, user, tenant, tokenUrl, scope, ...rest } = relay;
  const { clientId, clientSecret, refreshToken, serviceAccount } = rest;
  const place = [host, port, tls, verifyCertificate, user, tenant, tokenUrl, scope];
  const atGraph = kind === "graph" ? [relay.graphUrl] : [];
  return JSON.stringify([...place, clientId, clientSecret, refreshToken, serviceAccount, ...atGraph]);
}

function lastsUntilMs({ accessToken, endsAt }: TokenState): number {
  return accessToken === null || endsAt === null ? -Infinity : Date.parse(endsAt);
}

function isDue({ renewAt }: TokenState, nowMs: number): boolean {
  return renewAt === "" || Date.parse(renewAt) <= nowMs;
}

/** Where a new token is not to be had, the one before serves until it ends. */
function nextOf(known: TokenState, grant: TokenGrant, nowMs: number): TokenState {
  if (grant.kind === "granted") {
    const { accessToken, lastsMs } = grant;
    const { for: settings, signIn } = known;
    const refreshToken = grant.refreshToken ?? known.refreshToken;
    const times = { gotAtMs: nowMs, endsAt: iso(nowMs + lastsMs), renewAt: iso(nowMs + lastsMs * RENEWED_AFTER) };
    return { for: settings, signIn, accessToken, refreshToken, ...times, problem: null };
  }
  const waitMs = Math.max(grant.kind === "refused" ? REFUSED_MS : LATER_MS, Math.min(grant.waitMs, LONGEST_WAIT_MS));
  return { ...known, renewAt: iso(nowMs + waitMs), problem: `There is no access token: ${grant.problem}` };
}

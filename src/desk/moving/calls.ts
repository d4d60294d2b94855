// Calls to the API of another product: as fast as it allows, with patience, and with words for what can go wrong.
import { MINUTE_MS, type Clock } from "../../base/clock.ts";
import { backOffMs, retryAfterMs } from "../../base/jobs/retry.ts";
import { LargeAnswerError, responseText } from "../../http/fetch-text.ts";
import { fieldsOf, StrangeAnswerError, textOf, type AnswerFields } from "./fields.ts";

export type Pause = (ms: number) => Promise<unknown>;

/** A GET. @throws Error without an answer, SourceError if it must not be asked */
export type SourceFetch = (url: string, init: SourceRequest) => Promise<Response>;
export type SourceRequest = { readonly headers: KeyHeaders; readonly signal: AbortSignal };

/** A problem with the product, in words for a person. `field`: the one to correct. */
export class SourceError extends Error {
  override readonly name: string = "SourceError";

  constructor(
    readonly field: "product" | "key" | "baseUrl",
    message: string,
  ) {
    super(message);
  }
}

type KeyHeaders = Readonly<Record<string, string>>;

/** `key`: only ever sent to `baseUrl`, in the header fields that `headers` makes anew for each call. */
export type SourceAccount = {
  readonly title: string;
  readonly keyHint: string;
  readonly key: string;
  readonly baseUrl: string;
  readonly headers: (key: string, nowMs: number) => KeyHeaders | Promise<KeyHeaders>;
};

/** `body`: undefined if it is not JSON. */
type SourceAnswer = Pick<Response, "ok" | "status" | "headers"> & { readonly body: unknown };

const SECOND_MS = 1_000;
/** Large pages take some products most of a minute. */
const MAX_WAIT_MS = 2 * MINUTE_MS;
/** For a longer pause, the move ends: its caller goes on later. */
const LONGEST_PAUSE_MS = 15 * MINUTE_MS;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MOST_TRIES = 8;
const MOST_TRIES_UNREACHED = 3;
const MAX_WORDS = 300;
/** From here on, a number in a header is a moment, in seconds or milliseconds, and no length. */
const [EPOCH_SECONDS, EPOCH_MS] = [1e9, 1e12];

export class SourceCalls {
  readonly #kept = new Map<string, Promise<unknown>>();
  /** Before the next call. */
  #restMs = 0;

  constructor(
    private readonly account: SourceAccount,
    private readonly clock: Clock,
    private readonly pause: Pause,
    /** The key goes nowhere else, so no redirect is followed. */
    private readonly fetched: SourceFetch = (url, init) => fetch(url, { ...init, redirect: "manual" }),
  ) {}

  /** As `ask`, but only one call in a run: the answer is kept. */
  once(path: string): Promise<unknown> {
    const kept = this.#kept.get(path) ?? this.ask(path);
    this.#kept.set(path, kept);
    return kept;
  }

  /** The answer to a GET. @throws Error with words for a person, StrangeAnswerError */
  async ask(path: string): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      if (this.#restMs > 0) await this.#rest(this.#restMs);
      this.#restMs = 0;
      const headers = await this.account.headers(this.account.key, this.clock.nowMs());
      const answer = await this.#fetch(path, headers).catch((error: Error) => {
        if (error instanceof SourceError) throw error;
        if (error instanceof LargeAnswerError) throw new StrangeAnswerError(`${this.#at(path)}: ${error.message}`);
        if (tries < MOST_TRIES_UNREACHED) return null;
        throw new SourceError(
          "product",
          `${this.#title} does not answer at ${this.account.baseUrl} (${this.#safe(error.message)}).`,
        );
      });
      const askedMs = answer ? waitMsIn(answer.headers, this.clock.nowMs()) : 0;
      if (answer?.ok) {
        if (isUsedUp(answer.headers)) this.#restMs = askedMs || SECOND_MS;
        if (answer.body !== undefined) return answer.body;
        throw new StrangeAnswerError(`${this.#at(path)} answers something that is not JSON.`);
      }
      const mayPass = answer === null || answer.status === 429 || answer.status >= 500;
      if (answer && (!mayPass || tries === MOST_TRIES)) throw this.#refusal(answer, path);
      this.#restMs = askedMs || backOffMs(tries);
    }
  }

  get #title(): string {
    return this.account.title;
  }

  async #fetch(path: string, headers: KeyHeaders): Promise<SourceAnswer> {
    const response = await this.fetched(this.account.baseUrl + path, {
      headers: { accept: "application/json", ...headers },
      signal: this.clock.timeout(MAX_WAIT_MS),
    });
    const text = await responseText(response, MAX_ANSWER_BYTES);
    return { ok: response.ok, status: response.status, headers: response.headers, body: jsonIn(text) };
  }

  async #rest(ms: number): Promise<void> {
    if (ms > LONGEST_PAUSE_MS)
      throw new SourceError(
        "product",
        `${this.#title} asks for a pause of ${Math.ceil(ms / MINUTE_MS)} minutes. Go on after that.`,
      );
    await this.pause(ms);
  }

  #refusal({ status, headers, body }: SourceAnswer, path: string): SourceError {
    const [at, said] = [this.#at(path), this.#saidIn(fieldsOf(body))];
    const keyRefused = `${this.#title} refuses the key for ${at} (${status}${said}). ${this.account.keyHint}`;
    if (status === 401 || status === 403) return new SourceError("key", keyRefused);
    if (status === 404) return new SourceError("baseUrl", `There is nothing at ${at} (404${said}). ${BASE_URL}`);
    if (status >= 400) return new SourceError("product", `${this.#title} answers ${at} with ${status}${said}.`);
    const to = URL.parse(headers.get("location") ?? "", this.account.baseUrl);
    const where = to ? `: to ${to.origin}${to.pathname}` : "";
    return new SourceError("baseUrl", `${at} leads elsewhere${where}. ${BASE_URL}`);
  }

  /** `: its own words`, if it has some. */
  #saidIn({ message, detail, error, errors }: AnswerFields): string {
    const [first] = Array.isArray(errors) ? errors : [];
    const words = [message, detail, fieldsOf(error)["message"], error, fieldsOf(first)["message"]];
    const said = words.map(textOf).find((one) => one !== "");
    return said === undefined ? "" : `: ${this.#safe(said).slice(0, MAX_WORDS)}`;
  }

  /** Without the query. */
  #at(path: string): string {
    return this.account.baseUrl + path.split("?")[0];
  }

  /** Without the key, which a product may repeat. */
  #safe(text: string): string {
    return text.replaceAll(this.account.key, "…");
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BASE_URL = "Is its address right?";

const [REMAINING, RESET] = ["remaining", "reset"].map((what) =>
  ["x-ratelimit-", "ratelimit-", "x-sib-ratelimit-"].map((name) => name + what),
) as [string[], string[]];

/** The call was the last that the product takes for now. */
function isUsedUp(headers: Headers): boolean {
  return REMAINING.some((name) => headers.get(name)?.trim() === "0");
}

/** How long the product asks to wait; 0 = it does not say. */
function waitMsIn(headers: Headers, nowMs: number): number {
  const said = ["retry-after", ...RESET].map((name) => headers.get(name)).find((one) => one !== null) ?? null;
  const moment = Number(said);
  if (moment < EPOCH_SECONDS || Number.isNaN(moment)) return retryAfterMs(said, nowMs);
  return Math.max(0, (moment < EPOCH_MS ? moment * 1000 : moment) - nowMs);
}

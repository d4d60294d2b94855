// Calls to a server's API, for verbs that may run on any machine.
import { readFileSync } from "node:fs";
import { remoteFrom } from "../../base/config.ts";
import type { VerbCall, VerbOptions } from "./verb.ts";

const STANDARD_URL = "http://127.0.0.1:8484";
const STANDARD_WAIT_MS = 60_000;

export const REMOTE_OPTIONS: VerbOptions = {
  url: { value: "URL", help: `The server (default: POSTHORN_URL, or ${STANDARD_URL})` },
  key: { value: "KEY", help: "A secret key (default: POSTHORN_KEY, which other users of this machine cannot see)" },
  "key-file": { value: "FILE", help: "A file with the secret key" },
  json: { help: "Print JSON, for programs" },
};

/** `waitMs`: how long an answer may take; a minute unless given. */
export type Remote = { readonly url: string; readonly key: string; readonly waitMs?: number };

/** The server does not answer or is too busy: the same call may succeed later. */
export class AwayError extends Error {
  override readonly name = "AwayError";
}

/** A refusal by the server. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(
    message: string,
    readonly status: number,
    /** The refusal as the server has answered it. */
    readonly details: NonNullable<ErrorAnswer>["error"] = {},
  ) {
    super(message);
  }
}

/** @throws Error without a key */
export function remoteOf(call: VerbCall): Remote {
  const { url, key } = remoteFrom(call.io.env);
  const file = call.text("key-file");
  const inFile = file === undefined ? undefined : readFileSync(file, "utf8").trim();
  return remoteAt(call.text("url") ?? url, call.text("key") ?? inFile ?? key);
}

/** @throws Error without a key, or for an invalid URL */
export function remoteAt(url: string = STANDARD_URL, key: string | undefined): Remote {
  if (!key) throw new Error("This needs a secret key: set POSTHORN_KEY, or add --key.");
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new Error(`The server's URL begins with http:// or https://, and “${url}” does not.`);
  return { url: url.replace(/\/+$/, ""), key };
}

/** `route`: "POST /v1/send"; `body`: a form, or fields; `once`: its Idempotency-Key. @throws AwayError, RefusedError */
export async function askRemote<Answer>(remote: Remote, route: string, body?: object, once?: string): Promise<Answer> {
  const [method = "GET", path = ""] = route.split(" ");
  const isForm = body instanceof FormData;
  const response = await reach(remote, path, {
    method,
    headers: {
      authorization: `Bearer ${remote.key}`,
      ...(body && !isForm ? { "content-type": "application/json" } : {}),
      ...(once === undefined ? {} : { "idempotency-key": once }),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(remote.waitMs ?? STANDARD_WAIT_MS),
  });
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as Answer;
  const message = messageIn(answer) ?? `${remote.url} answered ${response.status}, and is perhaps not Posthorn.`;
  throw response.status === 429 || response.status >= 500
    ? new AwayError(message)
    : new RefusedError(message, response.status, (answer as ErrorAnswer)?.error);
}

async function reach({ url }: Remote, path: string, init: RequestInit): Promise<Response> {
  try {
    // Bun's own limit of five minutes is off: `init` has one.
    return await fetch(url + path, { ...init, timeout: false });
  } catch (error) {
    throw new AwayError(`Nobody answers at ${url} (${(error as Error).message}).`);
  }
}

export type RefusedField = {
  readonly field?: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
};

type ErrorAnswer = {
  readonly error?: {
    readonly message?: string;
    readonly reason?: string;
    readonly suggestion?: string;
    readonly errors?: readonly RefusedField[];
  };
} | null;

function messageIn(answer: unknown): string | null {
  const { message, suggestion, errors = [] } = (answer as ErrorAnswer)?.error ?? {};
  if (message === undefined) return null;
  const fields = errors.map((one) => `  ${[one.field, one.message].filter(Boolean).join(": ")}`);
  return [message, ...fields, ...(suggestion ? [suggestion] : [])].join("\n");
}

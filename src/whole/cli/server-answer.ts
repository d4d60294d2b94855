// The answer of the running server to GET /ready, for verbs beside it.
import { ownAddress } from "../../base/config.ts";
import type { ServerAnswer } from "../../operator/operation/status.ts";
import type { VerbCall } from "./verb.ts";

const MAX_WAIT_MS = 5_000;

type Body = {
  readonly version?: string;
  readonly uptimeSeconds?: number;
  readonly relay?: string;
  readonly stream?: string | null;
  readonly waysAway?: readonly string[];
  readonly error?: { readonly message: string; readonly errors?: readonly unknown[] };
};

export type ServerResponse = { readonly answer: ServerAnswer; readonly body: Body };

/** @throws Error if the port cannot be known */
export async function askServer(call: Pick<VerbCall, "config">): Promise<ServerResponse> {
  const { http } = call.config();
  if (http.port === 0) throw new Error("The port is not known: http.port is 0, which means any free one.");
  const url = `${ownAddress(http)}/ready`;
  try {
    // The certificate is for the public name, not for this address; nothing secret is sent.
    const response = await fetch(url, {
      signal: AbortSignal.timeout(MAX_WAIT_MS),
      tls: { rejectUnauthorized: false },
    });
    const body = (await response.json()) as Body;
    return { body, answer: { ...answerOf(response.ok, body, `${url} does not say why.`), isThere: true } };
  } catch (error) {
    return { body: {}, answer: answerOf(false, {}, `nobody answers at ${url} (${(error as Error).message})`) };
  }
}

function answerOf(
  ready: boolean,
  { version, uptimeSeconds, relay, stream, waysAway = [], error }: Body,
  otherwise: string,
): ServerAnswer {
  return {
    isThere: ready,
    ready,
    problem: ready ? null : (error?.message ?? otherwise),
    version: version ?? null,
    uptimeSeconds: uptimeSeconds ?? null,
    relay: relay ?? null,
    stream: stream ?? null,
    waysAway: waysAway.map((name) => ({ name })),
  };
}

/** As `askServer`; an unknown port is reported as the problem. */
export async function serverAnswer(call: VerbCall): Promise<ServerAnswer> {
  try {
    return (await askServer(call)).answer;
  } catch (error) {
    return answerOf(false, {}, (error as Error).message);
  }
}

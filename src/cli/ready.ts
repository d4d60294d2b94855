// `posthorn ready`: whether the server on this machine can do its work, for health checks of containers and for scripts.
import { ownAddress } from "../config.ts";
import { printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";

export const READY: Verb = {
  name: "ready",
  summary: "Asks the running server whether it is ready; exit code 0 if it is, else 1 and the reason",
  notes: ["It asks GET /ready at the address of the configuration, for five seconds at most."],
  options: JSON_OPTION,
  run: ready,
};

const MAX_WAIT_MS = 5_000;

type Answer = { readonly version?: string; readonly error?: { readonly message: string; readonly errors?: unknown } };

async function ready(call: Call): Promise<number> {
  const url = `${addressOf(call)}/ready`;
  const { isReady, answer } = await ask(url);
  const { message = `${url} does not say why.`, errors = [] } = answer.error ?? {};
  if (isReady) printOne(call, { ready: true, ...answer }, () => "ready");
  else if (call.flag("json")) call.io.out(JSON.stringify({ ready: false, message, errors }));
  else call.io.err(`not ready: ${message}`);
  return isReady ? 0 : 1;
}

/** @throws Error if nobody can know the port */
function addressOf(call: Call): string {
  const { http } = call.config();
  if (http.port === 0) throw new Error("The port is not known: http.port is 0, which means any free one.");
  return ownAddress(http);
}

async function ask(url: string): Promise<{ readonly isReady: boolean; readonly answer: Answer }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(MAX_WAIT_MS) });
    return { isReady: response.ok, answer: (await response.json()) as Answer };
  } catch (error) {
    const message = `nobody answers at ${url} (${(error as Error).message})`;
    return { isReady: false, answer: { error: { message } } };
  }
}

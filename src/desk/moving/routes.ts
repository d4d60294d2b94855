// /contacts/import-from: copies an account of another product, some pages a call. The caller keeps the state of the
// move between the calls: neither it nor the product's key is stored here.
import { networkInterfaces } from "node:os";
import { AppError, invalidField } from "../../base/errors.ts";
import type { Ground } from "../../ground/ground.ts";
import type { ClientAddresses, ClientRequest } from "../../http/client-address.ts";
import { reach } from "../../programs/webhooks/sending/exchange.ts";
import { machineLookUp, type LookUp, type TargetRules } from "../../programs/webhooks/sending/target.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { SourceCalls, SourceError, type SourceFetch } from "./calls.ts";
import { moveOn } from "./move.ts";
import { addressOf, isKey, PRODUCTS } from "./products.ts";
import { progressShape, stepShape, type MoveState } from "./record.ts";
import { reportText } from "./report.ts";
import { MoveServer, RefusedCallError, type OwnCall } from "./server.ts";
import type { MoveSource } from "./source.ts";
import { newState, otherMove } from "./state.ts";

/**
 * A call waits so long by itself, and then leaves it to the caller: many proxies cut off requests after a minute. A
 * page of Resend takes 50 calls, at two a second.
 */
const MOST_WAIT_MS = 40_000;
/** A product may be as slow as it likes, but not for longer. */
const MOST_MS = 100_000;
const IDLE_TIMEOUT_SECONDS = 120;
/** A workspace makes one call at a time: each holds pages of the product in memory. */
const BUSY_SECONDS = 2;

/** The caller is to wait, and then to call again. */
class PauseError extends Error {
  constructor(readonly ms: number) {
    super("A pause is due.");
  }
}

type MoveServices = {
  /** Answers a request as over the network. */
  readonly answer: (request: Request) => Promise<Response>;
  readonly lookUp?: LookUp | undefined;
};

export function moveRoutes(
  { clock, config }: Ground,
  access: Access,
  { answer, lookUp = machineLookUp }: MoveServices,
) {
  const rules = { allow: config.webhooks.allow, lookUp, interfaces: networkInterfaces };
  const busy = new Set<string>();
  const step = route(
    "POST",
    "/contacts/import-from",
    {
      name: "importFrom",
      summary: "Copy an account of another product, some pages a call",
      answers: { 200: progressShape },
      permission: "people.bulk",
      body: stepShape,
      harmless: true,
      refuses: ["CONFLICT"],
      description:
        "Call it again with the `state` of the answer until `finishedAt` is set, and wait for `waitSeconds` before. A call may be repeated: nothing comes twice. " +
        "The product is called as webhooks are, so an address in a private network needs `[webhooks] allow`. What is written is written as by calls of the caller's own.",
    },
    async ({ body, caller, request, server }) => {
      server?.timeout(request, IDLE_TIMEOUT_SECONDS);
      const source: MoveSource = PRODUCTS[body.product];
      if (!isKey(body.key)) throw invalidField("key", "A key is one line of letters, digits and signs.");
      const isDry = body.dryRun === true;
      return withWords(async () => {
        const from = addressOf(source, body.key, body.baseUrl ?? null);
        const about = { product: body.product, from, into: caller.workspaceId };
        const begun = body.state ?? newState(about, clock.nowMs());
        const other = otherMove(begun, about);
        if (other !== null) throw invalidField("state", `This ${other}.`);
        const pause = briefPause();
        if (busy.has(about.into)) return { state: begun, waitSeconds: BUSY_SECONDS, report: null };
        const fetched = guarded(rules, clock.timeout(MOST_MS));
        const calls = new SourceCalls({ ...source, key: body.key, baseUrl: from }, clock, pause, fetched);
        const own = new MoveServer(ownCalls({ request, server }, answer, access.clients), pause, isDry);
        busy.add(about.into);
        const { state, waitSeconds } = await stepOrWait(begun, () =>
          moveOn({ source, calls, server: own, clock, enough: 1 }, begun),
        ).finally(() => busy.delete(about.into));
        const report = state.finishedAt === null ? null : reportText(state, { title: source.title, isDry });
        return { state, waitSeconds, report };
      });
    },
  );
  return routes(access, [step]);
}

function briefPause() {
  let waited = 0;
  return async (ms: number) => {
    waited += ms;
    if (waited > MOST_WAIT_MS) throw new PauseError(ms);
    await Bun.sleep(ms);
  };
}

async function stepOrWait(begun: MoveState, step: () => Promise<MoveState>) {
  try {
    return { state: await step(), waitSeconds: null };
  } catch (error) {
    if (!(error instanceof PauseError)) throw error;
    return { state: begun, waitSeconds: Math.ceil(error.ms / 1000) };
  }
}

/** @throws AppError in the words of the product, or of the call that was refused */
async function withWords<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError && error.field === "product") throw new AppError("CONFLICT", error.message);
    if (error instanceof SourceError) throw invalidField(error.field, error.message, "source");
    if (error instanceof RefusedCallError)
      throw new AppError(error.status === 403 ? "FORBIDDEN" : "CONFLICT", error.message);
    throw error;
  }
}

/** By the addresses that webhooks may call, until `over` ends. */
function guarded(rules: TargetRules, over: AbortSignal): SourceFetch {
  return async (url, { headers, signal }) => {
    const request = { url: new URL(url), method: "GET", headers, body: null, contentType: "" } as const;
    const response = await reach(request, () => ({}), rules, AbortSignal.any([signal, over]));
    if (over.aborted) throw new SourceError("product", "The product takes too long to answer. Go on later.");
    if (!("kind" in response)) return response;
    const reason = response.kind === "answered" ? "" : response.reason;
    throw response.kind === "refused" ? new SourceError("baseUrl", reason) : new Error(reason);
  };
}

/** Header fields about the body that was sent: calls with another body do not take them over. */
const ABOUT_BODY = ["content-length", "content-type", "transfer-encoding", "idempotency-key"];

/** Calls with what the request says of its caller, and from where it comes. */
function ownCalls(asked: ClientRequest, answer: MoveServices["answer"], clients: ClientAddresses): OwnCall {
  const { headers: given, url } = asked.request;
  const { origin } = new URL(url);
  return async (call, body, once) => {
    const [method = "GET", path = ""] = call.split(" ");
    const headers = new Headers(given);
    for (const name of ABOUT_BODY) headers.delete(name);
    if (body && !(body instanceof FormData)) headers.set("content-type", "application/json");
    if (once !== undefined) headers.set("idempotency-key", once);
    const sent = body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) };
    const inner = new Request(origin + path, { method, headers, ...sent });
    clients.noteInner(inner, asked);
    const response = await answer(inner);
    return { status: response.status, body: await response.json().catch(() => null) };
  };
}

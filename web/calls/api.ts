// Calls to the API: the same routes that programs call, authorised by the session's cookie, in the chosen workspace.
import { contentOf, requestOf, type Input } from "./request.ts";
import type { AnswerOf, CallOptions, InputOf, ReadAs, Route } from "./routes.ts";
import { signal } from "../base/signal.ts";

/** The server's error. */
export class Fault extends Error {
  override readonly name = "Fault";

  constructor(
    /** 0: no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly suggestion: string = "",
    readonly requestId: string = "",
    /** The faults of the body; `field` is a path such as `data.plan`. */
    readonly errors: readonly FieldFault[] = [],
    /** The refusal within the code, and the values that its message names. */
    readonly why: RefusalReason = {},
  ) {
    super(message);
  }
}

type RefusalReason = { readonly reason?: string; readonly values?: Readonly<Record<string, string>> };
export type FieldFault = {
  readonly field: string;
  readonly message: string;
  readonly code?: string;
  /** The place in a text of several lines; both count from 1. */
  readonly line?: number;
  readonly column?: number;
};

/** The workspace of all calls. */
export const workspaceId = signal<string | null>(null);

type ProofPrompt = () => Promise<boolean>;
let askForProof: ProofPrompt = async () => false;

/** Prompts for a fresh proof; set by the frame. */
export function setProofPrompt(ask: ProofPrompt): void {
  askForProof = ask;
}

/** The user of all calls; the server refuses them once another user is signed in in this browser. */
export const userId = signal<string | null>(null);

let askToSignIn: (() => Promise<void>) | null = null;

/** Prompts for signing in again, and resolves once that user is signed in; set by the frame. */
export function setSignInPrompt(ask: (() => Promise<void>) | null): void {
  askToSignIn = ask;
}

const WORKSPACE = "X-Workspace";
const USER = "X-User";
const READ_PATIENCE_MS = 20_000;
const WRITE_PATIENCE_MS = 120_000;

/** Asks for a fresh proof unless the session has one: before a call that cannot be repeated. True = there is one. */
export async function proveFirst(): Promise<boolean> {
  const { session } = await call("GET /me");
  return session.provenUntil !== null || askForProof();
}

/** Repeats a call that needs a session, or a fresh proof, once there is one. */
async function repeated(request: Request, patience: () => AbortSignal): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request, { signal: AbortSignal.any([request.signal, patience()]) });
  if (response.status !== 401 && response.status !== 403) return response;
  const code = await codeOf(response.clone());
  if (code === "PROOF_NEEDED") return (await askForProof()) ? repeated(again, patience) : response;
  if (!ENDED.includes(code) || !askToSignIn || isOfSession(request)) return response;
  await askToSignIn();
  return repeated(again, patience);
}

const ENDED: readonly string[] = ["MISSING_AUTH", "SESSION_ENDED"];
const isOfSession = ({ url }: Request) => new URL(url).pathname === "/session";

async function codeOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  return body.error?.code ?? "";
}

/** Adds the headers of the user and the workspace. */
export function named(request: Request): Request {
  const [workspace, user] = [workspaceId.get(), userId.get()];
  if (workspace && !request.headers.has(WORKSPACE)) request.headers.set(WORKSPACE, workspace);
  if (user) request.headers.set(USER, user);
  return request;
}

function asUser(request: Request, isFile: boolean): Promise<Response> {
  const patienceMs = request.method === "GET" ? READ_PATIENCE_MS : WRITE_PATIENCE_MS;
  return repeated(named(request), () => (isFile ? new AbortController().signal : AbortSignal.timeout(patienceMs)));
}

/** Uploads and downloads of files have no time limit. */
const isOfFile = ({ body, parseAs }: Input) => body instanceof FormData || parseAs === "blob";

type As = keyof ReadAs | "json";
type ParsedAnswer<R extends Route, How extends As> = How extends keyof ReadAs ? ReadAs[How] : AnswerOf<R>;
type CallOf<R extends Route, How extends As> = InputOf<R> & CallOptions & { readonly parseAs?: How };

/** `call("PATCH /topics/{id}", { id, body })`: the answer. @throws Fault */
export async function call<R extends Route, How extends As = "json">(
  route: R,
  ...[given]: object extends InputOf<R> ? [given?: CallOf<R, How>] : [given: CallOf<R, How>]
): Promise<ParsedAnswer<R, How>> {
  const input: Input = given ?? {};
  return (await answerOf(asUser(requestOf(route, input), isOfFile(input)), input.parseAs)) as ParsedAnswer<R, How>;
}

/** The content of the response. @throws Fault */
export async function answerOf(asked: Promise<Response>, kind?: Input["parseAs"]): Promise<unknown> {
  try {
    const response = await asked;
    if (response.ok) return await contentOf(response, kind);
    throw faultOf(response, (await response.json().catch(() => undefined)) as ErrorBody | undefined);
  } catch (cause) {
    throw cause instanceof Fault ? cause : withoutAnswer(cause);
  }
}

type ErrorBody = {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly suggestion?: string;
    readonly requestId?: string;
    readonly errors?: readonly FieldFault[];
  } & RefusalReason;
};

function withoutAnswer(cause: unknown): Fault {
  if (cause instanceof SyntaxError) return new Fault(BAD_GATEWAY, "UNREADABLE", "The answer could not be read.");
  const isLate = cause instanceof DOMException && cause.name === "TimeoutError";
  return new Fault(0, isLate ? "TOO_LATE" : "NO_ANSWER", "The server does not answer.");
}

const BAD_GATEWAY = 502;

function faultOf(response: Response, body: ErrorBody | undefined): Fault {
  const error = body?.error ?? { code: "", message: response.statusText };
  return new Fault(response.status, error.code, error.message, error.suggestion, error.requestId, error.errors, error);
}

/** Whether signing in again would help. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Fault && error.status === 401 && ENDED.includes(error.code);
}

// Calls to the API: the same routes that programs call, authorised by the session's cookie, in the chosen workspace.
import createClient from "openapi-fetch";
import type { paths } from "./api.gen.ts";
import { signal } from "./signal.ts";

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
    /** By field: `data.plan`. */
    readonly errors: readonly FieldFault[] = [],
    /** Which refusal of the code it is, and what it names. */
    readonly why: Why = {},
  ) {
    super(message);
  }
}

type Why = { readonly reason?: string; readonly values?: Readonly<Record<string, string>> };
export type FieldFault = {
  readonly field: string;
  readonly message: string;
  readonly code?: string;
  /** In a text of several lines; both count from 1. */
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

const PROOF = "PROOF_NEEDED";
const WORKSPACE = "X-Workspace";

/** Repeats a call once it has the fresh proof it needs. */
async function withProof(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  if (response.status !== 403) return response;
  const { error } = (await response.clone().json()) as ErrorBody;
  return error?.code === PROOF && (await askForProof()) ? fetch(again) : response;
}

function inWorkspace(request: Request): Promise<Response> {
  const workspace = workspaceId.get();
  if (workspace && !request.headers.has(WORKSPACE)) request.headers.set(WORKSPACE, workspace);
  return withProof(request);
}

export const api = createClient<paths>({ baseUrl: location.origin, credentials: "same-origin", fetch: inWorkspace });

type ErrorBody = {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly suggestion?: string;
    readonly requestId?: string;
    readonly errors?: readonly FieldFault[];
  } & Why;
};

type Call<Data> = Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>;

/** The answer of a call: `await unwrap(api.GET("/emails", …))`. @throws Fault */
export async function unwrap<Data>(call: Call<Data>): Promise<Data> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof Fault ? cause : new Fault(0, "NO_ANSWER", "The server does not answer.");
  });
  if (response.ok) return data as Data;
  throw faultOf(response, error as ErrorBody | undefined);
}

function faultOf(response: Response, body: ErrorBody | undefined): Fault {
  const error = body?.error ?? { code: "", message: response.statusText };
  return new Fault(response.status, error.code, error.message, error.suggestion, error.requestId, error.errors, error);
}

/** Whether signing in again would help. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Fault && error.status === 401 && ["MISSING_AUTH", "SESSION_ENDED"].includes(error.code);
}

// Calls to the API: the same routes that programs call, authorised by the session's cookie, in the chosen workspace.
import createClient from "openapi-fetch";
import type { paths } from "./api.gen.ts";
import { signal } from "./signal.ts";

/** What the server refused, in its own words. */
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

/** The id of the workspace that calls go to. */
export const calledWorkspace = signal<string | null>(null);

type Prove = () => Promise<boolean>;
let prove: Prove = async () => false;

/** Asks the person to prove who they are; set by the frame. */
export function setProve(ask: Prove): void {
  prove = ask;
}

const PROOF = "PROOF_NEEDED";
const WORKSPACE = "X-Workspace";

/** A call that wants a fresh proof is repeated once there is one. */
async function proven(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  if (response.status !== 403) return response;
  const { error } = (await response.clone().json()) as ErrorBody;
  return error?.code === PROOF && (await prove()) ? fetch(again) : response;
}

function inWorkspace(request: Request): Promise<Response> {
  const workspace = calledWorkspace.get();
  if (workspace && !request.headers.has(WORKSPACE)) request.headers.set(WORKSPACE, workspace);
  return proven(request);
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

type Asked<Data> = Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>;

/** The answer of a call: `await told(api.GET("/emails", …))`. @throws Fault */
export async function unwrap<Data>(asked: Asked<Data>): Promise<Data> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw cause instanceof Fault ? cause : new Fault(0, "NO_ANSWER", "The server does not answer.");
  });
  if (response.ok) return data as Data;
  throw faultOf(response, error as ErrorBody | undefined);
}

function faultOf(response: Response, body: ErrorBody | undefined): Fault {
  const error = body?.error ?? { code: "", message: response.statusText };
  return new Fault(response.status, error.code, error.message, error.suggestion, error.requestId, error.errors, error);
}

/** True where signing in is the way on. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Fault && error.status === 401 && ["MISSING_AUTH", "SESSION_ENDED"].includes(error.code);
}

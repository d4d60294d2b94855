// The forms of answers: the public envelope and the error body (docs/api.md).
import { AppError, type ErrorCode } from "../base/errors.ts";

export function success<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data };
}

const UNKNOWN_ID = "Check the id: records of other workspaces are not shown.";

const SUGGESTIONS: Partial<Record<ErrorCode, string>> = {
  INVALID_JSON: "Send a JSON body in UTF-8 and check its commas, quotes and braces.",
  INVALID_MULTIPART: "Send the file as multipart/form-data in a field named file, to its end.",
  INVALID_PARAMETERS: "Correct the parameters named in errors.",
  RECIPIENT_SUPPRESSED: "Lift the suppression, if the person wants your email: GET /suppressions?address= shows it.",
  CONTACT_UNSUBSCRIBED: "Send marketing email to subscribed contacts only, or use a TRANSACTIONAL template.",
  CAMPAIGN_STATE: "Check the campaign's status: GET /campaigns/{id}.",
  NO_RECIPIENTS: "POST /campaigns/audience-preview shows who matches and why they would get nothing.",
  EMAIL_STATE: "Only an email that is still QUEUED can be taken back.",
  WORKFLOW_STATE: "Check the state that the message names.",
  WEBHOOK_STATE: "Check the state that the message names.",
  SEGMENT_NOT_STATIC: "Change the segment's condition, or use a STATIC segment.",
  MISSING_AUTH: "Send the header Authorization: Bearer <API_KEY>.",
  INVALID_API_KEY: "Check the key. Secret keys start with sk_; public keys (pk_) are accepted by POST /v1/track only.",
  WORKSPACE_DISABLED: "Ask the operator of this server to enable the workspace.",
  DOMAIN_NOT_VERIFIED: "Add the domain, publish its DNS records and verify it, or send from a verified domain.",
  DOMAIN_NOT_ALLOWED: "Use a key whose domains include the sender's, or send from a domain of this key.",
  SESSION_ENDED: "Sign in again.",
  SIGN_IN_FAILED: "Check the address and the password. The operator can print a new link: posthorn user link ADDRESS.",
  PASSKEY_NEEDED: "Send the answer of a passkey with the password: POST /session/passkey-options.",
  CODE_NEEDED: "Send the code of the authenticator app, or a recovery code, with the password.",
  FORBIDDEN: "Use a key that may do this, or ask somebody whose role may.",
  CROSS_SITE: "Open the pages of this server under its base_url.",
  PROOF_NEEDED:
    "Send the password (with a code, if one is asked for) or a passkey to POST /session/proof, then repeat the request.",
  LINK_NOT_FOUND: "A link works once and for a limited time. Ask for a new one.",
  MARKETING_STOPPED: "Check GET /workspace/health; remove addresses that bounce, and email only people who want it.",
  ROUTE_NOT_FOUND: "Check the method and the path.",
  METHOD_NOT_ALLOWED: "Use one of the methods in the header Allow.",
  CONFLICT: "Check the record that conflicts with this one.",
  IDEMPOTENCY_KEY_REUSED: "Use a new Idempotency-Key for another request.",
  IDEMPOTENCY_KEY_IN_USE: "Wait for the first request with this key to be answered.",
  PAYLOAD_TOO_LARGE: "Send less in one request.",
  VALIDATION_ERROR: "Correct the fields named in errors.",
  RATE_LIMIT_EXCEEDED: "Wait for the time in Retry-After, then send requests more slowly.",
  SERVER_BUSY: "Repeat the request after the time in Retry-After, and send fewer large bodies at once.",
  STORE_UNAVAILABLE: "Repeat the request with its Idempotency-Key after the time in Retry-After.",
  NOTICE_EARLY: "Send it again a little later.",
  NOT_READY: "Send requests to another node until this one is ready; errors says what is missing.",
  INTERNAL_ERROR: "Try again. If the error persists, give the request id to the operator of this server.",
};

type ErrorBody = {
  readonly success: false;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly statusCode: number;
    readonly requestId: string;
    readonly reason?: string;
    readonly values?: Readonly<Record<string, string>>;
    readonly errors?: AppError["details"]["errors"];
    readonly suggestion: string;
  };
  readonly timestamp: string;
};

/** The body for `error`. Callers see no more than the content of an AppError. */
export function errorBody(error: AppError, requestId: string, timestamp: string): ErrorBody {
  const { code, message, status: statusCode, details } = error;
  const suggestion = details.suggestion ?? SUGGESTIONS[code] ?? UNKNOWN_ID;
  const errors = details.errors ? { errors: details.errors } : {};
  const { reason, values = {} } = details;
  const why = reason === undefined ? {} : { reason, values };
  return { success: false, error: { code, message, statusCode, requestId, ...why, ...errors, suggestion }, timestamp };
}

/** Continues when the caller has read the pieces so far, and ends when the caller is gone. */
export function streamed(pieces: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}

// The one error a caller may see. docs/api.md lists the codes.

export const STATUS_OF = {
  INVALID_JSON: 400,
  INVALID_MULTIPART: 400,
  INVALID_PARAMETERS: 400,
  CONTACT_UNSUBSCRIBED: 400,
  RECIPIENT_SUPPRESSED: 400,
  EMAIL_STATE: 400,
  WORKFLOW_STATE: 400,
  WEBHOOK_STATE: 400,
  SEGMENT_NOT_STATIC: 400,
  CAMPAIGN_STATE: 400,
  NO_RECIPIENTS: 400,
  MISSING_AUTH: 401,
  INVALID_API_KEY: 401,
  SESSION_ENDED: 401,
  SIGN_IN_FAILED: 401,
  PASSKEY_NEEDED: 401,
  CODE_NEEDED: 401,
  WORKSPACE_DISABLED: 403,
  DOMAIN_NOT_VERIFIED: 403,
  DOMAIN_NOT_ALLOWED: 403,
  FORBIDDEN: 403,
  CROSS_SITE: 403,
  PROOF_NEEDED: 403,
  MARKETING_STOPPED: 403,
  ROUTE_NOT_FOUND: 404,
  WORKSPACE_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  DOMAIN_NOT_FOUND: 404,
  CONTACT_NOT_FOUND: 404,
  TEMPLATE_NOT_FOUND: 404,
  EMAIL_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  ATTACHMENT_NOT_FOUND: 404,
  REPORT_NOT_FOUND: 404,
  IMAGE_NOT_FOUND: 404,
  BLOCK_NOT_FOUND: 404,
  TOPIC_NOT_FOUND: 404,
  FORM_NOT_FOUND: 404,
  SEGMENT_NOT_FOUND: 404,
  WORKFLOW_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  STEP_NOT_FOUND: 404,
  TRANSITION_NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  EXECUTION_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  MERGE_NOT_FOUND: 404,
  VIEW_NOT_FOUND: 404,
  NOTE_NOT_FOUND: 404,
  SUPPRESSION_NOT_FOUND: 404,
  CAMPAIGN_NOT_FOUND: 404,
  WAY_NOT_FOUND: 404,
  BRAKE_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  PASSKEY_NOT_FOUND: 404,
  IDENTITY_NOT_FOUND: 404,
  INVITATION_NOT_FOUND: 404,
  LINK_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  CONTENT_GONE: 410,
  RECIPIENTS_GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  VALIDATION_ERROR: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVER_BUSY: 503,
  STORE_UNAVAILABLE: 503,
  NOTICE_EARLY: 503,
  NOT_READY: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** One broken field. `field` is a dot path such as `to.0.email`. */
export type FieldError = {
  readonly field: string;
  readonly message: string;
  readonly code: string;
} & Partial<TextPosition>;

/** A place in a text of several lines; both count from 1. */
export type TextPosition = { readonly line: number; readonly column: number };

type ErrorDetails = {
  /**
   * Tells apart refusals with the same code, and names what the message names, for callers that word it differently.
   */
  readonly reason?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly suggestion?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** The methods that the path takes. */
  readonly allow?: readonly string[];
};

export class AppError extends Error {
  override readonly name = "AppError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }

  get status(): number {
    return STATUS_OF[this.code];
  }
}

/** A refusal as a value, so that others may go on; any other error is thrown. */
export function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** The result of `work`, or its refusal as `asRefusal` answers it. */
export function orRefused<Value>(work: () => Value): Value | AppError {
  try {
    return work();
  } catch (error) {
    return asRefusal(error);
  }
}

/** True if the request was fine and only the store is away: the same request works once the store is back. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof AppError && error.code === "STORE_UNAVAILABLE";
}

/** 422 for one field: the body could be read, but this part of it cannot be accepted. */
export function invalidField(
  field: string,
  message: string,
  code = "invalid",
  place: Partial<TextPosition> = {},
): AppError {
  return invalidFields([{ field, message, code, ...place }]);
}

/** 422 for several fields together. */
export function invalidFields(errors: readonly FieldError[]): AppError {
  return new AppError("VALIDATION_ERROR", fieldErrorsText(errors), { errors });
}

/** The resources that a workspace or a person may have a limited number of. */
type LimitName =
  | "hosts"
  | "views"
  | "notes"
  | "invitations"
  | "passkeys"
  | "images"
  | "domains"
  | "segments"
  | "workflows"
  | "webhooks"
  | "listeners"
  | "blocks"
  | "topics"
  | "forms"
  | "jobs"
  | "ways"
  | "rules";

/** 409: the limit of `most` for `what` is reached. */
export function limitReached(what: LimitName, most: number, message: string, suggestion: string): AppError {
  return new AppError("CONFLICT", message, {
    reason: "limit_reached",
    values: { what, most: String(most) },
    suggestion,
  });
}

/** @throws AppError VALIDATION_ERROR if there are errors */
export function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidFields(errors);
}

type ReadValues<Parts> = { [Part in keyof Parts]: Parts[Part] extends () => infer Value ? Value : never };

/**
 * Reads each part of a body for what it means.
 * @throws AppError VALIDATION_ERROR with the faults of all parts together
 */
export function readAll<Parts extends Record<string, () => unknown>>(parts: Parts): ReadValues<Parts> {
  const read: Record<string, unknown> = {};
  const faults: FieldError[] = [];
  for (const name in parts) read[name] = readOne(parts[name] as () => unknown, faults);
  refuse(faults);
  return read as ReadValues<Parts>;
}

/** A list of a million wrong items is one mistake. */
const MOST_ERRORS = 100;

/**
 * Reads each item of a list for what it means.
 * @throws AppError VALIDATION_ERROR with the faults of all items together, but no more than 100
 */
export function readEach<Item, Value>(items: readonly Item[], read: (item: Item, index: number) => Value): Value[] {
  const faults: FieldError[] = [];
  const values = items.map((item, index) => readOne(() => read(item, index), faults));
  refuse(faults.slice(0, MOST_ERRORS));
  return values as Value[];
}

/** The value; undefined if it cannot be read, and then its faults are added to `faults`. */
function readOne<Value>(read: () => Value, faults: FieldError[]): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError && error.details.errors)) throw error;
    faults.push(...error.details.errors);
    return undefined;
  }
}

/** 400 for a part of the request that is not its body: query, header, address. */
export function invalidParameter(field: string, message: string, code = "invalid"): AppError {
  return invalidParameters([{ field, message, code }]);
}

export function invalidParameters(errors: readonly FieldError[], suggestion?: string): AppError {
  return new AppError("INVALID_PARAMETERS", fieldErrorsText(errors), { errors, ...(suggestion ? { suggestion } : {}) });
}

function fieldErrorsText(errors: readonly FieldError[]): string {
  const first = errors[0];
  return errors.length === 1 && first ? `${first.field}: ${first.message}` : `${errors.length} fields are invalid.`;
}

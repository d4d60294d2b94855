// What can go wrong with a call, a class each.

export type FieldError = { readonly field?: string; readonly message: string };

type Details = {
  readonly status?: number;
  readonly code?: string;
  readonly suggestion?: string;
  readonly errors?: readonly FieldError[];
  readonly requestId?: string;
  readonly cause?: unknown;
};

/** The base of all errors of a call. */
export class PosthornError extends Error {
  override name = "PosthornError";
  /** Of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** Of the API, such as `DOMAIN_NOT_VERIFIED`. */
  readonly code: string | undefined;
  readonly suggestion: string | undefined;
  /** The fields that are wrong. */
  readonly errors: readonly FieldError[];
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(message: string, details: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.suggestion = details.suggestion;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
  }
}

/** There was no answer, or not in time. */
export class ConnectionError extends PosthornError {
  override name = "ConnectionError";
}

/** 400, 413, 422: the request is wrong. */
export class InvalidRequestError extends PosthornError {
  override name = "InvalidRequestError";
}

/** 401: the key is missing or wrong. */
export class AuthenticationError extends PosthornError {
  override name = "AuthenticationError";
}

/** 403: the key may not do this. */
export class PermissionError extends PosthornError {
  override name = "PermissionError";
}

/** 404, 410: there is no such record. */
export class NotFoundError extends PosthornError {
  override name = "NotFoundError";
}

/** 409: the record's state does not allow it, or the idempotency key was used for something else. */
export class ConflictError extends PosthornError {
  override name = "ConflictError";
}

/** 429: too many requests. */
export class RateLimitError extends PosthornError {
  override name = "RateLimitError";
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, details: Details & { readonly retryAfterSeconds?: number } = {}) {
    super(message, details);
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** 5xx: the server cannot answer now. */
export class ServerError extends PosthornError {
  override name = "ServerError";
}

/** A webhook that your server got is not signed with its secret, or is too old. */
export class WebhookSignatureError extends PosthornError {
  override name = "WebhookSignatureError";
}

const CLASSES: Readonly<Record<number, typeof PosthornError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

type ErrorBody = { readonly error?: Details & { readonly message?: string } } | undefined;

export async function errorOf(response: Response): Promise<PosthornError> {
  const { status, headers } = response;
  const { error } = ((await response.json().catch(() => undefined)) as ErrorBody) ?? {};
  const Kind = CLASSES[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
  const requestId = headers.get("x-request-id");
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new Kind(error?.message ?? `The server answered ${status}.`, {
    ...error,
    status,
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isNaN(retryAfter) ? {} : { retryAfterSeconds: retryAfter }),
  });
}

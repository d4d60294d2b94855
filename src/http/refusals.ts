// What a route may refuse, by code: what follows from its method and its key, and what it declares.
import type { ErrorCode } from "../errors.ts";
import { isAnsweredOnce, type Operation } from "./answers.ts";

const EVERYWHERE: readonly ErrorCode[] = ["INVALID_PARAMETERS", "INTERNAL_ERROR", "STORE_UNAVAILABLE"];
const WITH_KEY: readonly ErrorCode[] = ["MISSING_AUTH", "INVALID_API_KEY", "WORKSPACE_DISABLED", "RATE_LIMIT_EXCEEDED"];
export const WITH_BODY: readonly ErrorCode[] = ["INVALID_JSON", "PAYLOAD_TOO_LARGE", "VALIDATION_ERROR", "SERVER_BUSY"];
const ONCE: readonly ErrorCode[] = ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_IN_USE"];

export function refusedBy(operation: Operation): ErrorCode[] {
  const { method, declared } = operation;
  const hasKey = declared.key !== "none";
  const codes = [
    ...EVERYWHERE,
    ...(hasKey ? WITH_KEY : []),
    // A DELETE may carry a body as well, and it is read.
    ...(hasKey && method !== "GET" ? WITH_BODY : []),
    ...(isAnsweredOnce(operation) ? ONCE : []),
    ...(declared.refuses ?? []),
  ];
  return [...new Set(codes)];
}

// Faults of fields, under the names that another service has for them.
import type { AppError, FieldError } from "../../base/errors.ts";

/** The names of the service, by ours. */
export type FieldNames = Readonly<Record<string, string>>;

/** Undefined for a body that cannot be read: that fault is not in a field. */
export function faultsIn(names: FieldNames, { code, details }: AppError): readonly FieldError[] | undefined {
  if (code === "INVALID_JSON") return undefined;
  return details.errors?.map((one) => ({ ...one, field: renamed(names, one.field) }));
}

/** `emails.2.to` is named part by part. */
function renamed(names: FieldNames, field: string): string {
  const parts = field.split(".");
  return parts.map((part) => (Object.hasOwn(names, part) ? names[part] : part)).join(".");
}

/** All of them: such answers have one message. */
export function messageIn(names: FieldNames, error: AppError): string {
  const faults = faultsIn(names, error)?.map(({ field, message }) => `${field}: ${message}`);
  return faults?.join(" ") ?? error.message;
}

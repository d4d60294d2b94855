// An address in a request: in its stored form, or the field error that says why not.
import { parseAddress } from "../addresses.ts";
import { invalidField, type AppError } from "../errors.ts";

/** @throws AppError VALIDATION_ERROR on `field` */
export function requiredAddress(field: string, text: string): string {
  const address = parseAddress(text);
  if (!address) throw noAddress(field);
  return address;
}

/** Null and undefined as they are. @throws AppError VALIDATION_ERROR on `field` */
export function optionalAddress<None extends null | undefined>(field: string, text: string | None): string | None {
  return typeof text === "string" ? requiredAddress(field, text) : text;
}

export function noAddress(field: string): AppError {
  return invalidField(field, "This is not an e-mail address.", "invalid_email");
}

// An address in a request: in its stored form, or the field error that says why not.
import { parseAddress } from "../addresses.ts";
import { invalidField } from "../errors.ts";

/** @throws AppError VALIDATION_ERROR on `field` */
export function requiredAddress(field: string, text: string): string {
  const address = parseAddress(text);
  if (!address) throw invalidField(field, "This is not an e-mail address.", "invalid_email");
  return address;
}

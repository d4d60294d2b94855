// Marketing mail needs a postal address in many countries: the answer says so where it is sent without one.
import { noteWarning } from "../../http/body-notes.ts";
import type { Caller } from "./caller.ts";

const MESSAGE =
  "This is marketing email, and the workspace has no postal address for its footer. Many countries require one: set it with PATCH /workspace, or in the web interface under Settings → General.";

/** `body`: of the request that is answered. */
export function warnWithoutAddress({ hasPostalAddress }: Pick<Caller, "hasPostalAddress">, body: object): void {
  if (!hasPostalAddress) noteWarning(body, { field: "postalAddress", message: MESSAGE });
}

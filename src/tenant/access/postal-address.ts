// Many countries require a postal address in marketing mail: the answer warns if it is sent without one.
import { noteWarning } from "../../http/body/body-notes.ts";
import type { Caller } from "./caller.ts";

const MESSAGE =
  "This is marketing email, and the workspace has no postal address for its footer. Many countries require one: set it with PATCH /workspace, or in the web interface under Settings → General.";

/** `body`: that of the request. */
export function warnWithoutAddress({ hasPostalAddress }: Pick<Caller, "hasPostalAddress">, body: object): void {
  if (!hasPostalAddress) noteWarning(body, { field: "postalAddress", message: MESSAGE });
}

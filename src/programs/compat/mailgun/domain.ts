// The domain in a path: it must be the workspace's, and in the scope of the key.
import { parseDomainName } from "../../../base/addresses.ts";
import { AppError } from "../../../base/errors.ts";
import type { Reader } from "../../../store/store.ts";
import { domainsNamed, type Domain } from "../../../tenant/domains/queries.ts";
import type { CompatRequest } from "../own-calls.ts";

/** @throws AppError DOMAIN_NOT_FOUND */
export async function domainMeant(
  reader: Reader,
  { params, caller }: Pick<CompatRequest, "params" | "caller">,
): Promise<Domain> {
  const name = parseDomainName(params["domain"] ?? "");
  const isInScope = name !== null && (caller.domains === null || caller.domains.includes(name));
  const [found] = isInScope ? await domainsNamed(reader, name, caller.workspace) : [];
  if (!found) throw new AppError("DOMAIN_NOT_FOUND", `Domain not found: ${(params["domain"] ?? "").slice(0, 100)}`);
  return found;
}

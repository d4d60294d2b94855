// The host that a workspace has to itself, for links, pixels, pages and images.
import { isIP } from "node:net";
import { compatHosts, ownName, type Config } from "../../base/config.ts";
import { AppError, invalidField, limitReached } from "../../base/errors.ts";
import { domainName } from "../../http/body/address-field.ts";
import type { Tx } from "../../store/store.ts";
import { refuseSavedSince, timeOfSaving, type SaveTerms } from "../../tenant/access/saving.ts";
import { linkHostSetAt, lockWorkspace, setLinkHostAt } from "../../tenant/workspaces/queries.ts";
import { HOSTS, isHeld } from "./check.ts";
import { claimOf, dropCurrent, hostsOf, insertHost, makeCurrent } from "./queries.ts";

type HostInput = Pick<SaveTerms, "ifUpdatedAt"> & { readonly host: string };

/** Includes the hosts in links of sent mails: each may need a certificate. */
const MAX_HOSTS = 5;

/**
 * Sets the host of a workspace; its first check is due soon. The one before stays for links that were sent.
 * @throws AppError VALIDATION_ERROR if it is no name, or one of this installation; CONFLICT if another workspace uses
 * it, there were as many as there may be, or another was set since `ifUpdatedAt`
 */
export async function setHost(tx: Tx, config: Config, workspace: number, input: HostInput): Promise<void> {
  const host = usableName(config, input.host);
  await lockWorkspace(tx, workspace);
  const before = { updatedAt: await linkHostSetAt(tx, workspace) };
  refuseSavedSince(tx, before, input);
  const claim = await claimOf(tx, host);
  if (claim && claim.workspace !== workspace && isHeld(claim)) throw hostConflict(host);
  const hosts = await hostsOf(tx, workspace);
  const known = hosts.find((one) => one.host === host);
  if (known?.isCurrent) return;
  const stay = hosts.filter((one) => one.verifiedAt !== null);
  if (!known && stay.length >= MAX_HOSTS)
    throw limitReached(
      "hosts",
      MAX_HOSTS,
      `A workspace has at most ${MAX_HOSTS} hosts, with those that links in sent emails name.`,
      "A former host is forgotten 30 days after it has ceased to lead here.",
    );
  await dropCurrent(tx, workspace);
  if (known) await makeCurrent(tx, known.seq);
  else await insertHost(tx, workspace, host);
  await setLinkHostAt(tx, workspace, timeOfSaving(tx, before));
  tx.signal(HOSTS);
}

/** New links name the host of the installation. */
export async function removeHost(tx: Tx, workspace: number): Promise<void> {
  await dropCurrent(tx, workspace);
  await setLinkHostAt(tx, workspace, timeOfSaving(tx, { updatedAt: await linkHostSetAt(tx, workspace) }));
  tx.signal(HOSTS);
}

function usableName(config: Config, text: string): string {
  const host = domainName(text, "host");
  if (isIP(host) !== 0 || !host.includes("."))
    throw invalidField("host", "Expected a host name such as links.example.com.");
  if (namesOfInstallation(config).includes(host))
    throw invalidField("host", "This is a name of the installation itself.", "reserved");
  return host;
}

export function namesOfInstallation(config: Config): readonly string[] {
  const { returnPathDomain } = config.delivery;
  const own = [new URL(config.http.baseUrl).hostname, ownName(config), ...compatHosts(config)];
  return returnPathDomain === null ? own : [...own, returnPathDomain];
}

function hostConflict(host: string): AppError {
  return new AppError("CONFLICT", `${host} is used elsewhere on this server.`, {
    reason: "link_host_taken",
    values: { host },
  });
}

// The demo domain of a first start, removed once mail really leaves: it has no owner who could send from it.
import { domainOf } from "../../base/addresses.ts";
import { changeSenders } from "../../programs/campaigns/run/run.ts";
import { ownSender } from "../../mail/emails/send/confirmation.ts";
import type { Tx } from "../../store/store.ts";
import { brandOf, setBrand } from "../../content/templates/brand/queries.ts";
import { clearSenders } from "../../content/templates/queries.ts";
import { removeDomain } from "../../tenant/domains/domain.ts";
import { demoDomains, type Domain } from "../../tenant/domains/queries.ts";
import { clearFromAddress } from "../../tenant/workspaces/queries.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";

/** Removes it from every place that sends; answers the lines to print about it. */
export async function withoutDemo(tx: Tx): Promise<string[]> {
  const lines: string[] = [];
  for (const demo of await demoDomains(tx)) {
    const { senders, campaigns, address } = await takeAway(tx, demo);
    lines.push(
      `${demo.domain} was only for trying things out, and email really leaves now: it was removed from the workspace ` +
        `"${demo.workspaceName}"${senders > 0 ? `, with ${senders} sender${senders === 1 ? "" : "s"} that used it` : ""}. ` +
        told(campaigns, address) +
        `Add the domain you send from: posthorn domain add YOUR.DOMAIN --workspace ${demo.workspaceName}`,
    );
  }
  return lines;
}

function told(campaigns: number, address: string | null): string {
  if (campaigns === 0) return "";
  if (campaigns === 1)
    return `1 campaign that was to leave from it ${address ? `leaves from ${address} now` : "has no sender now and is a draft"}. `;
  return `${campaigns} campaigns that were to leave from it ${address ? `leave from ${address} now` : "have no sender now and are drafts"}. `;
}

/**
 * `senders`: those of the workspace, of its brand and of templates. `address`: the new sender of campaigns that
 * have not begun.
 */
async function takeAway(tx: Tx, { id, workspace, domain }: Domain) {
  await removeDomain(tx, workspace, id);
  const senders =
    (await clearFromAddress(tx, workspace, domain)) +
    (await clearBrand(tx, workspace, domain)) +
    (await clearSenders(tx, workspace, domain));
  const address = (await ownSender(tx, await ownWorkspace(tx, workspace)))?.address ?? null;
  return { senders, campaigns: await changeSenders(tx, workspace, domain, address), address };
}

async function clearBrand(tx: Tx, workspace: number, domain: string): Promise<number> {
  const kept = await brandOf(tx, workspace);
  if (!kept?.brand.from || domainOf(kept.brand.from) !== domain) return 0;
  return setBrand(tx, workspace, { ...kept, brand: { ...kept.brand, from: null }, updatedAt: tx.now });
}

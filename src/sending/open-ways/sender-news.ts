// Keeping the findings of hand-overs about sender domains at ways out, for people and for the next process.
import type { MailToSend } from "../../mail/emails/queries.ts";
import { OK, wrong } from "../../tenant/domains/dns-check/finding.ts";
import { withoutAddresses } from "../carrier/transport/kept-reply.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import type { Store } from "../../store/store.ts";
import { putKnown, refusedDomains } from "../../ground/ways/domain-queries.ts";
import type { OpenWay } from "./open-way.ts";

type NewsSender = Pick<MailToSend, "domain" | "senderDomain" | "workspace">;

/** About the domain of this mail, if it has one. */
export async function keepSenderNews(
  store: Store,
  way: OpenWay,
  { domain, senderDomain, workspace }: NewsSender,
): Promise<void> {
  const reply = way.senderNews.get(domain ?? "");
  if (reply === undefined || !way.senderNews.delete(domain ?? "")) return;
  const known = reply === null ? OK : wrong("way_refuses", { reply: withoutAddresses(reply) });
  await store.write(async (tx) => {
    await putKnown(tx, senderDomain, { way: way.options.name, known });
    notifyChange(tx, "domains", workspace);
  });
}

const MOST_RECALLED = 1_000;

/** Restores the findings of an earlier process about these ways. */
export async function recallRefusals(store: Store, ways: readonly OpenWay[]): Promise<void> {
  const refused = await store.read((reader) => refusedDomains(reader, MOST_RECALLED));
  for (const { way: name, name: domain, known } of refused) {
    const reply = known.code === "way_refuses" ? known.values?.["reply"] : undefined;
    if (reply !== undefined) ways.find(({ options }) => options.name === name)?.recallRefusal(domain, reply);
  }
}

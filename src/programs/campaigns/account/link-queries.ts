// The SQL of the links of a campaign: from the clicks in the log, each with the URL that it led to.
import { sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";
import type { Campaign } from "../queries.ts";
import { writtenLink } from "./written-links.ts";

export type LinkRow = { readonly url: string; readonly clicks: number; readonly people: number };
/** `looked`: the number of clicks counted. */
export type Links = { readonly links: readonly LinkRow[]; readonly looked: number };
/** Mails whose readers clicked, clicks in them, and links. */
export type LinkBounds = { readonly mails: number; readonly clicks: number; readonly links: number };

const CLICKED = sql`due_at is null and clicks > 0`;

/** The links that most people followed. Reads so many mails and clicks at most. */
export async function linksOf(
  reader: Reader,
  { seq: campaign, body }: Pick<Campaign, "seq" | "body">,
  { mails, clicks, links }: LinkBounds,
): Promise<Links> {
  // Read from its JSON once, not for each link that it is compared with.
  const url = writtenLink(reader.dialect, sql`link`, body);
  const rows = await reader.all<LinkRow & { looked: number }>`
    with visits as materialized (
      select v.data ->> 'link' as link, v.email
      from (select seq from emails where campaign = ${campaign} and ${CLICKED} limit ${mails}) as clicked
      join events v on v.email = clicked.seq and v.name = 'email.click' limit ${clicks})
    select url, count(*) as clicks, count(distinct email) as people, cast(sum(count(*)) over () as bigint) as looked
    from (select ${url} as url, email from visits) as led
    group by url order by people desc, clicks desc, url limit ${links}`;
  return { links: rows.map(({ looked: _, ...row }) => row), looked: rows[0]?.looked ?? 0 };
}

export async function hasMoreClicked(reader: Reader, campaign: number, than: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as more from emails where campaign = ${campaign} and ${CLICKED} limit 1 offset ${than}`;
  return row !== null;
}

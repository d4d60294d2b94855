// The SQL of the links of a campaign: from the clicks in the log, of which each names its link.
import { sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type LinkRow = { readonly url: string; readonly clicks: number; readonly people: number };

const CLICKED = sql`due_at is null and clicks > 0`;

/** Those that most people followed. Looks at `mostMails` mails whose readers clicked. */
export function linksOf(reader: Reader, campaign: number, mostMails: number, most: number): Promise<LinkRow[]> {
  return reader.all<LinkRow>`
    select v.data ->> 'link' as url, count(*) as clicks, count(distinct v.email) as people
    from (select seq from emails where campaign = ${campaign} and ${CLICKED} limit ${mostMails}) as clicked
    join events v on v.email = clicked.seq and v.name = 'email.click'
    group by v.data ->> 'link' order by people desc, clicks desc, url limit ${most}`;
}

export async function hasMoreClicked(reader: Reader, campaign: number, than: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as more from emails where campaign = ${campaign} and ${CLICKED} limit 1 offset ${than}`;
  return row !== null;
}

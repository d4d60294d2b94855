// The SQL of the counts of forms: seen, sent and confirmed.
import type { Reader, Tx } from "../../store/store.ts";

export type FormCountKey = { readonly form: number; readonly day: string; readonly site: string };
export type FormCounts = { readonly seen: number; readonly sent: number; readonly confirmed: number };

/** Adds to the counts of a form that still exists. */
export function addCounts(
  tx: Tx,
  { form, day, site }: FormCountKey,
  { seen, sent, confirmed }: FormCounts,
): Promise<number> {
  return tx.run`
    insert into form_counts (form, day, site, seen, sent, confirmed)
    select seq, cast(${day} as text), cast(${site} as text), cast(${seen} as bigint), cast(${sent} as bigint),
      cast(${confirmed} as bigint) from forms where seq = ${form}
    on conflict (form, day, site) do update set seen = form_counts.seen + excluded.seen,
      sent = form_counts.sent + excluded.sent, confirmed = form_counts.confirmed + excluded.confirmed`;
}

export type FormCountRow = FormCounts & Pick<FormCountKey, "day" | "site">;

export function countsOf(reader: Reader, form: number, since: string, until: string): Promise<FormCountRow[]> {
  return reader.all<FormCountRow>`
    select day, site, seen, sent, confirmed from form_counts
    where form = ${form} and day >= ${since} and day <= ${until} order by day, site`;
}

/** The sums of a workspace's forms, from a day on. */
export function sumsOf(reader: Reader, workspace: number, since: string) {
  return reader.all<FormCounts & { readonly form: number }>`
    select c.form, cast(sum(c.seen) as bigint) as seen, cast(sum(c.sent) as bigint) as sent,
      cast(sum(c.confirmed) as bigint) as confirmed
    from forms f join form_counts c on c.form = f.seq
    where f.workspace = ${workspace} and c.day >= ${since} group by c.form`;
}

export function deleteCountsBefore(tx: Tx, day: string, most: number): Promise<number> {
  return tx.run`
    delete from form_counts where (form, day, site) in (
      select form, day, site from form_counts where day < ${day} order by day limit ${most})`;
}

// The SQL of the notices of Amazon SES that were taken.
import type { Reader, Tx } from "../../store/store.ts";

/** Answers 0 if it was taken before. */
export function rememberNotice(tx: Tx, id: string): Promise<number> {
  return tx.run`insert into notices (id, seen_at) values (${id}, ${tx.now}) on conflict do nothing`;
}

export function noticeTaken(reader: Reader, id: string): Promise<{ id: string } | null> {
  return reader.get`select id from notices where id = ${id}`;
}

/** A part of those that are older; answers how many. */
export function forgetNoticesBefore(tx: Tx, seenBefore: string, most: number): Promise<number> {
  return tx.run`
    delete from notices where id in (select id from notices where seen_at <= ${seenBefore} order by seen_at limit ${most})`;
}

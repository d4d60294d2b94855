// The SQL that reads mails with everything that is needed to compose them.
import { flag } from "../store/columns.ts";
import { sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";
import { MAILS, SUMMARY, type MailToSend } from "./queries.ts";

type Flag = "tracking" | "test" | "isPrivate";
type Flags = Readonly<Record<Flag, 0 | 1> & Record<"subscribed" | "campaignPaused", 0 | 1 | null>>;
type Texts = Pick<MailToSend, "preheader" | "html" | "text" | "headers" | "data">;
type MailRow = Omit<MailToSend, keyof Flags | keyof Texts | "privateKey"> & Flags & { readonly key: number | null };
type ContentRow = Texts & { readonly seq: number };
type KeyRow = { readonly seq: number; readonly privateKey: string };

/** The DKIM key is the one that signed at the time of the attempt, so that the mail can be composed again as it was. */
export async function mailBySeq(reader: Reader, seq: number): Promise<MailToSend | null> {
  return (await mailsToSend(reader, [seq])).get(seq) ?? null;
}

/** As `mailBySeq`, of several, by seq. Mails of one content share its texts: they are read once, and in memory once. */
export async function mailsToSend(reader: Reader, seqs: readonly number[]): Promise<ReadonlyMap<number, MailToSend>> {
  const among = reader.dialect.isAmong(sql`e.seq`, seqs);
  const [rows, contents, keys] = await Promise.all([
    reader.all<MailRow>`
      select ${SUMMARY}, w.disabled_at as "workspaceDisabledAt", w.marketing_stopped as "marketingStopped", p.subscribed,
        k.status as "campaignStatus", k.paused as "campaignPaused", e.variables, c.kind, c.postal_address as "postalAddress",
        e.language, c.tracking, c.test, c.private as "isPrivate", c.body_gone_at as "bodyGoneAt",
        e.repeats_left as "repeatsLeft", d.domain,
        d.verified_at as "domainVerifiedAt", s.selector, s.seq as key
      ${MAILS}
      left join domains d on d.seq = c.domain
      left join domain_keys s on s.seq = (
        select seq from domain_keys where domain = c.domain and active_from <= coalesce(e.attempted_at, '9999')
        order by active_from desc limit 1)
      where ${among}`,
    reader.all<ContentRow>`
      select seq, preheader, html, text, headers, data from contents
      where seq in (select e.content from emails e where ${among})`,
    reader.all<KeyRow>`
      select seq, private_key as "privateKey" from domain_keys where domain in (
        select c.domain from contents c where c.seq in (select e.content from emails e where ${among}))`,
  ]);
  const texts = new Map(contents.map(({ seq, ...own }) => [seq, own]));
  const privateKeys = new Map(keys.map(({ seq, privateKey }) => [seq, privateKey]));
  return new Map(
    rows.flatMap((row) => {
      const own = texts.get(row.content);
      return own === undefined ? [] : [[row.seq, mailToSend(row, own, privateKeys.get(row.key ?? 0) ?? null)]];
    }),
  );
}

function mailToSend(row: MailRow, texts: Texts, privateKey: string | null): MailToSend {
  return {
    ...row,
    ...texts,
    privateKey,
    subscribed: flag(row.subscribed ?? 0),
    campaignPaused: flag(row.campaignPaused ?? 0),
    tracking: flag(row.tracking),
    test: flag(row.test),
    isPrivate: flag(row.isPrivate),
  };
}

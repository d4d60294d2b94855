// The SQL that reads mails with everything that composing them needs.
import { flag } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { domainOf, type Mailbox } from "../../base/addresses.ts";
import { suppressionsAt, type SuppressionReason, type Suppression } from "../../audience/suppressions/queries.ts";
import { against, standingAmong } from "../../audience/suppressions/standing.ts";
import { choicesIn } from "../../audience/contacts/queries.ts";
import { isIn } from "../../audience/topics/choice.ts";
import type { TopicChoice } from "../../audience/topics/queries.ts";
import { MAILS, SUMMARY, type GroupMessage, type MailToSend } from "./queries.ts";
import type { RecipientRole } from "./shape.ts";

type SendingFlag = "tracking" | "test" | "isPrivate" | "passesSuppressions";
type SendingFlags = Readonly<Record<SendingFlag, 0 | 1> & Record<"subscribed" | "campaignPaused", 0 | 1 | null>>;
type ContentTexts = Pick<MailToSend, "preheader" | "html" | "text" | "headers" | "data">;
type SendingRow = Omit<
  MailToSend,
  keyof SendingFlags | keyof ContentTexts | "privateKey" | "message" | "suppression" | "hasLeftTopic"
> &
  SendingFlags & {
    readonly key: number | null;
    readonly suppressed: SuppressionReason | null;
    readonly someDomains: 0 | 1;
    readonly topic: string | null;
    readonly topicDefault: TopicChoice | null;
    readonly choices: string | null;
  };
type ContentRow = ContentTexts & { readonly seq: number };
type KeyRow = { readonly seq: number; readonly privateKey: string };

/** The DKIM key is the one that signed at the time of the attempt, so that the mail can be composed again exactly. */
export async function mailBySeq(reader: Reader, seq: number, now: string): Promise<MailToSend | null> {
  return (await mailsToSend(reader, [seq], now)).get(seq) ?? null;
}

/**
 * As `mailBySeq`, for several, by seq. Mails of one content share its texts: they are read once, and in memory once.
 */
export async function mailsToSend(
  reader: Reader,
  seqs: readonly number[],
  now: string,
): Promise<ReadonlyMap<number, MailToSend>> {
  const among = reader.dialect.isAmong(sql`e.seq`, seqs);
  const [rows, contents, keys] = await Promise.all([
    reader.all<SendingRow>`
      select ${SUMMARY}, w.disabled_at as "workspaceDisabledAt", w.marketing_stopped as "marketingStopped", p.subscribed,
        p.topics as choices, p.paused_until as "pausedUntil", c.topic, o."default" as "topicDefault",
        k.status as "campaignStatus", k.paused as "campaignPaused", e.variables, c.kind, c.postal_address as "postalAddress",
        e.language, c.tracking, c.test, c.passes_suppressions as "passesSuppressions", p.suppressed,
        case when exists (select 1 from suppressions x where x.workspace = e.workspace and x.kind = 'domain') then 1 else 0 end as "someDomains", c.body_gone_at as "bodyGoneAt",
        e.repeats_left as "repeatsLeft", e.rule, coalesce(c.domain, 0) as "senderDomain", d.domain,
        d.verified_at as "domainVerifiedAt", s.selector, s.seq as key
      ${MAILS}
      left join topics o on o.workspace = e.workspace and o.key = c.topic
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
  const messages = await messagesOf(reader, rows);
  const suppressions = await suppressionsOf(reader, rows, now);
  const privateKeys = new Map(keys.map(({ seq, privateKey }) => [seq, privateKey]));
  return new Map(
    rows.flatMap((row) => {
      const own = texts.get(row.content);
      if (own === undefined) return [];
      const message = messages.get(row.content) ?? null;
      return [
        [
          row.seq,
          {
            ...mailToSend(row, own, privateKeys.get(row.key ?? 0) ?? null),
            message,
            suppression: suppressions.get(row.seq) ?? null,
          },
        ],
      ];
    }),
  );
}

type MemberRow = Mailbox & {
  readonly content: number;
  readonly role: RecipientRole;
  readonly variables: string | null;
  readonly subscribed: 0 | 1 | null;
  readonly attemptedAt: string | null;
};

/**
 * The messages of groups, by content. An erased person is no longer named. A complete message has its own header, and
 * is skipped.
 */
async function messagesOf(reader: Reader, rows: readonly SendingRow[]): Promise<ReadonlyMap<number, GroupMessage>> {
  const grouped = rows.filter(({ group, messageId }) => group !== null && messageId === null);
  if (grouped.length === 0) return new Map();
  const contents = [...new Set(grouped.map(({ content }) => content))];
  const members = await reader.all<MemberRow>`
    select e.content, e.role, e.to_address as address, e.to_name as name, e.variables, p.subscribed, e.attempted_at as "attemptedAt"
    from emails e left join contacts p on p.seq = e.contact
    where ${reader.dialect.isAmong(sql`e.content`, contents)} and e.resent_from is null and e.to_address <> '' order by e.seq`;
  const byContent = Map.groupBy(members, ({ content }) => content);
  return new Map([...byContent].map(([content, those]) => [content, messageOf(those)]));
}

function messageOf(members: readonly MemberRow[]): GroupMessage {
  const mailboxesOf = (role: RecipientRole) =>
    members.filter((one) => one.role === role).map(({ address, name }): Mailbox => ({ address, name }));
  const { address, name, subscribed, variables } = members[0] as MemberRow;
  const attempts = members.flatMap(({ attemptedAt }) => attemptedAt ?? []);
  return {
    to: mailboxesOf("TO"),
    cc: mailboxesOf("CC"),
    reader: { address, name },
    subscribed: flag(subscribed ?? 0),
    variables,
    attemptedAt: attempts.sort()[0] ?? null,
  };
}

function hasLeftTopic({ topic: key, topicDefault, choices }: SendingRow): boolean {
  return key !== null && !isIn(choicesIn(choices), { key, default: topicDefault ?? "in" });
}

/**
 * The suppression of each mail's address. The lookup is limited to mails that may have one: to an address without a
 * contact, to a suppressed contact, in a workspace with suppressed domains.
 */
async function suppressionsOf(
  reader: Reader,
  rows: readonly SendingRow[],
  now: string,
): Promise<ReadonlyMap<number, Suppression>> {
  const found = new Map<number, Suppression>();
  const bound = rows.filter(
    ({ passesSuppressions, isPrivate, suppressed, someDomains, contactEmail, toAddress }) =>
      toAddress !== "" &&
      !passesSuppressions &&
      !isPrivate &&
      (suppressed !== null || someDomains === 1 || contactEmail !== toAddress),
  );
  for (const [workspace, theirs] of Map.groupBy(bound, (row) => row.workspace)) {
    const targets = theirs.flatMap(({ toAddress }) => [toAddress, domainOf(toAddress)]);
    const at = await suppressionsAt(reader, workspace, [...new Set(targets)]);
    for (const { seq, toAddress, kind, test } of theirs) {
      const by = at.length === 0 ? null : against(standingAmong(at, toAddress, now), kind === "MARKETING" && !test);
      if (by) found.set(seq, by);
    }
  }
  return found;
}

function mailToSend(
  row: SendingRow,
  texts: ContentTexts,
  privateKey: string | null,
): Omit<MailToSend, "message" | "suppression"> {
  return {
    ...row,
    ...texts,
    privateKey,
    subscribed: flag(row.subscribed ?? 0),
    hasLeftTopic: hasLeftTopic(row),
    campaignPaused: flag(row.campaignPaused ?? 0),
    tracking: flag(row.tracking),
    test: flag(row.test),
    isPrivate: flag(row.isPrivate),
    passesSuppressions: flag(row.passesSuppressions),
  };
}

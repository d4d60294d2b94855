// The SQL of topics.
import { column, json, only, TableRows, type RecordOf, type RowOf } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";
import type { Language } from "../../base/languages/language.ts";

/** A person's choice about a topic. */
export type TopicChoice = "in" | "out";

/** A person's choices, by key of topics. A deleted topic's key stays, and counts for a new topic with the same key. */
export type TopicChoices = Readonly<Record<string, TopicChoice>>;

/** A text in several languages. */
export type TopicText = Readonly<Partial<Record<Language, string>>>;

/** The columns that a save changes. */
const SAVED = {
  name: column.json<TopicText>(),
  description: column.json<TopicText>(),
  /** The choice of people who have made none. */
  default: column.oneOf<TopicChoice>(),
  /** People see the topic on their preference page. */
  visible: column.flag(),
  updatedBy: column.orNull(column.json<ChangeAuthor>()),
};
const ROWS = new TableRows("topics", {
  ...SAVED,
  seq: column.number(),
  id: column.text(),
  key: column.text(),
  position: column.number(),
  createdAt: column.text(),
  updatedAt: column.text(),
});

export type TopicFields = RecordOf<typeof SAVED>;
export type Topic = RowOf<typeof ROWS>;

export function fieldsOf(topic: Topic): TopicFields {
  return only(SAVED, topic);
}

/** Ordered by position. */
export function topicsOf(reader: Reader, workspace: number): Promise<Topic[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} order by position, seq`);
}

export function topicWithKey(reader: Reader, workspace: number, key: string): Promise<Topic | null> {
  return ROWS.get(reader, sql`where workspace = ${workspace} and key = ${key}`);
}

type NewTopic = TopicFields & Pick<Topic, "id" | "key" | "position">;

export function insertTopic(tx: Tx, workspace: number, topic: NewTopic): Promise<Topic> {
  return ROWS.insert(tx, { ...topic, createdAt: tx.now, updatedAt: tx.now }, { workspace });
}

export function updateTopic(tx: Tx, { seq, updatedAt }: Topic, fields: TopicFields): Promise<Topic> {
  return ROWS.update(tx, seq, { ...fields, updatedAt: timeOfSaving(tx, { updatedAt }) });
}

export function setPosition(tx: Tx, seq: number, position: number): Promise<number> {
  return tx.run`update topics set position = ${position} where seq = ${seq}`;
}

export function deleteTopic(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from topics where seq = ${seq}`;
}

export type TopicUse = {
  readonly kind: "segment" | "campaign" | "template" | "workflow" | "form";
  readonly name: string;
};

/** A few uses of each kind: in a condition, or as the topic of mail. Sent campaigns do not count. */
export async function usersOf(reader: Reader, workspace: number, key: string): Promise<TopicUse[]> {
  const field = `"topic.${key}"`;
  const [segments, campaigns, templates, workflows, forms] = await Promise.all([
    reader.all<TopicUse>`
      select 'segment' as kind, name from segments where workspace = ${workspace} and instr(condition, ${field}) > 0
      order by seq limit 5`,
    reader.all<TopicUse>`
      select 'campaign' as kind, name from campaigns
      where workspace = ${workspace} and status in ('DRAFT', 'SCHEDULED', 'SENDING') and deleted_at is null
        and (topic = ${key} or instr(audience_condition, ${field}) > 0)
      order by seq limit 5`,
    reader.all<TopicUse>`
      select 'template' as kind, name from templates where workspace = ${workspace} and topic = ${key} order by seq limit 5`,
    reader.all<TopicUse>`
      select 'workflow' as kind, w.name from workflows w
      where w.workspace = ${workspace} and w.deleted_at is null and exists (
        select 1 from workflow_steps s where s.workflow = w.seq
          and (instr(s.config, ${field}) > 0 or (s.type = 'SEND_EMAIL' and instr(s.config, ${`"topic":"${key}"`}) > 0)))
      order by w.seq limit 5`,
    reader.all<TopicUse & { readonly settings: string }>`
      select 'form' as kind, name, settings from forms where workspace = ${workspace} and instr(settings, ${`"${key}"`}) > 0
      order by seq`,
  ]);
  // Other texts in a form's settings may contain the key.
  const offer = forms.filter(({ settings }) => json<{ topics: string[] }>(settings).topics.includes(key)).slice(0, 5);
  return [...segments, ...campaigns, ...templates, ...workflows, ...offer];
}

/** True if a campaign of the topic is scheduled, or its audience is being frozen. */
export async function isToBeMailed(reader: Reader, workspace: number, key: string): Promise<boolean> {
  const row = await reader.get`
    select 1 as mailed from campaigns
    where workspace = ${workspace} and topic = ${key} and status in ('SCHEDULED', 'SENDING') and deleted_at is null limit 1`;
  return row !== null;
}

// The SQL of topics.
import { flag, json, jsonOrNull } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { By } from "../../tenant/access/caller.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";
import type { Language } from "../../base/languages/language.ts";

/** A person's choice about a topic. */
export type TopicChoice = "in" | "out";

/** A person's choices, by key of topics. A deleted topic's key stays, and counts for a new topic with the same key. */
export type TopicChoices = Readonly<Record<string, TopicChoice>>;

/** A text in several languages. */
export type TopicText = Readonly<Partial<Record<Language, string>>>;

export type TopicFields = {
  readonly name: TopicText;
  readonly description: TopicText;
  /** The choice of people who have made none. */
  readonly default: TopicChoice;
  /** People see the topic on their preference page. */
  readonly visible: boolean;
  readonly updatedBy: By | null;
};

export type Topic = TopicFields & {
  readonly seq: number;
  readonly id: string;
  readonly key: string;
  readonly position: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const COLUMNS = sql`seq, id, key, name, description, "default", visible, position, updated_by as "updatedBy",
  created_at as "createdAt", updated_at as "updatedAt"`;

type TopicRow = Omit<Topic, "name" | "description" | "visible" | "updatedBy"> & {
  readonly name: string;
  readonly description: string;
  readonly visible: 0 | 1;
  readonly updatedBy: string | null;
};

function topicOf(row: TopicRow): Topic {
  return {
    ...row,
    name: json(row.name),
    description: json(row.description),
    visible: flag(row.visible),
    updatedBy: jsonOrNull(row.updatedBy),
  };
}

/** Ordered by position. */
export async function topicsOf(reader: Reader, workspace: number): Promise<Topic[]> {
  const rows = await reader.all<TopicRow>`
    select ${COLUMNS} from topics where workspace = ${workspace} order by position, seq`;
  return rows.map(topicOf);
}

export async function topicWithKey(reader: Reader, workspace: number, key: string): Promise<Topic | null> {
  const row = await reader.get<TopicRow>`select ${COLUMNS} from topics where workspace = ${workspace} and key = ${key}`;
  return row && topicOf(row);
}

type NewTopic = TopicFields & Pick<Topic, "id" | "key" | "position"> & { readonly workspace: number };

export async function insertTopic(tx: Tx, topic: NewTopic): Promise<Topic> {
  const row = await tx.get<TopicRow>`
    insert into topics (id, workspace, key, name, description, "default", visible, position, updated_by, created_at, updated_at)
    values (${topic.id}, ${topic.workspace}, ${topic.key}, ${JSON.stringify(topic.name)}, ${JSON.stringify(topic.description)},
      ${topic.default}, ${topic.visible ? 1 : 0}, ${topic.position}, ${JSON.stringify(topic.updatedBy)}, ${tx.now}, ${tx.now})
    returning ${COLUMNS}`;
  return topicOf(row as TopicRow);
}

export async function updateTopic(tx: Tx, { seq, updatedAt }: Topic, fields: TopicFields): Promise<Topic> {
  const row = await tx.get<TopicRow>`
    update topics set name = ${JSON.stringify(fields.name)}, description = ${JSON.stringify(fields.description)},
      "default" = ${fields.default}, visible = ${fields.visible ? 1 : 0}, updated_by = ${JSON.stringify(fields.updatedBy)},
      updated_at = ${timeOfSaving(tx, { updatedAt })}
    where seq = ${seq} returning ${COLUMNS}`;
  return topicOf(row as TopicRow);
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

// The topic that a mail is of: whether there is one with the key, and who gets its mail.
import { invalidField } from "../../base/errors.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Dialect, Reader } from "../../store/store.ts";
import { topicWithKey, type Topic } from "./queries.ts";

export const ONLY_MARKETING = "Only marketing email has a topic.";

/** What decides who gets its mail. */
export type TopicDefault = Pick<Topic, "key" | "default">;

/** @throws AppError VALIDATION_ERROR on `field` if there is no topic with the key */
export async function refuseUnknownTopic(
  reader: Reader,
  workspace: number,
  key: string | null,
  field = "topic",
): Promise<void> {
  if (key !== null && (await topicWithKey(reader, workspace, key)) === null)
    throw invalidField(field, `There is no topic ${key}.`, "unknown_topic");
}

/** Of a topic that was deleted, those who left it still get nothing. */
export async function topicMeant(reader: Reader, workspace: number, key: string): Promise<TopicDefault> {
  return (await topicWithKey(reader, workspace, key)) ?? { key, default: "in" };
}

/** Whether a topic's mail is for contacts `c`. */
export function isForTopic({ key, default: otherwise }: TopicDefault, { jsonAt }: Dialect): Sql {
  return sql`coalesce(${jsonAt(sql`c.topics`, [key]).text}, ${otherwise}) = 'in'`;
}

// The topic of a mail: whether it exists, and which contacts get its mail.
import { invalidField } from "../../base/errors.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Dialect, Reader } from "../../store/store.ts";
import { topicWithKey, type Topic } from "./queries.ts";

export const ONLY_MARKETING = "Only marketing email has a topic.";

/** The part of a topic that determines who gets its mail. */
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

/** After a topic is deleted, contacts who left it still get no mail of it. */
export async function topicMeant(reader: Reader, workspace: number, key: string): Promise<TopicDefault> {
  return (await topicWithKey(reader, workspace, key)) ?? { key, default: "in" };
}

/** True for contacts `c` that get the topic's mail. */
export function isForTopic({ key, default: otherwise }: TopicDefault, { jsonAt }: Dialect): Sql {
  return sql`coalesce(${jsonAt(sql`c.topics`, [key]).text}, ${otherwise}) = 'in'`;
}

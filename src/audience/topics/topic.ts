// Topics: the subjects that a workspace writes about. People can leave one topic and keep the others.
import { AppError, invalidField, limitReached } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { refuseWithout, type Caller } from "../../tenant/access/caller.ts";
import { refuseSavedSince } from "../../tenant/access/saving.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import * as queries from "./queries.ts";
import type { Topic, TopicFields, TopicText } from "./queries.ts";
import { MOST_TOPICS, type changeShape, type WordingInput } from "./record.ts";

type TopicChange = typeof changeShape.static;
type NewTopic = TopicChange & { readonly key: string };

type TopicAuthor = Pick<Caller, "workspace" | "by">;
type TopicEditor = TopicAuthor & Pick<Caller, "person">;

/** @throws AppError CONFLICT if another topic has the key, or the workspace has the most topics allowed */
export async function createTopic(tx: Tx, { workspace, by }: TopicAuthor, input: NewTopic): Promise<Topic> {
  const { key, position = null } = input;
  const topics = await lockedTopics(tx, workspace);
  if (topics.some((topic) => topic.key === key))
    throw new AppError("CONFLICT", `A topic with the key ${key} already exists.`, {
      reason: "topic_key_taken",
      values: { key },
    });
  if (topics.length >= MOST_TOPICS)
    throw limitReached(
      "topics",
      MOST_TOPICS,
      `A workspace has at most ${MOST_TOPICS} topics.`,
      "Delete one that is not used any more: DELETE /topics/{id}.",
    );
  const base: TopicFields = { name: {}, description: {}, default: "in", visible: true, updatedBy: by };
  const fields = { ...changed(base, input), updatedBy: by };
  const topic = await queries.insertTopic(tx, workspace, {
    ...fields,
    id: newId(tx.nowMs),
    key,
    position: topics.length,
  });
  return place(tx, topics, topic, position);
}

/**
 * The default determines the recipients of the topic's campaigns.
 * @throws AppError TOPIC_NOT_FOUND; CONFLICT if it was saved since `ifUpdatedAt`, VALIDATION_ERROR; FORBIDDEN if a
 * campaign of it is about to be sent, and the caller who changes the default may not send campaigns
 */
export async function changeTopic(
  tx: Tx,
  { workspace, by, person }: TopicEditor,
  id: string,
  input: TopicChange,
): Promise<Topic> {
  const topics = await lockedTopics(tx, workspace);
  const before = among(topics, id);
  refuseSavedSince(tx, before, input);
  const isOther = input.default != null && input.default !== before.default;
  if (isOther && (await queries.isToBeMailed(tx, workspace, before.key))) refuseWithout(person, "campaigns.send");
  const topic = await queries.updateTopic(tx, before, { ...changed(queries.fieldsOf(before), input), updatedBy: by });
  return place(
    tx,
    topics.filter(({ seq }) => seq !== topic.seq),
    topic,
    input.position ?? before.position,
  );
}

/**
 * Keeps people's choices: waiting mail of the topic does not reach those who left, and the choices count for a new
 * topic with the same key.
 * @throws AppError TOPIC_NOT_FOUND; CONFLICT with the uses while the topic is used
 */
export async function removeTopic(tx: Tx, workspace: number, id: string): Promise<void> {
  const topics = await lockedTopics(tx, workspace);
  const topic = among(topics, id);
  await refuseUsed(tx, workspace, topic);
  await queries.deleteTopic(tx, topic.seq);
  await number(
    tx,
    topics.filter(({ seq }) => seq !== topic.seq),
  );
}

/** `id`: the id or the key. @throws AppError TOPIC_NOT_FOUND, also for another workspace's topic */
export async function findTopic(reader: Reader, workspace: number, id: string): Promise<Topic> {
  return among(await queries.topicsOf(reader, workspace), id);
}

function among(topics: readonly Topic[], id: string): Topic {
  const topic = topics.find((one) => one.id === id || one.key === id);
  if (!topic) throw new AppError("TOPIC_NOT_FOUND", `There is no topic ${id}.`);
  return topic;
}

/** Locks the workspace: two concurrent changes could exceed the limit, or take the same position. */
async function lockedTopics(tx: Tx, workspace: number): Promise<Topic[]> {
  await lockWorkspace(tx, workspace);
  return queries.topicsOf(tx, workspace);
}

function changed(base: TopicFields, input: TopicChange): TopicFields {
  const { name, description, ...others } = input;
  const given = Object.entries(others).filter(([field, value]) => field in base && value != null);
  return {
    ...base,
    ...Object.fromEntries(given),
    ...(name ? { name: nameIn(name) } : {}),
    ...(description ? { description: wordingIn(description) } : {}),
  };
}

/** @throws AppError VALIDATION_ERROR without a name in any language */
function nameIn(input: WordingInput): TopicText {
  const name = wordingIn(input);
  if (Object.keys(name).length === 0) throw invalidField("name", "A topic needs a name in one language.", "required");
  return name;
}

function wordingIn(input: WordingInput): TopicText {
  return Object.fromEntries(Object.entries(input).filter(([, text]) => text !== null));
}

/** Puts the topic at its position among the others; null = last. */
async function place(tx: Tx, others: readonly Topic[], topic: Topic, position: number | null): Promise<Topic> {
  const at = Math.min(position ?? others.length, others.length);
  await number(tx, others.toSpliced(at, 0, topic));
  return { ...topic, position: at };
}

async function number(tx: Tx, topics: readonly Topic[]): Promise<void> {
  for (const [position, topic] of topics.entries())
    if (topic.position !== position) await queries.setPosition(tx, topic.seq, position);
}

async function refuseUsed(tx: Tx, workspace: number, { key }: Topic): Promise<void> {
  const users = await queries.usersOf(tx, workspace, key);
  if (users.length === 0) return;
  const names = users.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  throw new AppError("CONFLICT", `The topic ${key} is used by: ${names}.`, {
    reason: "topic_in_use",
    values: { key, users: users.map(({ name }) => name).join(", ") },
    suggestion: "Change what uses it first, or hide the topic.",
  });
}

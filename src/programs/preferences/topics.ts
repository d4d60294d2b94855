// The topics on recipient pages: those shown to the reader, and the changes by the page's form.
import type { ConsentAct } from "../../audience/consent/consent.ts";
import type { Language } from "../../base/languages/language.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { choiceOf, choose, isIn, mergeChoices } from "../../audience/topics/choice.ts";
import { topicsOf, topicWithKey, type TopicChoice, type Topic } from "../../audience/topics/queries.ts";
import { noteLeftTopics } from "../../audience/contacts/past/merged-queries.ts";
import type { ContactOfSomeWorkspace } from "../../audience/contacts/queries.ts";
import { asItIs } from "./acts.ts";
import type { PageTopic } from "./page.ts";

/** The visible topics in their order; `also`: a hidden topic that is shown, since the link came in its mail. */
export async function topicsShownTo(
  reader: Reader,
  {
    workspace,
    topics: said,
    workspaceLanguage,
  }: Pick<ContactOfSomeWorkspace, "workspace" | "topics" | "workspaceLanguage">,
  { language, also }: { readonly language: Language; readonly also: string | null },
): Promise<PageTopic[]> {
  const topics = await topicsOf(reader, workspace);
  const topicWords = (words: Topic["name"]) => words[language] ?? words[workspaceLanguage] ?? Object.values(words)[0];
  return topics
    .filter(({ key, visible }) => visible || key === also)
    .map((topic) => ({
      key: topic.key,
      name: topicWords(topic.name) ?? topic.key,
      description: topicWords(topic.description) ?? "",
      isIn: isIn(said, topic),
    }));
}

/** False if the topic no longer exists. */
export async function leaveTopic(
  tx: Tx,
  contact: ContactOfSomeWorkspace,
  key: string,
  act: ConsentAct,
): Promise<boolean> {
  if ((await topicWithKey(tx, contact.workspace, key)) === null) return false;
  const current = await asItIs(tx, contact);
  if (choiceOf(current.topics, key) === "out") await noteLeftTopics(tx, contact.seq);
  else await choose(tx, { ...changeOf(current, { [key]: "out" }), act });
  return true;
}

/**
 * Records only changed choices. Answers the keys of the topics that the reader left. `listed`: the keys on the page;
 * `chosen`: the keys of checked boxes.
 */
export async function takeChoices(
  tx: Tx,
  shownTo: ContactOfSomeWorkspace,
  { listed, chosen }: { readonly listed: readonly string[]; readonly chosen: readonly string[] },
  act: ConsentAct,
): Promise<string[]> {
  const contact = await asItIs(tx, shownTo);
  const topics = (await topicsOf(tx, contact.workspace)).filter(({ key }) => listed.includes(key));
  const changed = topics.filter((topic) => isIn(contact.topics, topic) !== chosen.includes(topic.key));
  const changes = changed.map(({ key }): [string, TopicChoice] => [key, chosen.includes(key) ? "in" : "out"]);
  await choose(tx, { ...changeOf(contact, Object.fromEntries(changes)), act });
  return changes.flatMap(([key, choice]) => (choice === "out" ? [key] : []));
}

function changeOf(contact: ContactOfSomeWorkspace, changes: Readonly<Record<string, TopicChoice>>) {
  const { workspace, topics: before } = contact;
  return { workspace, contact, before, after: mergeChoices(before, changes) };
}

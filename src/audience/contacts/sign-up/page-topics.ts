// The topics on the pages of recipients: what a reader sees of them, and what the page's form changes.
import type { ConsentAct } from "../../consent/consent.ts";
import type { Language } from "../../../base/languages/language.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { choiceOf, choose, isIn, mergeChoices } from "../../topics/choice.ts";
import { topicsOf, topicWithKey, type TopicChoice, type Topic } from "../../topics/queries.ts";
import { noteLeftTopics } from "../merged-queries.ts";
import type { ContactOfSomeWorkspace } from "../queries.ts";
import { asItIs } from "./page-acts.ts";
import type { TopicShown } from "./preference-page.ts";

/** Those that people see, in their order; `also`: one that is shown though it is hidden, since its mail led here. */
export async function topicsShownTo(
  reader: Reader,
  {
    workspace,
    topics: said,
    workspaceLanguage,
  }: Pick<ContactOfSomeWorkspace, "workspace" | "topics" | "workspaceLanguage">,
  { language, also }: { readonly language: Language; readonly also: string | null },
): Promise<TopicShown[]> {
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

/** False if there is no such topic any more. */
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

/** What is as it was stays unsaid. Answers the keys of the topics that are left. `listed`: the keys that the page showed; `chosen`: those whose boxes are on. */
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

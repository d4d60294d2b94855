// The consent that a person gives by a form.
//
// For the ledger of consent: the form, the words shown, and the sender. Of topics: in for each ticked one. A person who
// gets no marketing mail yet is out of the rest, so that only the ticked ones are sent, unless the page says in words
// what people get besides.
import type { ConsentAct } from "../../audience/consent/consent.ts";
import type { ConsentWording } from "../../audience/consent/content.ts";
import { choiceOf, mergeChoices, type TopicPassReasons } from "../../audience/topics/choice.ts";
import type { TopicChoices, Topic } from "../../audience/topics/queries.ts";
import type { Reader } from "../../store/store.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import type { FormAnswer, PendingAnswer } from "./answer-queries.ts";
import { wordingOf, type Form } from "./queries.ts";
import { saidIn } from "./text.ts";

/** The cause of a new contact, as contacts have it (access/caller.ts). */
export function causeOfForm({ id }: Pick<Form, "id">): string {
  return `form ${id}`;
}

export async function actOf(reader: Reader, form: Form, one: PendingAnswer): Promise<ConsentAct> {
  const { ip, userAgent } = one.answer;
  const wording = await wordingShown(reader, form, one);
  const { id, name } = form;
  const evidence = { ip, userAgent, ...(wording ? { wording } : {}) };
  return { cause: causeOfForm(form), door: "form", form: { id, name }, evidence };
}

/** In their order on the page; null = it had no words to agree to. */
async function wordingShown(reader: Reader, form: Form, { answer }: PendingAnswer): Promise<ConsentWording | null> {
  const { language, wording: version, offer } = answer;
  const said = version === 0 ? null : await wordingOf(reader, form, version);
  if (!said) return null;
  const { language: otherwise } = await ownWorkspace(reader, form.workspace);
  const texts = [offer?.saysBesides ? said.besides : {}, said.wording];
  const read = texts.flatMap((text) => saidIn(text, language, otherwise) ?? []);
  const last = read.at(-1);
  return last ? { version, language: last.language, text: read.map(({ text }) => text).join("\n") } : null;
}

type FormSignUp = {
  /** All of the workspace. */
  readonly topics: readonly Pick<Topic, "key">[];
  /** The person's earlier choices; they stay, but for ticked topics. */
  readonly before: TopicChoices;
  /** Before they signed up. */
  readonly wasSubscribed: boolean;
};

type FormChoices = {
  /** Keys of the ticked topics that still exist. */
  readonly chosen: readonly string[];
  /** All choices from now on. */
  readonly after: TopicChoices;
  readonly passed: TopicPassReasons;
};

export function choicesOf(
  { topics: ticked, offer }: FormAnswer,
  { topics, before, wasSubscribed }: FormSignUp,
): FormChoices {
  const keys = topics.map(({ key }) => key);
  const chosen = keys.filter((key) => ticked.includes(key));
  const rest = offer === null || wasSubscribed ? [] : keys.filter((key) => !chosen.includes(key));
  const passed = rest.flatMap((key) => {
    const isUnticked = offer?.unticked.includes(key) === true;
    if (choiceOf(before, key) !== null || (!isUnticked && offer?.saysBesides)) return [];
    return [[key, isUnticked ? "unticked" : "not-offered"] as const];
  });
  const said = [...chosen.map((key) => [key, "in"] as const), ...passed.map(([key]) => [key, "out"] as const)];
  return { chosen, after: mergeChoices(before, Object.fromEntries(said)), passed: new Map(passed) };
}

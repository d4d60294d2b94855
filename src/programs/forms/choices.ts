// The topic choices of a person who signs up by a form: in for each ticked topic. A person who gets no marketing mail
// yet is out of the rest, so that only the ticked ones are sent, unless the page says in words what people get besides.
import { choiceOf, mergeChoices, type TopicPassReasons } from "../../audience/topics/choice.ts";
import type { TopicChoices, Topic } from "../../audience/topics/queries.ts";
import type { FormAnswer } from "./answer-queries.ts";

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

// What somebody says of topics who signs up by a form: in of what they tick. Who gets no marketing mail yet is out of the
// rest, so that only what was ticked comes of it, unless the page says in words what people get besides.
import { choiceOf, mergeChoices, type TopicPassReasons } from "../../audience/topics/choice.ts";
import type { TopicChoices, Topic } from "../../audience/topics/queries.ts";
import type { FormAnswer } from "./answer-queries.ts";

type FormSignUp = {
  /** All of the workspace. */
  readonly topics: readonly Pick<Topic, "key">[];
  /** What the person has said before; that stays, but for what they tick. */
  readonly before: TopicChoices;
  /** Before they signed up. */
  readonly wasSubscribed: boolean;
};

type FormChoices = {
  /** Keys of what they ticked, of the topics that there still are. */
  readonly chosen: readonly string[];
  /** All that they say now. */
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

// What somebody says of topics who signs up by a form: in of what they tick. Who gets no marketing mail yet is out of the
// rest, so that only what was ticked comes of it, unless the page says in words what people get besides.
import { choiceOf, mergeChoices, type Passed } from "../topics/choice.ts";
import type { Choices, Topic } from "../topics/queries.ts";
import type { Answer } from "./answer-queries.ts";

type SignUp = {
  /** All of the workspace. */
  readonly topics: readonly Pick<Topic, "key">[];
  /** What the person has said before; that stays, but for what they tick. */
  readonly before: Choices;
  /** Before they signed up. */
  readonly wasSubscribed: boolean;
};

type Chosen = {
  /** Keys of what they ticked, of the topics that there still are. */
  readonly chosen: readonly string[];
  /** All that they say now. */
  readonly after: Choices;
  readonly passed: Passed;
};

export function choicesOf({ topics: ticked, offer }: Answer, { topics, before, wasSubscribed }: SignUp): Chosen {
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

// The result of each filter for one person, nested as in the condition.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { draftOf, placed, type ConditionNode } from "../../condition/draft.ts";
import { useKnownNames } from "../../condition/known-names.ts";
import { subjectOf } from "../../condition/subjects.ts";
import { describe, type ConditionNames } from "../../condition/describe.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Time } from "../../parts/time.tsx";
import { conditionTexts, segmentsTexts } from "../../texts/areas.ts";
import type { Explanation } from "../calls.ts";

type ResultNode = Explanation["filters"][number];

export function FilterResults({ explanation }: { readonly explanation: Explanation }) {
  const { segments, topics } = useKnownNames();
  const words = { t: useTexts(conditionTexts), segments, topics, number: useFormats().number };
  const draft = draftOf(explanation.condition);
  const places = placed(draft)?.places;
  const filters = new Map(explanation.filters.map((one) => [one.at, one]));
  const groups = new Map(explanation.groups.map(({ at, matches }) => [at, matches]));
  const item = (node: ConditionNode): ReactNode => {
    const at = places?.get(node.id) ?? "";
    if (node.kind === "group")
      return <Group key={at} join={node.join} matches={groups.get(at) === true} items={node.items.map(item)} />;
    const judged = filters.get(at);
    return judged && <Filter key={at} judged={judged} sentence={describe(node, words)} words={words} />;
  };
  return <ul className="tl">{draft.items.map(item)}</ul>;
}

type GroupProps = { readonly join: "all" | "any"; readonly matches: boolean; readonly items: readonly ReactNode[] };

function Group({ join, matches, items }: GroupProps) {
  const t = useTexts(segmentsTexts).why;
  return (
    <li>
      <Verdict matches={matches} />
      <div>
        <b>{join === "all" ? t.allOf : t.anyOf}</b>
        <ul className="tl">{items}</ul>
      </div>
    </li>
  );
}

function Verdict({ matches }: { readonly matches: boolean }) {
  const t = useTexts(segmentsTexts).why;
  return (
    <>
      <StatusIcon name={matches ? "check" : "cross"} tone={matches ? "ok" : "bad"} />
      <span className="hidden-text">{matches ? t.yes : t.no}</span>
    </>
  );
}

type FilterProps = { readonly judged: ResultNode; readonly sentence: string; readonly words: ConditionNames };

function Filter({ judged, sentence, words }: FilterProps) {
  return (
    <li>
      <Verdict matches={judged.matches} />
      <div>
        <b>{sentence}</b>
        <p>
          <Seen judged={judged} words={words} />
        </p>
      </div>
    </li>
  );
}

function Seen({ judged: { filter, seen, emailId }, words }: Omit<FilterProps, "sentence">) {
  const t = useTexts(segmentsTexts).why;
  const { kind } = subjectOf(filter);
  if (kind === "segment") return seen === true ? t.inIt : t.notInIt;
  if (kind === "event" || kind === "mail")
    return typeof seen === "string" ? (
      <>
        {t.last} <Time at={seen} />
        {emailId && (
          <>
            {": "}
            <Link to="/mail/$id" params={{ id: emailId }}>
              {t.mail}
            </Link>
          </>
        )}
        .
      </>
    ) : (
      t.never
    );
  if (seen === null || seen === undefined) return t.nothing;
  return t.saw(valueText(seen, words));
}

function valueText(seen: unknown, { t, number }: ConditionNames): string {
  if (typeof seen === "string") return t.quoted(seen);
  if (typeof seen === "boolean") return seen ? t.yes : t.no;
  return typeof seen === "number" ? number(seen) : JSON.stringify(seen);
}

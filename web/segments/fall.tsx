// How the number of people falls, from everybody, with each part of the condition.
import { useMemo } from "react";
import { draftOf, written, type Condition } from "../condition/draft.ts";
import { useKnown } from "../condition/known.ts";
import type { Preview } from "../condition/preview.ts";
import { said } from "../condition/words.ts";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { conditionTexts, segmentsTexts } from "../texts/areas.ts";

type FallProps = { readonly preview: Preview; readonly condition: Condition };

export function Fall({ preview, condition }: FallProps) {
  const t = useTexts(segmentsTexts).fall;
  const words = { t: useTexts(conditionTexts), segments: useKnown().segments, number: useFormats().number };
  const { draft, places } = useMemo(() => {
    const draft = draftOf(condition);
    return { draft, places: written(draft)?.places };
  }, [condition]);
  const { contacts, perFilter = [], approximate } = preview;
  const rows = draft.items.map((item, at) => {
    const place = places?.get(item.id);
    const sentence = said(item, words);
    const joined = at === 0 ? sentence : draft.join === "all" ? t.and(sentence) : t.or(sentence);
    return { id: item.id, sentence: joined, left: perFilter.find((one) => one.at === place)?.remaining };
  });
  const all = { id: 0, sentence: t.everybody, left: contacts };
  return (
    <section className="stack fall-rows" aria-label={t.title}>
      <h3>{t.title}</h3>
      {[all, ...rows].map(({ id, sentence, left }) => (
        <div className="fall-row" key={id}>
          <span>{sentence}</span>
          <Meter share={(left ?? 0) / Math.max(1, contacts)} />
          <b className="end">
            {left === undefined ? "" : approximate ? words.t.about(words.number(left)) : words.number(left)}
          </b>
        </div>
      ))}
    </section>
  );
}

const WIDTH = 1_000;

function Meter({ share }: { readonly share: number }) {
  return (
    <svg className="meter" viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="g" width={WIDTH} height="8" />
      <rect className="v" width={Math.min(WIDTH, share * WIDTH)} height="8" />
    </svg>
  );
}

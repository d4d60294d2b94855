// Some of the people whom the condition finds, a few at a time, each to be asked about.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Standing } from "../condition/found-people.tsx";
import type { Preview } from "../condition/preview.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { segmentsTexts } from "../texts/areas.ts";

const SHOWN = 4;

type ExamplesProps = { readonly preview: Preview | undefined; readonly ask: (email: string) => void };

export function Examples({ preview, ask }: ExamplesProps) {
  const t = useTexts(segmentsTexts).examples;
  const [from, setFrom] = useState(0);
  const sample = preview?.sample ?? [];
  const start = from < sample.length ? from : 0;
  const others = () => setFrom(start + SHOWN < sample.length ? start + SHOWN : 0);
  return (
    <>
      <div className="examples-head inline">
        <h2>{t.title}</h2>
        {sample.length > SHOWN && (
          <span className="push">
            <Button kind="quiet" icon="again" onClick={others}>
              {t.others}
            </Button>
          </span>
        )}
      </div>
      <div className="rows examples">
        {sample.slice(start, start + SHOWN).map((person) => (
          <div className="line" key={person.id}>
            <Link className="cut plain" to="/people/$id" params={{ id: person.id }}>
              {person.email}
            </Link>
            <span className="small">
              <Standing {...person} />
            </span>
            <button
              type="button"
              className="text-btn end"
              aria-label={t.whyOf(person.email)}
              onClick={() => ask(person.email)}
            >
              {t.why}
            </button>
          </div>
        ))}
        {sample.length === 0 && <p className="line none dim">{preview ? t.none : t.wait}</p>}
      </div>
    </>
  );
}

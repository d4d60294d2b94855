// One place to write what a mail says, for templates, campaigns and mail steps:
//
//   <Writing value={written} onChange={(written) => …} hold={…} kind="MARKETING" from={…} fault={saving.fault}
//   disabledReason={useDisabledReason(…)} />
//
// `value` is a `Written` (written.ts): subject, preheader, body, text, design. `onChange` is called for each change;
// the caller keeps the value, and saves it by itself with `useAutosave` (saving/autosave.ts), of which `hold` is, and
// says so with `<SavingState>` (saving/state.tsx). It fills a `.split`: the writing on the left, the preview as
// somebody on the right; on a phone one of the two. Both keep what they show to themselves, so a screen needs no more
// than this. What the server refuses of the text stands under its line.
import { useState } from "react";
import { useTexts } from "../language.ts";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { writingTexts } from "../texts/areas.ts";
import { Editing } from "./editing.tsx";
import { usePreview } from "./preview/asked.ts";
import { Preview, useReader } from "./preview/preview.tsx";
import type { WritingProps } from "./writing-props.ts";
import "./writing.css";

export function Writing(props: WritingProps) {
  const { value, kind, otherwise, actions, sender } = props;
  const t = useTexts(writingTexts);
  const reader = useReader(otherwise);
  const shown = usePreview({ value, kind, reader });
  const [side, show] = useState<"write" | "look">("write");
  return (
    <div className={side === "look" ? "fill writing open-second" : "fill writing"}>
      <div className="side-choice">
        <SegmentedControl
          label={t.part}
          value={side}
          onChange={show}
          choices={[
            { value: "write", content: t.write },
            { value: "look", content: t.look },
          ]}
        />
      </div>
      <div className="split">
        <section className="first" aria-label={t.write}>
          <Editing {...props} fault={shown.fault ?? props.fault} preheaderRead={shown.shown?.preheader ?? ""} />
        </section>
        <section className="second" aria-label={t.look}>
          <Preview value={value} otherwise={otherwise} actions={actions} sender={sender} shown={shown} />
        </section>
      </div>
    </div>
  );
}

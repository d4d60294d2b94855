// The editor for templates, campaigns and workflow emails:
//
//   <Writing value={content} onChange={(content) => …} hold={…} kind="MARKETING" from={…} fault={saving.fault}
//   disabledReason={useDisabledReason(…)} />
//
// `value` is a `Content` (content.ts): subject, preheader, body, text, design. `onChange` is called for each change. The
// caller keeps the value, saves it with `useAutosave` (saving/autosave.ts), which also provides `hold`, and shows
// `<SavingState>` (saving/saving-state.tsx). It fills a `.split`: the editor on the left, the preview on the right; on a
// phone one of the two. The server's errors show under their line.
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { writingTexts } from "../texts/areas.ts";
import { EditorPane } from "./editor-pane.tsx";
import { usePreview } from "./preview/use-preview.ts";
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
          <EditorPane {...props} fault={shown.fault ?? props.fault} preheaderRead={shown.shown?.preheader ?? ""} />
        </section>
        <section className="second" aria-label={t.look}>
          <Preview value={value} otherwise={otherwise} actions={actions} sender={sender} shown={shown} />
        </section>
      </div>
    </div>
  );
}

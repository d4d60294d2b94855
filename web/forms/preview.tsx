// A preview of the form's page while the form is edited.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { Panel } from "../parts/layout.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { formsTexts } from "../texts/areas.ts";
import { useDebounced } from "../base/use-debounced.ts";
import type { RecipientLanguage } from "../calls/workspace.ts";
import { DraftFrame } from "../writing/preview/frame.tsx";
import { previewQuery } from "./calls.ts";
import { bodyOf, type FormDraft } from "./draft.ts";

const TYPING_MS = 250;

/** The visible parts of the form, without incomplete and repeated fields: the API would refuse them. */
function shownOf(draft: FormDraft) {
  const { title, intro, button, consent, topics, besides, fields = [] } = bodyOf(draft);
  const names = new Set<string>();
  const whole = (fields ?? []).filter(({ name, type, options }) => {
    const isFit = name !== "" && !names.has(name) && (type !== "choice" || options?.some(({ value }) => value !== ""));
    names.add(name);
    return isFit;
  });
  return {
    title: title ?? {},
    intro: intro ?? {},
    button: button ?? {},
    consent: consent ?? null,
    fields: whole,
    topics: topics ?? [],
    besides: besides ?? {},
    name: "-",
  };
}

type FormPreviewProps = { readonly draft: FormDraft; readonly language: RecipientLanguage };

export function Preview({ draft, language }: FormPreviewProps) {
  const t = useTexts(formsTexts);
  const [scheme, setScheme] = useState<"light" | "dark">("light");
  const settled = useDebounced(draft, TYPING_MS);
  const { data: html, isError } = useQuery(previewQuery(shownOf(settled), language));
  const schemes = [
    { value: "light" as const, content: <Icon name="sun" />, label: t.light },
    { value: "dark" as const, content: <Icon name="moon" />, label: t.dark },
  ];
  return (
    <div className="form-preview">
      <Panel
        title={t.preview}
        actions={
          <span className="push">
            <SegmentedControl label={t.scheme} icons small choices={schemes} value={scheme} onChange={setScheme} />
          </span>
        }
      >
        {isError && <p className="pad dim row-text">{t.noPreview}</p>}
        <div className="sample">
          {html !== undefined && (
            <DraftFrame html={html} title={t.preview} look={{ width: "wide", scheme, hasImages: true }} />
          )}
        </div>
      </Panel>
    </div>
  );
}

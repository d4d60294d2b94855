// Settings → Brand: colours, fonts, logo, sender and footer of visual emails, with a sample email and the image
// library.
import { useSuspenseQuery, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Gallery } from "../images/gallery.tsx";
import { useTexts } from "../base/language.ts";
import { loadChunk } from "../base/load-chunk.ts";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/layout.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useSeen } from "../saving/saved-over.ts";
import { KeptInFiles } from "../saving/kept-in-files.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { SettingsBar } from "../settings/settings-bar.tsx";
import { brandTexts } from "../texts/areas.ts";
import { brandQuery, lookOf, useSaveBrand, type Brand } from "./calls.ts";
import { BrandForm } from "./form.tsx";
import { DraftFrame } from "../writing/preview/frame.tsx";
import type { MailColours, Piece } from "../writing/visual/document.ts";
import "./brand.css";

export function BrandScreen() {
  const t = useTexts(brandTexts);
  const { data: now } = useSuspenseQuery(brandQuery);
  const disabledReason = useDisabledReason("templates.write");
  const [isChanged, setChanged] = useState(false);
  const saved = useSeen(now, isChanged);
  const [{ of, shown }, setShown] = useState({ of: saved, shown: saved });
  if (of !== saved) setShown({ of: saved, shown: saved });
  const show = (brand: Brand) => {
    setChanged(true);
    setShown({ of: saved, shown: brand });
  };
  const form = useId();
  const saving = useSaveBrand(saved, (_, isMine) => {
    setChanged(false);
    if (isMine) showToast(t.saved);
  });
  return (
    <>
      <SettingsBar
        tab="brand"
        call={{ path: "/workspace/brand" }}
        actions={
          <Button kind="first" type="submit" form={form} disabledReason={disabledReason} busy={saving.isPending}>
            {t.save}
          </Button>
        }
      />
      <div className="page brand">
        <KeptInFiles kind="brand" id="brand" />
        <p className="dim">{t.what}</p>
        <div className="cols brand-cols" onInput={() => setChanged(true)}>
          <BrandForm
            key={saved.updatedAt}
            id={form}
            saving={saving}
            saved={saved}
            shown={shown}
            show={show}
            disabledReason={disabledReason}
          />
          <Panel title={t.sample}>
            <Sample look={lookOf(shown)} />
          </Panel>
        </div>
        <Panel title={t.images}>
          <div className="pad">
            <Gallery disabledReason={disabledReason} />
          </div>
        </Panel>
      </div>
    </>
  );
}

const SAMPLE_LOOK = { width: "wide", scheme: "light", hasImages: false } as const;

function Sample({ look }: { readonly look: MailColours }) {
  const t = useTexts(brandTexts);
  const { data: html } = useQuery({
    queryKey: ["brand sample", look, t.sampleWords],
    queryFn: async () => {
      const { htmlOf } = await loadChunk(() => import("../writing/visual/mjml/html.ts"));
      return htmlOf(documentOf(t.sampleWords), look);
    },
    placeholderData: (before) => before,
    staleTime: Infinity,
  });
  return (
    <div className="sample">{html !== undefined && <DraftFrame html={html} title={t.sample} look={SAMPLE_LOOK} />}</div>
  );
}

function documentOf({
  title,
  words,
  action,
}: {
  readonly title: string;
  readonly words: string;
  readonly action: string;
}): Piece {
  const text = (value: string): Piece => ({ type: "text", text: value });
  return {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 1 }, content: [text(title)] },
      { type: "paragraph", content: [text(words)] },
      { type: "button", attrs: { href: "https://example.com", align: "left" }, content: [text(action)] },
    ],
  };
}

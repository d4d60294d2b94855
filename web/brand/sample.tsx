// A mail that has the brand, as the editor would begin it.
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../language.ts";
import { brandTexts } from "../texts/areas.ts";
import { DraftFrame } from "../writing/preview/frame.tsx";
import type { Look, Piece } from "../writing/visual/document.ts";

const LOOK = { width: "wide", scheme: "light", hasImages: false } as const;

export function Sample({ look }: { readonly look: Look }) {
  const t = useTexts(brandTexts);
  const { data: html } = useQuery({
    queryKey: ["brand sample", look, t.sampleWords],
    queryFn: async () => {
      const { htmlOf } = await import("../writing/visual/html.ts");
      return htmlOf(documentOf(t.sampleWords), look);
    },
    placeholderData: (before) => before,
    staleTime: Infinity,
  });
  return <div className="sample">{html !== undefined && <DraftFrame html={html} title={t.sample} look={LOOK} />}</div>;
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
  const text = (said: string): Piece => ({ type: "text", text: said });
  return {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 1 }, content: [text(title)] },
      { type: "paragraph", content: [text(words)] },
      { type: "button", attrs: { href: "https://example.com", align: "left" }, content: [text(action)] },
    ],
  };
}

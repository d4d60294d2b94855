// The confirmation before a switch between visual and code.
import { useTexts } from "../../base/language.ts";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { visualTexts } from "../../texts/areas.ts";
import type { Content } from "../content.ts";
import type { Piece } from "./document.ts";

type ModeQuestionProps = {
  readonly to: "code" | "visual";
  readonly value: Content;
  readonly set: (change: Partial<Content>) => void;
  readonly close: () => void;
};

export function ModeQuestion({ to, value, set, close }: ModeQuestionProps) {
  const { toCode, toVisual } = useTexts(visualTexts);
  const t = to === "code" ? toCode : toVisual;
  const go = () => {
    close();
    set({ design: to === "code" ? null : { kind: "visual", source: wholeAsOne(value.body) } });
  };
  return <Question title={t.title} close={close} action={t.go} run={go} text={t.text} />;
}

/** Keeps the code as one HTML block. The body is unchanged until an edit. */
function wholeAsOne(html: string): Readonly<Record<string, unknown>> {
  const content: readonly Piece[] = [{ type: "rawHtml", attrs: { html: inside(html) } }, { type: "paragraph" }];
  return { type: "doc", content };
}

/** The content of <body>; compiling adds a new frame. */
function inside(html: string): string {
  return (/<body\b[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html).trim();
}

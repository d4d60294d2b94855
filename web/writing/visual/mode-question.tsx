// From visual to code and back there is one way each, which is said before anybody goes it.
import { useTexts } from "../../language.ts";
import { Question } from "../../parts/form-dialog.tsx";
import { visualTexts } from "../../texts/areas.ts";
import type { Written } from "../written.ts";
import type { Piece } from "./document.ts";

type ModeQuestionProps = {
  readonly to: "code" | "visual";
  readonly value: Written;
  readonly set: (change: Partial<Written>) => void;
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

/** The code as a block, so that nothing is lost. The body stays as it is until something is changed. */
function wholeAsOne(html: string): Readonly<Record<string, unknown>> {
  const content: readonly Piece[] = [{ type: "rawHtml", attrs: { html: inside(html) } }, { type: "paragraph" }];
  return { type: "doc", content };
}

/** What stands in the body: the frame round it is the editor's. */
function inside(html: string): string {
  return (/<body\b[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html).trim();
}

// Another person has saved the workflow during editing: reload, or keep this version.
import { Suspense } from "react";
import { lazyPart, nothing } from "../../chunks.tsx";
import type { NamedDifference } from "../../saving/differences.tsx";
import { describeStep, titleOf, type StepNames } from "../describe-step.ts";
import type { Drawing, DrawnStep } from "../drawing.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { workflowsTexts } from "../../texts/areas.ts";

const DifferenceTable = lazyPart(() => import("../../saving/differences.tsx"), "DifferenceTable", nothing);

type ConflictBannerProps = {
  readonly theirs: () => void;
  readonly mine: () => void;
  readonly drawings: { readonly theirs: Drawing; readonly mine: Drawing };
  readonly words: StepNames;
};

export function ConflictBanner({ theirs, mine, drawings, words }: ConflictBannerProps) {
  const { overtaken: t } = useTexts(workflowsTexts);
  const rows = differencesIn(drawings.theirs, drawings.mine, words);
  return (
    <Banner tone="warn" role="alert">
      <b>{t.title}</b> {t.text}
      <Suspense>{rows.length > 0 && <DifferenceTable rows={rows} />}</Suspense>
      <span className="push inline">
        <Button small onClick={theirs}>
          {t.theirs}
        </Button>
        <Button small onClick={mine}>
          {t.mine}
        </Button>
      </span>
    </Banner>
  );
}

/** The differences by step, described in both versions. */
function differencesIn(theirs: Drawing, mine: Drawing, words: StepNames): readonly NamedDifference[] {
  const refs = [...new Set([...theirs.steps, ...mine.steps].map(({ ref }) => ref))];
  return refs.flatMap((ref) => {
    const [their, my] = [theirs, mine].map((drawing) => inWords(drawing, ref, words)) as [ConflictText, ConflictText];
    if (JSON.stringify(their?.step) === JSON.stringify(my?.step)) return [];
    const name = my?.title ?? their?.title ?? "";
    return [{ id: ref, name, theirs: their?.text ?? null, mine: my?.text ?? null }];
  });
}

type ConflictText = { readonly title: string; readonly text: string; readonly step: Partial<DrawnStep> } | null;

function inWords(drawing: Drawing, ref: string, words: StepNames): ConflictText {
  const found = drawing.steps.find((step) => step.ref === ref);
  if (!found) return null;
  const { position: _, ...step } = found as DrawnStep & { readonly position?: unknown };
  const title = titleOf(found, drawing, words);
  return { title, text: `${title}: ${describeStep(found, drawing, words)}`, step };
}

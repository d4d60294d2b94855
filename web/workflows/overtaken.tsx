// Somebody else has saved the workflow while this one was being drawn: nobody's work is overwritten without a word.
import { useTexts } from "../language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { workflowsTexts } from "../texts/areas.ts";

type OvertakenProps = { readonly theirs: () => void; readonly mine: () => void };

export function Overtaken({ theirs, mine }: OvertakenProps) {
  const { overtaken: t } = useTexts(workflowsTexts);
  return (
    <Banner tone="warn" role="alert">
      <b>{t.title}</b> {t.text}
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

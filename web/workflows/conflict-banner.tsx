// Somebody else saved the workflow during editing: reload, or keep this version.
import { useTexts } from "../language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { workflowsTexts } from "../texts/areas.ts";

type ConflictBannerProps = { readonly theirs: () => void; readonly mine: () => void };

export function ConflictBanner({ theirs, mine }: ConflictBannerProps) {
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

// Asks which version to keep, and shows the differences.
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { savingTexts } from "../texts/areas.ts";
import { Differences } from "./differences.tsx";
import { useSavedAgo } from "./saved-ago.ts";
import type { VersionChoice } from "./asked-choice.ts";

export function ChoiceDialog({ theirs, mine, answer }: VersionChoice) {
  const t = useTexts(savingTexts);
  const ago = useSavedAgo();
  const when = ago(theirs.updatedAt ?? "");
  const name = theirs.updatedBy?.name;
  const actions = (
    <>
      <Button kind="quiet" onClick={() => answer(null)}>
        {t.later}
      </Button>
      <Button onClick={() => answer("theirs")}>{t.theirs}</Button>
      <Button kind="first" onClick={() => answer("mine")}>
        {t.mine}
      </Button>
    </>
  );
  return (
    <Dialog title={t.title} isOpen wide stays onClose={() => answer(null)} actions={actions}>
      <p>
        <b>{name ? t.by(name, when) : t.somebody(when)}</b> {t.text}
      </p>
      <Differences theirs={theirs} mine={mine} />
    </Dialog>
  );
}

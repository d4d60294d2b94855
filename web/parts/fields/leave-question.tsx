// Asks before leaving a form with unsaved changes.
import { useTexts } from "../../base/language.ts";
import { leaveTexts } from "../../texts/areas.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../overlays/dialog.tsx";

export function LeaveQuestion({ answer }: { readonly answer: (leaves: boolean) => void }) {
  const t = useTexts(leaveTexts);
  return (
    <Dialog
      title={t.title}
      isOpen
      onClose={() => answer(false)}
      actions={
        <>
          <Button kind="risk" onClick={() => answer(true)}>
            {t.leave}
          </Button>
          <Button kind="first" onClick={() => answer(false)}>
            {t.stay}
          </Button>
        </>
      }
    >
      <p>{t.text}</p>
    </Dialog>
  );
}

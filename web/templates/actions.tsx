// What can be done with a whole template: copied, deleted with what uses it said first.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FaultBanner } from "../parts/form.tsx";
import { Menu } from "../parts/menu.tsx";
import { showToast } from "../parts/toast.tsx";
import { frameTexts, templatesTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { useDuplicating, useRemoving, type Template } from "./calls.ts";
import { Uses, useUses } from "./used-by.tsx";

type ActionsProps = {
  readonly template: Template;
  readonly disabledReason: string | undefined;
  /** What is being written is saved first. */
  readonly flush: () => Promise<void>;
};

export function TemplateActions({ template, disabledReason, flush }: ActionsProps) {
  const t = useTexts(templatesTexts);
  const navigate = useNavigate();
  const [removes, setRemoves] = useState(false);
  const copying = useDuplicating(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/templates/$id", params: { id } });
  });
  const copy = () => void flush().then(() => copying.mutate(template.id));
  const remove = () => setRemoves(true);
  useVerbs([
    { id: "duplicate template", name: t.duplicate, icon: "copy", run: copy, disabledReason },
    { id: "delete template", name: t.remove, icon: "trash", run: remove, disabledReason },
  ]);
  return (
    <>
      <Menu
        label={t.what(template.name)}
        className="btn quiet only"
        entries={[
          { id: "duplicate", name: t.duplicate, icon: "copy", run: copy, disabledReason },
          "line",
          { id: "delete", name: t.remove, icon: "trash", risk: true, run: remove, disabledReason },
        ]}
      />
      {removes && <Remove template={template} close={() => setRemoves(false)} />}
    </>
  );
}

function Remove({ template, close }: { readonly template: Template; readonly close: () => void }) {
  const t = useTexts(templatesTexts);
  const { cancel } = useTexts(frameTexts);
  const navigate = useNavigate();
  const uses = useUses(template.id);
  const removing = useRemoving(({ name }) => {
    close();
    showToast(t.removed(name));
    void navigate({ to: "/templates" });
  });
  const inUse = uses !== undefined && uses.workflows.length > 0;
  return (
    <Dialog
      title={t.removeTitle(template.name)}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button
            kind="risk"
            busy={removing.isPending}
            disabledReason={inUse ? t.inUse : undefined}
            onClick={() => removing.mutate(template)}
          >
            {t.removeNow}
          </Button>
        </>
      }
    >
      {removing.error != null && <FaultBanner fault={removing.error} />}
      <p>{inUse ? t.inUse : t.removeText}</p>
      {uses && <Uses uses={uses} />}
    </Dialog>
  );
}

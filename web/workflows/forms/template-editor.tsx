// Edits the template of a SEND_EMAIL step over the canvas, with autosave and a note on its other uses.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useDrawn } from "../canvas/on-canvas.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { templateQuery, useTemplateAutosave } from "../../templates/calls.ts";
import { Sender, senderName } from "../../templates/sender.tsx";
import { useUses } from "../../templates/used-by.tsx";
import { Conflict, SavingState } from "../../writing/saving/saving-state.tsx";
import { Writing } from "../../writing/writing.tsx";

type TemplateEditorProps = { readonly id: string; readonly step: string; readonly close: () => void };

export function TemplateEditor({ id, step, close }: TemplateEditorProps) {
  const { words } = useDrawn();
  const { form: t } = words.t;
  const { data: template } = useSuspenseQuery(templateQuery(id));
  const disabledReason = useDisabledReason("templates.write");
  const saving = useTemplateAutosave(template);
  const { state, flush } = saving;
  const [isLeaving, leave] = useState(false);
  const isHeld = isLeaving && (state === "refused" || state === "away" || state === "conflict");
  useEffect(() => {
    if (isLeaving && state === "saved") close();
  }, [isLeaving, state, close]);
  // Refetches the template's name and sender, the email of the test run, and the check of its sender.
  useEffect(() => refresh, []);
  return (
    <Dialog title={template.name} isOpen whole onClose={close}>
      <div className="mail-head">
        <SharedNotice template={id} step={step} />
        <span className="push inline l">
          {disabledReason === undefined && <SavingState saving={saving} row={template} />}
          <Button
            kind="first"
            onClick={() => {
              leave(true);
              void flush();
            }}
          >
            {t.backToCanvas}
          </Button>
        </span>
      </div>
      {isHeld && !saving.theirs && (
        <Banner tone="warn" role="alert" actions={<Button onClick={close}>{t.leaveUnsaved}</Button>}>
          {t.notSaved}
        </Banner>
      )}
      <Conflict saving={saving} />
      <Writing
        value={saving.value}
        onChange={(value) => {
          leave(false);
          saving.set(value);
        }}
        hold={saving.hold}
        kind={template.type}
        fault={saving.fault}
        hasEvent
        from={<Sender template={template} />}
        sender={senderName(template)}
      />
    </Dialog>
  );
}

function refresh(): void {
  for (const of of [["templates", "to choose from"], ["workflow trial"], ["workflow check"]])
    void queries.invalidateQueries({ queryKey: of });
}

/** Several steps may send the same template. */
function SharedNotice({ template, step }: { readonly template: string; readonly step: string }) {
  const { id, drawing, words } = useDrawn();
  const { form: t } = words.t;
  const { data: uses } = useUses(template);
  const here = drawing.steps.filter(({ ref, config }) => ref !== step && config["templateId"] === template);
  const elsewhere = uses?.workflows.filter((one) => one.id !== id) ?? [];
  const names = [...here, ...elsewhere].map(({ name }) => name);
  if (!uses) return <span className="dim" aria-busy="true" />;
  return <span className="dim">{names.length === 0 ? t.onlyHere : t.alsoUsed(names)}</span>;
}

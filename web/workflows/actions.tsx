// What can be done with a whole workflow: named, copied, stopped for everybody, deleted.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../api.ts";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FaultBanner, Field, Form } from "../parts/form.tsx";
import { Menu } from "../parts/menu.tsx";
import { showToast } from "../parts/toast.tsx";
import { queries } from "../queries.ts";
import { frameTexts, workflowsTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { useChanging, useDuplicating, useRemoving } from "./calls.ts";
import type { Workflow } from "./drawing.ts";

type ActionsProps = {
  readonly workflow: Workflow;
  readonly inside: number;
  readonly disabledReason: string | undefined;
  readonly showVersions: () => void;
};

type Asking = "rename" | "stop" | "remove" | null;

export function WorkflowActions({ workflow, inside, disabledReason, showVersions }: ActionsProps) {
  const t = useTexts(workflowsTexts);
  const navigate = useNavigate();
  const [asks, ask] = useState<Asking>(null);
  const copying = useDuplicating(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/workflows/$id", params: { id } });
  });
  const copy = () => copying.mutate(workflow.id);
  useVerbs([{ id: "duplicate workflow", name: t.duplicate, icon: "copy", run: copy, disabledReason }]);
  const close = () => ask(null);
  return (
    <>
      <Menu
        label={t.what(workflow.name)}
        className="btn quiet only"
        entries={[
          { id: "rename", name: t.rename, icon: "pencil", run: () => ask("rename"), disabledReason },
          { id: "duplicate", name: t.duplicate, icon: "copy", run: copy, disabledReason },
          { id: "versions", name: t.versions, icon: "clock", run: showVersions },
          "line",
          {
            id: "stop",
            name: t.stopAll,
            icon: "pause",
            risk: true,
            run: () => ask("stop"),
            disabledReason: disabledReason ?? (inside === 0 ? t.people.none : undefined),
          },
          { id: "delete", name: t.remove, icon: "trash", risk: true, run: () => ask("remove"), disabledReason },
        ]}
      />
      {asks === "rename" && <Rename workflow={workflow} close={close} />}
      {asks === "stop" && <StopAll workflow={workflow} inside={inside} close={close} />}
      {asks === "remove" && <Remove workflow={workflow} close={close} />}
    </>
  );
}

type AskProps = { readonly workflow: Workflow; readonly close: () => void };

function Rename({ workflow: { id, name, description }, close }: AskProps) {
  const t = useTexts(workflowsTexts);
  const { cancel } = useTexts(frameTexts);
  const { mutate, isPending, error } = useChanging(id);
  return (
    <Dialog title={t.rename} isOpen onClose={close}>
      <Form
        fault={error}
        unsaved={false}
        onSubmit={(values) =>
          mutate({ name: values["name"] ?? "", description: values["description"] || null }, { onSuccess: close })
        }
      >
        <Field name="name" label={t.starter.name} defaultValue={name} maxLength={100} autoFocus />
        <Field name="description" label={t.description} defaultValue={description ?? ""} maxLength={500} />
        <div className="actions">
          <Button onClick={close}>{cancel}</Button>
          <Button kind="first" type="submit" busy={isPending}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function StopAll({ workflow: { id }, inside, close }: AskProps & { readonly inside: number }) {
  const t = useTexts(workflowsTexts);
  const { cancel } = useTexts(frameTexts);
  const { number } = useFormats();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => unwrap(api.POST("/workflows/{id}/executions/cancel-all", { params: { path: { id } } })),
    onSuccess: ({ cancelled }) => {
      void queries.invalidateQueries({ queryKey: ["workflows"] });
      showToast(t.stopped(cancelled, number(cancelled)));
      close();
    },
    meta: { inForm: true },
  });
  return (
    <Dialog
      title={t.stopAllTitle(inside, number(inside))}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button kind="risk" busy={isPending} onClick={() => mutate()}>
            {t.stopAllAct}
          </Button>
        </>
      }
    >
      {error != null && <FaultBanner fault={error} />}
      <p>{t.stopAllText}</p>
    </Dialog>
  );
}

function Remove({ workflow: { id, name }, close }: AskProps) {
  const t = useTexts(workflowsTexts);
  const { cancel } = useTexts(frameTexts);
  const navigate = useNavigate();
  const { mutate, isPending, error } = useRemoving(() => {
    close();
    showToast(t.removed(name));
    void navigate({ to: "/workflows" });
  });
  return (
    <Dialog
      title={t.removeTitle(name)}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button kind="risk" busy={isPending} onClick={() => mutate(id)}>
            {t.removeAct}
          </Button>
        </>
      }
    >
      {error != null && <FaultBanner fault={error} />}
      <p>{t.removeText}</p>
    </Dialog>
  );
}

// Two dialogs before an action: a form to fill in, and a question to confirm.
import { useEffect, type ComponentProps, type ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { leaveForm } from "../../calls/queries.ts";
import { frameTexts } from "../../texts/areas.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import { FaultBanner, Form, FormActions } from "./form.tsx";

type FormDialogProps = Pick<ComponentProps<typeof Dialog>, "title" | "wide" | "stays"> &
  Pick<ComponentProps<typeof Form>, "onSubmit" | "unsaved"> &
  Omit<ComponentProps<typeof FormActions>, "busy" | "close"> & {
    readonly close: () => void;
    /** The mutation of the form. */
    readonly sending: { readonly error: unknown; readonly isPending: boolean };
    readonly children: ReactNode;
  };

export function FormDialog(props: FormDialogProps) {
  const { title, wide, stays, onSubmit, unsaved, close, sending, children, ...actions } = props;
  return (
    <Dialog title={title} isOpen onClose={close} wide={wide} stays={stays}>
      <Form fault={sending.error} unsaved={unsaved} onSubmit={onSubmit}>
        {children}
        <FormActions {...actions} close={close} busy={sending.isPending} />
      </Form>
    </Dialog>
  );
}

type QuestionProps = Pick<ComponentProps<typeof Dialog>, "title" | "wide"> &
  Pick<ComponentProps<typeof Button>, "icon" | "busy" | "disabledReason" | "autoFocus"> & {
    /** The label of the confirming button. */
    readonly action: ReactNode;
    readonly run: () => void;
    readonly close: () => void;
    readonly risk?: boolean | undefined;
    /** Replaces "Cancel". */
    readonly cancel?: string | undefined;
    readonly fault?: unknown;
    readonly text?: ReactNode;
    /** Shown below the text, or instead of it. */
    readonly children?: ReactNode;
  };

/** Confirms an action that cannot be undone or affects many records. */
export function Question(props: QuestionProps) {
  const { title, wide, action, run, close, risk, cancel, fault, text, children, ...button } = props;
  const t = useTexts(frameTexts);
  useEffect(() => leaveForm, []);
  const actions = (
    <>
      <Button onClick={close}>{cancel ?? t.cancel}</Button>
      <Button kind={risk ? "risk" : "first"} {...button} onClick={run}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} isOpen onClose={close} wide={wide} actions={actions}>
      {fault != null && <FaultBanner fault={fault} />}
      {text && <p>{text}</p>}
      {children}
    </Dialog>
  );
}

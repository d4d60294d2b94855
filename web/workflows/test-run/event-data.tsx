// The event of the test run: a choice of recent ones, and its data to edit.
import { useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useDrawn } from "../canvas/on-canvas.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { TextField } from "../../parts/fields/form.tsx";
import { useNow } from "../../parts/time.tsx";
import { readJson } from "../forms/webhook-fields.tsx";
import type { Choices, TestRun } from "./test-run.ts";

type EventProps = {
  readonly choices: Choices;
  readonly choose: (choices: Choices) => void;
  readonly event: NonNullable<TestRun["found"]>["event"];
};

/** A button with the event's name that opens its data. A schedule has no data. */
export function TestedEvent({ choices, choose, event }: EventProps) {
  const { words, drawing } = useDrawn();
  const { trial: t } = words.t;
  const { brief } = useFormats();
  const now = useNow();
  const [isOpen, open] = useState(false);
  if (drawing.trigger.type === "SCHEDULE") return null;
  const name = event.name ?? t.start;
  const said =
    choices.event !== null
      ? t.edited(name)
      : event.createdAt !== null
        ? t.last(name, brief(new Date(event.createdAt), now))
        : t.without(name);
  return (
    <>
      <Button small icon="pencil" className="tested-event" title={t.dataOf(name)} onClick={() => open(true)}>
        <span className="cut">{said}</span>
      </Button>
      {isOpen && <DataDialog name={name} choices={choices} choose={choose} event={event} close={() => open(false)} />}
    </>
  );
}

type DialogProps = EventProps & { readonly name: string; readonly close: () => void };

function DataDialog({ name, choices, choose, event, close }: DialogProps) {
  const { words } = useDrawn();
  const { trial: t, form } = words.t;
  const [typed, setTyped] = useState(JSON.stringify(event.data, null, 2));
  const read = typed.trim() === "" ? {} : readJson(typed);
  const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
  const use = (next: Choices["event"]) => {
    choose({ ...choices, event: next });
    close();
  };
  return (
    <Dialog
      title={t.dataOf(name)}
      isOpen
      onClose={close}
      actions={
        <>
          {choices.event !== null && <Button onClick={() => use(null)}>{t.useLast}</Button>}
          <Button
            kind="first"
            disabledReason={isObject ? undefined : form.bodyFault}
            onClick={() => use(read as Choices["event"])}
          >
            {t.useData}
          </Button>
        </>
      }
    >
      <TextField
        name="eventData"
        label={t.data}
        help={t.dataHelp}
        rows={8}
        className="input code-text"
        spellCheck={false}
        value={typed}
        fault={isObject ? undefined : form.bodyFault}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
    </Dialog>
  );
}

// The data of the event that starts the test run, as JSON.
import { useState } from "react";
import { useDrawn } from "./canvas/on-canvas.ts";
import { Field } from "../parts/form.tsx";
import { readJson } from "./forms/webhook-fields.tsx";
import type { Choices } from "./test-run.ts";

type EventProps = { readonly choices: Choices; readonly choose: (choices: Choices) => void };

export function EventData({ choices, choose }: EventProps) {
  const { words } = useDrawn();
  const { trial: t } = words.t;
  const [typed, setTyped] = useState(Object.keys(choices.event).length === 0 ? "" : JSON.stringify(choices.event));
  const read = readJson(typed);
  const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
  return (
    <Field
      name="eventData"
      label={t.data}
      placeholder={t.dataHelp}
      fault={typed !== "" && !isObject ? words.t.form.bodyFault : undefined}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        const next = readJson(value);
        if (value.trim() === "") choose({ ...choices, event: {} });
        else if (typeof next === "object" && next !== null && !Array.isArray(next))
          choose({ ...choices, event: next as Choices["event"] });
      }}
    />
  );
}

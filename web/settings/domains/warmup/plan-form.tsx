// The plan of a warm-up: emails a day, for all mailbox providers and separately for some.
import { useState } from "react";
import { useTexts } from "../../../base/language.ts";
import { Field, TextField } from "../../../parts/fields/form.tsx";
import { FormDialog } from "../../../parts/fields/form-dialog.tsx";
import { warmupTexts } from "../../../texts/areas.ts";
import { PROVIDER_NAMES } from "../../../texts/provider-names.ts";
import { usePlanChange, type WarmupSubject, type Warmup } from "./calls.ts";

const MOST_DAYS = 90;
const MOST_A_DAY = 1_000_000;

type PlanFormProps = { readonly of: WarmupSubject; readonly warmup: Warmup; readonly close: () => void };

export function PlanForm({ of, warmup, close }: PlanFormProps) {
  const t = useTexts(warmupTexts);
  const [seen] = useState(warmup);
  const { plan } = seen;
  const change = usePlanChange(of, seen, close);
  const [days, setDays] = useState(plan.days.join(", "));
  const [own, setOwn] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(plan.providers).map(([name, theirs]) => [name, theirs.join(", ")])),
  );
  const [isTried, setTried] = useState(false);
  const faultOf = (text: string) => (isTried && numbersIn(text) === null ? t.faulty : undefined);
  const save = () => {
    setTried(true);
    const named = Object.entries(own).filter(([, text]) => text.trim() !== "");
    const read = named.map(([name, text]) => [name, numbersIn(text)] as const);
    const all = numbersIn(days);
    if (all === null || read.some(([, numbers]) => numbers === null)) return;
    change.mutate({ days: all, providers: Object.fromEntries(read.map(([name, numbers]) => [name, numbers ?? []])) });
  };
  return (
    <FormDialog title={t.planTitle} close={close} sending={change} submit={t.save} onSubmit={save} wide>
      <TextField
        name="days"
        label={t.days}
        help={t.daysHelp}
        fault={faultOf(days)}
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
      <details>
        <summary>{t.own}</summary>
        <div className="stack l">
          <p className="dim row-text">{t.ownHelp}</p>
          {Object.entries(PROVIDER_NAMES).map(([name, label]) => (
            <Field
              key={name}
              name={`providers.${name}`}
              label={label}
              fault={own[name] ? faultOf(own[name]) : undefined}
              value={own[name] ?? ""}
              onChange={(event) => setOwn({ ...own, [name]: event.target.value })}
            />
          ))}
        </div>
      </details>
    </FormDialog>
  );
}

/** Null: not a valid plan. */
export function numbersIn(text: string): number[] | null {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  const numbers = words.map(Number);
  const isPlan = numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= MOST_A_DAY);
  return isPlan && numbers.length > 0 && numbers.length <= MOST_DAYS ? numbers : null;
}

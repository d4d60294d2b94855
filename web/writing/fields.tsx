// The inbox fields: subject, preheader, sender.
import { useId, useRef, type ReactNode, type RefObject } from "react";
import type { FieldFault } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { writingTexts } from "../texts/areas.ts";
import { VariableMenu } from "./variable-menu.tsx";
import type { Variable } from "./variables.ts";
import type { Content } from "./content.ts";

type FieldsProps = {
  readonly value: Content;
  /** The name of the template or campaign: a subject equal to it is prefilled, and typing replaces it. */
  readonly name: string | undefined;
  readonly set: (change: Partial<Content>) => void;
  /** The rendered preheader. */
  readonly preheaderRead: string;
  readonly from: ReactNode;
  readonly to: ReactNode;
  readonly faults: ReadonlyMap<string, FieldFault>;
  readonly disabledReason: string | undefined;
  readonly variables: readonly Variable[];
};

/** The usual number of characters that mail programs show. */
const PREHEADER_CHARS = 90;

export function Fields({ value, name, set, preheaderRead, from, to, faults, disabledReason, variables }: FieldsProps) {
  const t = useTexts(writingTexts);
  const { subject, preheader } = value;
  const count = [...preheaderRead].length;
  return (
    <div className="meta-fields">
      <Line
        label={t.subject}
        value={subject}
        isPrefilled={subject !== "" && subject === name}
        disabledReason={disabledReason}
        variables={variables}
        fault={faults.get("subject")}
        set={(subject) => set({ subject })}
      />
      <Line
        label={t.preheader}
        value={preheader}
        disabledReason={disabledReason}
        variables={variables}
        placeholder={t.preheaderHelp}
        fault={faults.get("preheader")}
        set={(preheader) => set({ preheader })}
      >
        {count > 0 && <span className="dim small">{t.ofPreheader(count, PREHEADER_CHARS)}</span>}
      </Line>
      {from && (
        <div className="meta-field">
          <span className="lab">{t.from}</span>
          {from}
        </div>
      )}
      {to && (
        <div className="meta-field">
          <span className="lab">{t.to}</span>
          {to}
        </div>
      )}
    </div>
  );
}

type TextFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly fault: FieldFault | undefined;
  readonly disabledReason: string | undefined;
  readonly variables: readonly Variable[];
  readonly placeholder?: string;
  readonly isPrefilled?: boolean;
  readonly children?: ReactNode;
};

function Line({
  label,
  value,
  set,
  fault,
  disabledReason,
  variables,
  placeholder,
  isPrefilled = false,
  children,
}: TextFieldProps) {
  const t = useTexts(writingTexts);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isEntered = useRef(false);
  return (
    <div className="meta-field">
      <label className="lab" htmlFor={id}>
        {label}
      </label>
      <span className="stack tight">
        <input
          ref={input}
          id={id}
          value={value}
          placeholder={placeholder}
          readOnly={disabledReason !== undefined}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault && `${id}-fault`}
          onFocus={({ target }) => {
            isEntered.current = isPrefilled;
            if (isPrefilled) target.select();
          }}
          onMouseUp={(event) => {
            // A click into a prefilled field selects all: by default it would place the cursor instead.
            if (isEntered.current) event.preventDefault();
            if (isEntered.current) event.currentTarget.select();
            isEntered.current = false;
          }}
          onChange={(event) => set(event.target.value)}
        />
        {fault && (
          <span className="fault" id={`${id}-fault`}>
            <StatusIcon name="failed" tone="bad" />
            {fault.message}
          </span>
        )}
      </span>
      <span className="inline">
        {children}
        <VariableMenu
          label={`${t.variable}: ${label}`}
          variables={variables}
          disabledReason={disabledReason}
          insert={(text) => set(withInserted(input, value, text))}
        />
      </span>
    </div>
  );
}

/** Inserts at the last cursor position. */
function withInserted(input: RefObject<HTMLInputElement | null>, value: string, text: string): string {
  const at = input.current?.selectionStart ?? value.length;
  return `${value.slice(0, at)}${text}${value.slice(input.current?.selectionEnd ?? at)}`;
}

// Forms: inputs keep their own values, and the server's errors show below the fields they name.
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from "react";
import { Fault, type FieldFault } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { askAgain, isOfQuery, leaveForm } from "../../calls/queries.ts";
import { frameTexts } from "../../texts/areas.ts";
import { Banner } from "../banner.tsx";
import { Button } from "../button.tsx";
import { StatusIcon, type IconName } from "../icons/icon.tsx";
import { Reason, useShown } from "../failed.tsx";
import { FieldRefusal } from "../refusal.tsx";
import { UnsavedGuard } from "./unsaved.tsx";

const Disabled = createContext<string | undefined>(undefined);

type DisabledFieldsProps = { readonly reason: string | undefined; readonly children: ReactNode };

/** Disables all fields inside, with a reason. */
export function DisabledFields({ reason, children }: DisabledFieldsProps) {
  return <Disabled value={reason}>{children}</Disabled>;
}

export function useDisabledFields(): string | undefined {
  return useContext(Disabled);
}

const Faults = createContext<ReadonlyMap<string, FieldFault>>(new Map());

type Values = Readonly<Record<string, string>>;
type FormProps = {
  readonly onSubmit: (values: Values, form: HTMLFormElement) => void;
  /** The error of the mutation: errors of fields are shown beside them, others above the form. */
  readonly fault?: unknown;
  readonly className?: string;
  /** For a submit button outside of the form: `form={id}`. */
  readonly id?: string;
  /** Leaving asks first; by default from the first input until it is sent. `false`: there is nothing to lose. */
  readonly unsaved?: boolean | undefined;
  readonly disabledReason?: string | undefined;
  readonly children: ReactNode;
};

export function Form(props: FormProps) {
  const { onSubmit, fault, className = "stack l", id, unsaved, disabledReason, children } = props;
  const [typed, setTyped] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // In a long form, the field with the error may be out of view.
  useEffect(() => {
    if (fault != null) form.current?.querySelector("[aria-invalid]")?.scrollIntoView({ block: "nearest" });
  }, [fault]);
  useEffect(() => leaveForm, []);
  const byField = new Map(fault instanceof Fault ? fault.errors.map((one) => [one.field, one]) : []);
  return (
    <form
      ref={form}
      id={id}
      className={className}
      noValidate
      onInput={() => setTyped(true)}
      onSubmit={(event) => {
        event.preventDefault();
        setTyped(false);
        onSubmit(valuesOf(event.currentTarget), event.currentTarget);
      }}
    >
      <Faults value={byField}>
        {fault != null && byField.size === 0 && <FaultBanner fault={fault} />}
        <Disabled value={disabledReason}>{children}</Disabled>
      </Faults>
      {/* A refused form is still unsaved. */}
      {(unsaved ?? (typed || fault != null)) && <UnsavedGuard inTab />}
    </form>
  );
}

type FormActionsProps = {
  /** The label of the submit button. */
  readonly submit: ReactNode;
  readonly busy: boolean;
  readonly close: () => void;
  /** Replaces "Cancel". */
  readonly cancel?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly disabledReason?: string | undefined;
  /** Further buttons, before these. */
  readonly more?: ReactNode;
};

/** The buttons of a form that can be closed. A form that is a whole page has its save button in the screen's head. */
export function FormActions({ submit, close, cancel, more, ...button }: FormActionsProps) {
  const t = useTexts(frameTexts);
  const fields = useDisabledFields();
  return (
    <div className="actions">
      {more}
      <Button onClick={close}>{cancel ?? t.cancel}</Button>
      <Button kind="first" type="submit" {...button} disabledReason={button.disabledReason ?? fields}>
        {submit}
      </Button>
    </div>
  );
}

function valuesOf(form: HTMLFormElement): Values {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(entries);
}

/** An error of the server, or a missing answer. */
export function FaultBanner({ fault }: { readonly fault: unknown }) {
  const t = useTexts(frameTexts);
  useShown(fault);
  const again = isOfQuery(fault) && (
    <Button small icon="again" onClick={askAgain}>
      {t.failed.again}
    </Button>
  );
  return (
    <Banner tone="bad" role="alert" actions={again}>
      <Reason fault={fault} />
    </Banner>
  );
}

type FieldProps = {
  readonly name: string;
  readonly label: string;
  /** Dim text beside the label. */
  readonly note?: string;
  readonly help?: ReactNode;
  /** Replaces the error from the server. */
  readonly fault?: string | undefined;
};

type InputProps = FieldProps & Omit<ComponentProps<"input">, "name" | "disabled">;

export function Field({ name, label, note, help, fault, ...input }: InputProps) {
  const id = useId();
  const disabledReason = useDisabledFields();
  const message = useFieldFault(name, fault);
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {note && <span>{note}</span>}
      </label>
      <input
        className="input"
        {...input}
        {...attributes(id, message, disabledReason ?? help)}
        name={name}
        disabled={disabledReason !== undefined}
      />
      <FieldNote id={id} message={message} help={disabledReason ?? help} />
    </div>
  );
}

type AreaProps = FieldProps & Omit<ComponentProps<"textarea">, "name" | "disabled">;

export function TextField({ name, label, note, help, fault, ...area }: AreaProps) {
  const id = useId();
  const disabledReason = useDisabledFields();
  const message = useFieldFault(name, fault);
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {note && <span>{note}</span>}
      </label>
      <textarea
        className="input"
        rows={4}
        {...area}
        {...attributes(id, message, disabledReason ?? help)}
        name={name}
        disabled={disabledReason !== undefined}
      />
      <FieldNote id={id} message={message} help={disabledReason ?? help} />
    </div>
  );
}

export function useFieldFault(name: string, fault: string | undefined): ReactNode {
  const faults = useContext(Faults);
  const message = faults.get(name);
  const part = [...faults.values()].find((one) => one.field.startsWith(`${name}.`));
  if (fault !== undefined) return fault;
  if (message) return <FieldRefusal fault={message} />;
  if (!part) return undefined;
  return (
    <>
      {part.field.slice(name.length + 1)}: <FieldRefusal fault={part} />
    </>
  );
}

function attributes(id: string, message: ReactNode, help: ReactNode) {
  const below = message !== undefined || help !== undefined;
  return {
    id,
    "aria-invalid": message !== undefined || undefined,
    "aria-describedby": below ? `${id}-below` : undefined,
  };
}

/** An error replaces the help text. */
export function FieldNote({
  id,
  message,
  help,
}: {
  readonly id: string;
  readonly message: ReactNode;
  readonly help: ReactNode;
}) {
  if (message !== undefined)
    return (
      <span className="fault" id={`${id}-below`}>
        <StatusIcon name="failed" tone="bad" />
        {message}
      </span>
    );
  return help === undefined ? null : (
    <span className="help" id={`${id}-below`}>
      {help}
    </span>
  );
}

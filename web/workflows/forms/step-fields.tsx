// The form of a step: what its kind is set to.
import type { Config, Step } from "../drawing.ts";
import type { Words } from "../said.ts";
import { ConditionFields } from "./condition-fields.tsx";
import "./forms.css";
import { MailFields } from "./mail-fields.tsx";
import { DelayFields, ExitFields, WaitFields } from "./plain-fields.tsx";
import { UpdateFields } from "./update-fields.tsx";
import { WebhookFields } from "./webhook-fields.tsx";

export type FieldsProps = {
  readonly step: Step;
  readonly words: Words;
  /** `merge`: which field it is. */
  readonly set: (config: Config, merge?: string) => void;
  /** What the server says of a field of the configuration. */
  readonly faultOf: (field: string) => string | undefined;
  readonly off: string | undefined;
};

const FIELDS = {
  SEND_EMAIL: MailFields,
  DELAY: DelayFields,
  WAIT_FOR_EVENT: WaitFields,
  CONDITION: ConditionFields,
  UPDATE_CONTACT: UpdateFields,
  WEBHOOK: WebhookFields,
  EXIT: ExitFields,
} as const;

export function StepFields(props: FieldsProps) {
  if (props.step.type === "TRIGGER") return null;
  const Fields = FIELDS[props.step.type];
  return <Fields {...props} />;
}

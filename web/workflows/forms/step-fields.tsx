// The form of a step, by its type.
import { ConditionFields } from "./condition-fields.tsx";
import "./forms.css";
import { MailFields } from "./mail-fields.tsx";
import type { StepFieldsProps } from "./fields-props.ts";
import { DelayFields, ExitFields, WaitFields } from "./simple-fields.tsx";
import { UpdateFields } from "./update-fields.tsx";
import { WebhookFields } from "./webhook-fields.tsx";

const FIELDS = {
  SEND_EMAIL: MailFields,
  DELAY: DelayFields,
  WAIT_FOR_EVENT: WaitFields,
  CONDITION: ConditionFields,
  UPDATE_CONTACT: UpdateFields,
  WEBHOOK: WebhookFields,
  EXIT: ExitFields,
} as const;

export function StepFields(props: StepFieldsProps) {
  if (props.step.type === "TRIGGER") return null;
  const Fields = FIELDS[props.step.type];
  return <Fields {...props} />;
}

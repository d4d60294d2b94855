// The props of every step form.
import type { Config, DrawnStep } from "../drawing.ts";
import type { StepNames } from "../describe-step.ts";

export type StepFieldsProps = {
  readonly step: DrawnStep;
  readonly words: StepNames;
  /** No effect while the fields are disabled. `merge`: the name of the field, see editor/history.ts. */
  readonly set: (config: Config, merge?: string) => void;
  /** The server's error for a field of the configuration. */
  readonly faultOf: (field: string) => string | undefined;
};

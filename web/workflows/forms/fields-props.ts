// The props of every step form.
import type { Config, Step } from "../drawing.ts";
import type { StepNames } from "../describe-step.ts";

export type FieldsProps = {
  readonly step: Step;
  readonly words: StepNames;
  /** Changes nothing where fields are disabled. `merge`: which field it is. */
  readonly set: (config: Config, merge?: string) => void;
  /** What the server says of a field of the configuration. */
  readonly faultOf: (field: string) => string | undefined;
};

// The props of every step form.
import type { Config, DrawnStep } from "../drawing.ts";
import type { StepNames } from "../describe-step.ts";

export type StepFieldsProps = {
  readonly step: DrawnStep;
  readonly words: StepNames;
  /** Changes nothing where fields are disabled. `merge`: which field it is. */
  readonly set: (config: Config, merge?: string) => void;
  /** What the server says of a field of the configuration. */
  readonly faultOf: (field: string) => string | undefined;
};

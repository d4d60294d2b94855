// What the form of each kind of step is given.
import type { Config, Step } from "../drawing.ts";
import type { Words } from "../said.ts";

export type FieldsProps = {
  readonly step: Step;
  readonly words: Words;
  /** Changes nothing where fields are disabled. `merge`: which field it is. */
  readonly set: (config: Config, merge?: string) => void;
  /** What the server says of a field of the configuration. */
  readonly faultOf: (field: string) => string | undefined;
};

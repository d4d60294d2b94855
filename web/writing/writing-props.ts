// The props of the editor (writing.tsx).
import type { ReactNode } from "react";
import type { Reader } from "./preview/use-preview.ts";
import type { Autosave } from "./saving/autosave.ts";
import type { TemplateType, Content } from "./content.ts";

export type WritingProps = {
  readonly value: Content;
  /** The name of the campaign or template: a subject equal to it is prefilled. */
  readonly name?: string | undefined;
  readonly onChange: (value: Content) => void;
  /** `hold` of the autosave: the visual editor sets its HTML a moment after typing. */
  readonly hold: Autosave<never, never>["hold"];
  readonly kind: TemplateType;
  /** The sender, as a line below the preheader. */
  readonly from?: ReactNode;
  /** The sender's name in the preview. */
  readonly sender?: string | undefined;
  /** The recipients, as a line below the sender. */
  readonly to?: ReactNode;
  /** The error of the last save. */
  readonly fault?: unknown;
  readonly disabledReason?: string | undefined;
  /** The data of the preview if no person is chosen: the event that triggers the email. */
  readonly otherwise?: { readonly name: string; readonly reader: Reader };
  /** Emails of workflows can use the data of their event. */
  readonly hasEvent?: boolean;
  /** At the end of the preview's bar: "Send to me". */
  readonly actions?: ReactNode;
  /** Below the editor: the last save and the versions. */
  readonly foot?: ReactNode;
};

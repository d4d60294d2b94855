// The props of the editor (writing.tsx).
import type { ReactNode } from "react";
import type { Reader } from "./preview/use-preview.ts";
import type { Autosave } from "./saving/autosave.ts";
import type { TemplateType, Content } from "./content.ts";

export type WritingProps = {
  readonly value: Content;
  /** Of the campaign or template: a subject that says only this is prefilled. */
  readonly name?: string | undefined;
  readonly onChange: (value: Content) => void;
  /** Of what saves it: what was typed visually becomes HTML, and so a value, a moment later. */
  readonly hold: Autosave<never, never>["hold"];
  readonly kind: TemplateType;
  /** Who it is from, as a line below the preheader. */
  readonly from?: ReactNode;
  /** The same for the preview: as inboxes name it. */
  readonly sender?: string | undefined;
  /** Whom it goes to, as a line below who it is from. */
  readonly to?: ReactNode;
  /** What the server last refused of it. */
  readonly fault?: unknown;
  readonly disabledReason?: string | undefined;
  /** Whose data is used while no person is chosen: an event that the mail follows. */
  readonly otherwise?: { readonly name: string; readonly reader: Reader };
  /** A mail of a workflow knows its event. */
  readonly hasEvent?: boolean;
  /** At the end of the preview's bar: "Send to me". */
  readonly actions?: ReactNode;
  /** Below the editor: who saved it last, its versions. */
  readonly foot?: ReactNode;
};

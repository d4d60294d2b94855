// The search parameters of the screens of forms.
/** `topic`: the key of a topic that the forms offer. `make`: the dialog for a new form is open. */
export type FormsSearch = { readonly search?: string; readonly topic?: string; readonly make?: true };
export const TABS = ["editor", "embed", "results"] as const;
export type FormTab = (typeof TABS)[number];
export type FormSearch = { readonly tab?: FormTab | undefined };

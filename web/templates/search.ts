// The search parameters of the screens of templates.
/** `make`: the dialog for a new template is open. */
export type TemplatesSearch = {
  readonly search?: string;
  readonly type?: "TRANSACTIONAL" | "MARKETING";
  readonly make?: true;
};
export const TABS = ["write", "settings", "used", "call"] as const;
export type TemplateTab = (typeof TABS)[number];
export type TemplateSearch = { readonly tab?: TemplateTab | undefined };

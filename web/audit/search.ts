// The search parameters of the audit log.
export type AuditSearch = {
  readonly of?: "installation";
  /** The id of a person or key set. */
  readonly who?: string;
  readonly kind?: "PERSON" | "KEY" | "COMMAND_LINE";
  /** In the name of what was changed. */
  readonly search?: string;
};

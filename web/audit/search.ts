// The search parameters of the audit log.
export type AuditSearch = {
  readonly of?: "installation";
  /** The id of a person or key set. */
  readonly who?: string;
  readonly kind?: "PERSON" | "KEY" | "COMMAND_LINE";
  /** Searched in the names of the changed records. */
  readonly search?: string;
};

// A long list of rows that is processed in pieces, in the order of their numbers.

/** The expired rows of a workspace, from where the last piece ended. */
export type ExpiryRange = {
  readonly workspace: number;
  /** Rows up to this number are done. */
  readonly after: number;
  /** Older than this moment. */
  readonly before: string;
};

/** Up to this number, inclusive. */
export type ExpiryPiece = ExpiryRange & { readonly upTo: number };

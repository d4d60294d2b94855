// A long list of rows that is gone through in pieces, in the order of their numbers.

/** What is old in a workspace, from where it was left. */
export type ExpiryRange = {
  readonly workspace: number;
  /** Rows up to this number have been looked at. */
  readonly after: number;
  /** Older than this moment. */
  readonly before: string;
};

/** Up to this number, inclusive. */
export type ExpiryPiece = ExpiryRange & { readonly upTo: number };

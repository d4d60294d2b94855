// What every measurement is told: which Posthorn, where to put data, how long to look.

/** What is measured, and where. */
export type Ground = {
  /** Starts the server, but for its verb. */
  readonly command: readonly string[];
  /** Empty, and removed afterwards. */
  readonly dir: string;
};

export type Bench = Ground & {
  readonly passes: number;
  /** Of each pass. */
  readonly seconds: number;
};

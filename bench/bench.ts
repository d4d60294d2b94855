// What every measurement is told: which Posthorn, where to put data, how long to look.

export type Bench = {
  /** Starts the server, but for its verb. */
  readonly command: readonly string[];
  /** Empty, and removed afterwards. */
  readonly dir: string;
  readonly passes: number;
  /** Of each pass. */
  readonly seconds: number;
};

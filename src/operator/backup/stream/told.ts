// What the stream's thread reports, for the server's log.

/** `isRefused`: whether another server ships to this place, where that is what is told. */
export type StreamReport = {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isRefused?: boolean;
};

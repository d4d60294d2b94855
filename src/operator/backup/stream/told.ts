// The reports of the stream's thread, for the server's log.

/** `isRefused`: another server ships to this destination; set only in reports about that. */
export type StreamReport = {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isRefused?: boolean;
};

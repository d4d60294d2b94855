// The choice between two versions of a record. In its own file, because every page loads it, unlike the code that
// saves.
import { signal } from "../base/signal.ts";

/** A version on the server. */
export type SavedVersion = {
  readonly updatedAt?: string | null;
  readonly updatedBy?: { readonly name: string | null } | null;
};

export type VersionSide = "theirs" | "mine" | null;
export type VersionChoice = {
  readonly theirs: SavedVersion;
  readonly mine: object;
  /** Null: no choice; the form stays as it is. */
  readonly answer: (whose: VersionSide) => void;
};

/** Not null while the author has to choose; the frame shows the dialog. */
export const choice = signal<VersionChoice | null>(null);

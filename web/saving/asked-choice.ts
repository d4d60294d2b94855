// What the author of a form has to choose just now: apart from what saves, since every page has it.
import { signal } from "../signal.ts";

/** A version on the server. */
export type SavedVersion = {
  readonly updatedAt?: string | null;
  readonly updatedBy?: { readonly name: string | null } | null;
};

export type VersionSide = "theirs" | "mine" | null;
export type VersionChoice = {
  readonly theirs: SavedVersion;
  readonly mine: object;
  /** Null: neither yet; the form stays as it is. */
  readonly answer: (whose: VersionSide) => void;
};

/** Set while the author has to choose; the frame shows it. */
export const choice = signal<VersionChoice | null>(null);

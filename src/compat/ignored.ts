// Fields of another service that change nothing here: the answer names them in X-Posthorn-Ignored.
import { invalidField } from "../errors.ts";

export type Fields = Readonly<Record<string, unknown>>;

export type Known = {
  /** Fields that have a meaning here. */
  readonly taken: readonly string[];
  /** Fields that people would miss, each with why it is refused. */
  readonly refused: Readonly<Record<string, string>>;
};

const MOST_NAMED = 20;
const LONGEST_NAME = 60;

/** The names of the fields that are left out. @throws AppError VALIDATION_ERROR for one that must not be left out */
export function ignoredIn(given: Fields, { taken, refused }: Known): string[] {
  const there = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  for (const [name] of there) {
    const why = refused[name];
    if (why !== undefined) throw invalidField(name, why, "unsupported");
  }
  return there.map(([name]) => name).filter((name) => !taken.includes(name));
}

/** For an answer. */
export function nameIgnored(headers: Record<string, string | number>, names: readonly string[]): void {
  const safe = [...new Set(names)].map((name) => name.replace(/[^\w.-]/g, "?").slice(0, LONGEST_NAME));
  if (safe.length > 0) headers["x-posthorn-ignored"] = safe.slice(0, MOST_NAMED).join(", ");
}

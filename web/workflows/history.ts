// A drawing that can be undone and redone. Changes of one field in a row are undone at once.
import { useCallback, useMemo, useState } from "react";
import type { Drawing } from "./drawing.ts";

type Past = { readonly drawing: Drawing; readonly merge: string };
type Kept = {
  readonly now: Drawing;
  readonly past: readonly Past[];
  readonly future: readonly Drawing[];
  /** What the server has. */
  readonly saved: Drawing;
};

const MOST_UNDONE = 100;

export type History = {
  readonly now: Drawing;
  readonly isChanged: boolean;
  /** `merge`: what the change is about. */
  readonly set: (drawing: Drawing, merge?: string) => void;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  /** What was drawn is saved; `ids` are those that new steps have got, by their refs. */
  readonly settle: (ids: ReadonlyMap<string, string>) => void;
  /** Begins anew with what the server has. */
  readonly restart: (drawing: Drawing) => void;
};

export function useHistory(first: Drawing): History {
  const [kept, setKept] = useState<Kept>({ now: first, past: [], future: [], saved: first });
  const set = useCallback((drawing: Drawing, merge = "") => setKept((before) => changed(before, drawing, merge)), []);
  const settle = useCallback(
    (ids: ReadonlyMap<string, string>) => setKept((before) => renamed({ ...before, saved: before.now }, ids)),
    [],
  );
  const restart = useCallback((now: Drawing) => setKept({ now, past: [], future: [], saved: now }), []);
  const isChanged = useMemo(() => !isSame(kept.now, kept.saved), [kept]);
  return {
    now: kept.now,
    isChanged,
    set,
    settle,
    restart,
    undo: kept.past.length > 0 ? () => setKept(undone) : null,
    redo: kept.future.length > 0 ? () => setKept(redone) : null,
  };
}

function changed(before: Kept, now: Drawing, merge: string): Kept {
  if (now === before.now) return before;
  const goesOn = merge !== "" && before.past.at(-1)?.merge === merge;
  const past = goesOn ? before.past : [...before.past, { drawing: before.now, merge }].slice(-MOST_UNDONE);
  return { ...before, now, past, future: [] };
}

function undone(kept: Kept): Kept {
  const last = kept.past.at(-1);
  if (!last) return kept;
  return { ...kept, now: last.drawing, past: kept.past.slice(0, -1), future: [kept.now, ...kept.future] };
}

function redone(kept: Kept): Kept {
  const [next, ...future] = kept.future;
  if (!next) return kept;
  return { ...kept, now: next, past: [...kept.past, { drawing: kept.now, merge: "" }], future };
}

/** Refs are random, so they stand nowhere else. */
function renamed(kept: Kept, ids: ReadonlyMap<string, string>): Kept {
  if (ids.size === 0) return kept;
  const text = [...ids].reduce((said, [ref, id]) => said.replaceAll(ref, id), JSON.stringify(kept));
  return JSON.parse(text) as Kept;
}

function isSame(one: Drawing, other: Drawing): boolean {
  return one === other || JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));
}

/** In which order ways were drawn means nothing. */
function comparable({ ways, ...rest }: Drawing) {
  return { ...rest, ways: ways.map((way) => `${way.from} ${way.branch} ${way.to}`).sort() };
}

// Undo and redo for a drawing. Consecutive changes of one field are one step.
import { useCallback, useMemo, useState } from "react";
import type { Drawing } from "../drawing.ts";

type PastDrawing = { readonly drawing: Drawing; readonly merge: string };
type HistoryState = {
  readonly now: Drawing;
  readonly past: readonly PastDrawing[];
  readonly future: readonly Drawing[];
  /** The drawing on the server. */
  readonly saved: Drawing;
};

const MAX_UNDO = 100;

export type History = {
  readonly now: Drawing;
  readonly isChanged: boolean;
  /** `merge`: consecutive changes with the same value are one undo step. */
  readonly set: (drawing: Drawing, merge?: string) => void;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  /** After saving; `ids`: the new steps' ids by their refs. */
  readonly settle: (ids: ReadonlyMap<string, string>) => void;
  /** Starts again with the server's drawing. */
  readonly restart: (drawing: Drawing) => void;
};

export function useHistory(first: Drawing): History {
  const [present, setKept] = useState<HistoryState>({ now: first, past: [], future: [], saved: first });
  const set = useCallback((drawing: Drawing, merge = "") => setKept((before) => changed(before, drawing, merge)), []);
  const settle = useCallback(
    (ids: ReadonlyMap<string, string>) => setKept((before) => renamed({ ...before, saved: before.now }, ids)),
    [],
  );
  const restart = useCallback((now: Drawing) => setKept({ now, past: [], future: [], saved: now }), []);
  const isChanged = useMemo(() => !isSame(present.now, present.saved), [present]);
  return {
    now: present.now,
    isChanged,
    set,
    settle,
    restart,
    undo: present.past.length > 0 ? () => setKept(undone) : null,
    redo: present.future.length > 0 ? () => setKept(redone) : null,
  };
}

function changed(before: HistoryState, now: Drawing, merge: string): HistoryState {
  if (now === before.now) return before;
  const goesOn = merge !== "" && before.past.at(-1)?.merge === merge;
  const past = goesOn ? before.past : [...before.past, { drawing: before.now, merge }].slice(-MAX_UNDO);
  return { ...before, now, past, future: [] };
}

function undone(present: HistoryState): HistoryState {
  const last = present.past.at(-1);
  if (!last) return present;
  return { ...present, now: last.drawing, past: present.past.slice(0, -1), future: [present.now, ...present.future] };
}

function redone(present: HistoryState): HistoryState {
  const [next, ...future] = present.future;
  if (!next) return present;
  return { ...present, now: next, past: [...present.past, { drawing: present.now, merge: "" }], future };
}

/** Refs are random, so a plain text replacement is safe. */
function renamed(present: HistoryState, ids: ReadonlyMap<string, string>): HistoryState {
  if (ids.size === 0) return present;
  const text = [...ids].reduce((json, [ref, id]) => json.replaceAll(ref, id), JSON.stringify(present));
  return JSON.parse(text) as HistoryState;
}

function isSame(one: Drawing, other: Drawing): boolean {
  return one === other || JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));
}

/** The order of transitions and the settings of other trigger types do not count as changes. */
function comparable({ trigger: { type, config }, transitions, ...rest }: Drawing) {
  return {
    ...rest,
    trigger: { type, config },
    transitions: transitions.map((transition) => `${transition.from} ${transition.branch} ${transition.to}`).sort(),
  };
}

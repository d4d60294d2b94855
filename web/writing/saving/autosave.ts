// Saves changes automatically, but never overwrites changes that others have saved since.
import { useCallback, useEffect, useRef, useState } from "react";
import { Fault } from "../../calls/api.ts";
import { isSavedSince } from "../../saving/saved-over.ts";

/** The saved version. */
export type SavedRecord = {
  readonly updatedAt: string;
  /** Warnings of the server about it. */
  readonly warnings?: readonly { readonly code?: string | undefined }[] | undefined;
};

export type SavingOptions<Value, Row extends SavedRecord> = {
  /** The record when the form was opened, and after each refetch. */
  readonly row: Row;
  readonly valueOf: (row: Row) => Value;
  /** With `ifUpdatedAt`: refused with 409 if the record has changed since. */
  readonly save: (value: Value, ifUpdatedAt: string | undefined, signal: AbortSignal) => Promise<Row>;
  /** Loads the current version after a conflict. */
  readonly load: () => Promise<Row>;
};

export type SavingState = "saved" | "typing" | "saving" | "refused" | "away" | "conflict";

export type Autosave<Value, Row extends SavedRecord> = {
  readonly value: Value;
  readonly set: (value: Value) => void;
  /**
   * A change is pending, and `make` will `set` it: until then nothing replaces it, and saving calls `make` first. Null:
   * it was set.
   */
  readonly hold: (make: (() => Promise<void>) | null) => void;
  readonly state: SavingState;
  /** The running save has had no answer for several seconds. */
  readonly isSlow: boolean;
  /** An error from the server. */
  readonly fault: unknown;
  /** The version that another person has saved since. */
  readonly theirs: Row | null;
  /** `theirs` as a value. */
  readonly theirValue: Value | null;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
  /** Saves without the pause. */
  readonly flush: () => Promise<void>;
  /** Aborts the running save and saves again. */
  readonly again: () => Promise<void>;
  /** Before leaving the page: true = everything is saved. */
  readonly settle: () => Promise<boolean>;
  /** The last save of this page; null = none yet. */
  readonly savedAt: Date | null;
  /** The server repaired placeholders in the last save. */
  readonly isRepaired: boolean;
};

/** Pause after the last keystroke. */
const PAUSE_MS = 900;
const RETRY_MS = 5_000;
/** A save without an answer for this long is shown as slow. */
const SLOW_MS = 6_000;
/** Longest wait for a save when leaving the page. */
const LEAVING_MS = 3_000;

type SaverState<Value, Row> = {
  value: Value;
  row: Row;
  isDirty: boolean;
  saving: Promise<void> | null;
  /** Aborts the running save. */
  call: AbortController;
  make: (() => Promise<void>) | null;
  /** The value that the server has repaired, as JSON. */
  repaired: string | null;
  /** The last value sent, as JSON: it may be saved even without an answer. */
  sent: string | null;
  /** The component has unmounted. */
  isLeft: boolean;
};

export function useAutosave<Value, Row extends SavedRecord>(options: SavingOptions<Value, Row>): Autosave<Value, Row> {
  const latest = useRef(options);
  latest.current = options;
  const [value, show] = useState(() => options.valueOf(options.row));
  const [state, setState] = useState<SavingState>("saved");
  const [isSlow, setSlow] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<Row | null>(null);
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [isRepaired, setRepaired] = useState(false);
  const life = useRef<SaverState<Value, Row>>({
    value,
    row: options.row,
    isDirty: false,
    saving: null,
    call: new AbortController(),
    make: null,
    repaired: null,
    sent: null,
    isLeft: false,
  });
  const [holds, countHold] = useState(0);

  /** Own unanswered saves and changes of other fields are no conflict. */
  const saveValue = useCallback(async (over: boolean): Promise<Row> => {
    const now = life.current;
    const { valueOf, save, load } = latest.current;
    const known = [JSON.stringify(valueOf(now.row)), now.sent];
    now.sent = JSON.stringify(now.value);
    try {
      const saved = await save(now.value, over ? undefined : now.row.updatedAt, now.call.signal);
      now.sent = null;
      return saved;
    } catch (error) {
      if (!isSavedSince(error)) throw error;
      const row = await load();
      if (!known.includes(JSON.stringify(valueOf(row)))) throw error;
      now.row = row;
      return saveValue(false);
    }
  }, []);
  const once = useCallback(async (over: boolean) => {
    const now = life.current;
    now.isDirty = false;
    now.call = new AbortController();
    setState("saving");
    const slow = setTimeout(setSlow, SLOW_MS, true);
    try {
      now.row = await saveValue(over);
      setFault(null);
      setSavedAt(new Date());
      const wasRepaired = now.row.warnings?.some(({ code }) => code === "repaired") ?? false;
      if (wasRepaired && !now.isDirty && !now.make) show((now.value = latest.current.valueOf(now.row)));
      if (wasRepaired) now.repaired = JSON.stringify(now.value);
      // An editor may save a repaired value once more: the notice stays as long as the value is the same.
      setRepaired(now.repaired === JSON.stringify(now.value));
      setState(now.isDirty || now.make ? "typing" : "saved");
    } catch (error) {
      now.isDirty = true;
      setFault(error);
      if (isSavedSince(error)) setTheirs(await latest.current.load());
      setState(isSavedSince(error) ? "conflict" : isAway(error) ? "away" : "refused");
    } finally {
      clearTimeout(slow);
      setSlow(false);
    }
  }, []);
  /** One save at a time, because each needs the version that the one before has returned. */
  const flush = useCallback(
    async (over = false) => {
      const now = life.current;
      try {
        await now.make?.();
      } catch (error) {
        setFault(error);
        return setState("away");
      }
      await now.saving;
      if (!now.isDirty && !over) return;
      now.saving = once(over).finally(() => (now.saving = null));
      await now.saving;
    },
    [once],
  );
  // If the aborted save arrives nevertheless, `sent` recognises it.
  const again = useCallback(() => {
    life.current.call.abort();
    return flush();
  }, [flush]);
  const set = useCallback(
    (next: Value) => {
      Object.assign(life.current, { value: next, isDirty: true });
      show(next);
      setState((before) => (before === "conflict" ? before : "typing"));
      // The visual editor sets its HTML a moment after the last key, perhaps after unmounting.
      if (life.current.isLeft) void flush();
    },
    [flush],
  );

  const hold = useCallback((make: SaverState<Value, Row>["make"]) => {
    life.current.make = make;
    if (make === null) return;
    countHold((before) => before + 1);
    setState((before) => (before === "conflict" ? before : "typing"));
  }, []);

  useEffect(() => {
    if (state !== "typing" && state !== "away") return;
    const timer = setTimeout(() => void flush(), state === "away" ? RETRY_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, holds, state, flush]);
  const settle = useCallback(async () => {
    await Promise.race([flush(), new Promise((resolve) => setTimeout(resolve, LEAVING_MS))]);
    const { isDirty, make, saving } = life.current;
    return !isDirty && make === null && saving === null;
  }, [flush]);
  // Unmounting saves unsaved changes.
  useEffect(() => {
    life.current.isLeft = false;
    return () => {
      life.current.isLeft = true;
      if (life.current.isDirty) void flush();
    };
  }, [flush]);
  // A newer version replaces an unchanged value.
  useEffect(() => {
    const now = life.current;
    if (now.isDirty || now.make || now.saving || options.row.updatedAt <= now.row.updatedAt) return;
    Object.assign(now, { row: options.row, value: options.valueOf(options.row) });
    show(now.value);
  }, [options.row]);

  const theirValue = theirs && options.valueOf(theirs);
  const takeTheirs = () => {
    if (!theirs) return;
    Object.assign(life.current, { row: theirs, value: options.valueOf(theirs), isDirty: false });
    show(life.current.value);
    setTheirs(null);
    setFault(null);
    setState("saved");
  };
  const keepMine = () => {
    if (theirs) life.current.row = theirs;
    setTheirs(null);
    void flush(true);
  };
  return {
    value,
    set,
    hold,
    state,
    isSlow,
    fault,
    theirs,
    theirValue,
    takeTheirs,
    keepMine,
    flush,
    again,
    settle,
    savedAt,
    isRepaired,
  };
}

function isAway(error: unknown): boolean {
  return error instanceof Fault && (error.status === 0 || error.status >= 500);
}

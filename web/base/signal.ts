// A shared value that components can subscribe to, outside React's tree.
import { useSyncExternalStore } from "react";

export type Signal<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly watch: (listener: () => void) => () => void;
};

export function signal<Value>(first: Value): Signal<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      listeners.forEach((listener) => listener());
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useSignal<Value>({ watch, get }: Signal<Value>): Value {
  return useSyncExternalStore(watch, get);
}

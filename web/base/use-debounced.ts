// A value that follows another once it has stopped changing.
import { useEffect, useState } from "react";

export function useDebounced<Value>(value: Value, pauseMs: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setDebounced, pauseMs, value);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return debounced;
}

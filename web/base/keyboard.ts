// Keyboard shortcuts: `useKey("j", next)`. They are ignored while typing and under a dialog.
import { useEffect, useRef } from "react";

/** `key`: as in KeyboardEvent; `mod+k` with ⌘ or Ctrl, `mod+shift+c` with shift as well. */
export function useKey(key: string, act: (event: KeyboardEvent) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (nameOf(event) !== key || event.defaultPrevented) return;
      if (!key.startsWith("mod+") && (isWriting(event.target) || document.querySelector("[role=dialog], [role=menu]")))
        return;
      event.preventDefault();
      latest.current(event);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [key]);
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isMod = ctrlKey || metaKey;
  if (altKey) return "";
  return isMod ? `mod+${shiftKey ? "shift+" : ""}${key.toLowerCase()}` : key;
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}

export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

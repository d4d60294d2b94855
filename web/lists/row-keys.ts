// Keys that move along the rows of a list: j and k from anywhere, the arrows from a row. Enter opens.
import { useRef, type KeyboardEvent } from "react";
import { useKey } from "../base/keyboard.ts";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export function useRowKeys() {
  const rows = useRef<HTMLDivElement>(null);
  const focus = (step: number) => {
    const names = [...(rows.current?.querySelectorAll<HTMLElement>(":is(a, button).name, .name > a") ?? [])];
    const at = names.findIndex((name) => name.closest(".line")?.contains(document.activeElement));
    names[at < 0 ? 0 : Math.max(0, Math.min(names.length - 1, at + step))]?.focus();
  };
  useKey("j", () => focus(1));
  useKey("k", () => focus(-1));
  const pressed = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || !(event.target as HTMLElement).matches(".name, .name > a")) return;
    event.preventDefault();
    focus(step);
  };
  return { rows, pressed, focusFirst: () => focus(0) };
}

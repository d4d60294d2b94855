// Toasts, with Undo where possible. Errors stay until they are closed.
import { useEffect, useState } from "react";
import { Fault } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { signal, useSignal } from "../../base/signal.ts";
import { frameTexts } from "../../texts/areas.ts";
import { Button } from "../button.tsx";
import { StatusIcon, type StatusIconName } from "../icons/icon.tsx";
import { Refusal } from "../refusal.tsx";

type Action = { readonly name: string; readonly run: () => void; readonly icon?: "undo" };
type Toast = {
  readonly id: number;
  readonly text: string | Fault | null;
  readonly tone: "ok" | "warn" | "bad";
  readonly icon?: StatusIconName;
  readonly action?: Action | undefined;
};

const ICONS = { ok: "delivered", warn: "warn", bad: "failed" } as const;
const SHOWN_MS = 6_000;
const MAX_TOASTS = 3;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

export function showToast(text: string, action?: Action): void {
  add({ text, tone: "ok", action });
}

/** An action that failed or was only partly done. */
export function showWarning(text: string): void {
  add({ text, tone: "warn" });
}

/** An error from the server. */
export function showFault(error: unknown): void {
  add({ text: error instanceof Fault ? error : null, tone: "bad" });
}

/** Replaces an equal toast. A toast with "Undo" stays: it belongs to one change. */
function add(toast: Omit<Toast, "id">): void {
  const isSaid = ({ text, tone, action }: Toast) =>
    text === toast.text && tone === toast.tone && !action && !toast.action;
  const others = toasts.get().filter((one) => !isSaid(one));
  toasts.set([...others, { ...toast, id: ++lastId }].slice(-MAX_TOASTS));
}

function remove(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function Toasts() {
  const shown = useSignal(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map((toast) => (
        <ToastItem key={toast.id} {...toast} />
      ))}
    </div>
  );
}

function ToastItem({ id, text, tone, action }: Toast) {
  const t = useTexts(frameTexts);
  const [held, hold] = useState(false);
  useEffect(() => {
    if (held || tone === "bad") return;
    const timer = setTimeout(remove, SHOWN_MS, id);
    return () => clearTimeout(timer);
  }, [id, held, tone]);
  return (
    <div
      className={`toast ${tone}`}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <StatusIcon name={ICONS[tone]} />
      <span>{typeof text === "string" ? text : <FaultText fault={text} />}</span>
      {action && (
        <Button
          small
          {...(action.icon ? { icon: action.icon } : {})}
          onClick={() => {
            remove(id);
            action.run();
          }}
        >
          {action.name}
        </Button>
      )}
      <Button kind="quiet" small icon="x" label={t.close} onClick={() => remove(id)} />
    </div>
  );
}

function FaultText({ fault }: { readonly fault: Fault | null }) {
  const { fault: t } = useTexts(frameTexts);
  if (!fault) return t.other;
  return fault.status === 0 ? t.away : <Refusal fault={fault} />;
}

// Icons (16 px) and status icons (14 px), hidden from screen readers.
import { ICONS, type IconShape } from "./icon-shapes.ts";
import { STATUS_ICONS, type StatusIconShape } from "./status-icon-shapes.ts";

export type IconName = keyof typeof ICONS;
export type StatusIconName = keyof typeof STATUS_ICONS;

export function Icon({ name }: { readonly name: IconName }) {
  const shape: IconShape = ICONS[name];
  const { line, solid, heavy } =
    typeof shape === "string" ? { line: shape } : { solid: undefined, heavy: false, ...shape };
  return (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={line} {...(heavy ? { strokeWidth: 2 } : {})} />
      {solid && <path d={solid} fill="currentColor" stroke="none" />}
    </svg>
  );
}

export type Tone = "ok" | "bad" | "warn" | "note" | "dim";

export function StatusIcon({ name, tone }: { readonly name: StatusIconName; readonly tone?: Tone | undefined }) {
  const { line, dashed, solid, filled, over }: StatusIconShape = STATUS_ICONS[name];
  return (
    <svg className={tone ? `m ${tone}` : "m"} viewBox="0 0 14 14" aria-hidden="true">
      {dashed && <path d={dashed} strokeDasharray="2.2 1.93" />}
      {filled && <path d={filled} fill="currentColor" />}
      {line && <path d={line} />}
      {solid && <path d={solid} fill="currentColor" stroke="none" />}
      {over && <path d={over} className="over" />}
    </svg>
  );
}

export function Horn() {
  return (
    <svg className="i horn" viewBox="0 0 20 18" aria-hidden="true">
      <circle cx="9" cy="7.5" r="5.25" />
      <circle cx="9" cy="7.5" r="2.25" />
      <path d="M1.5 11v3.5M1.5 12.75H12c2.6 0 4.6-1.7 6-4.5v9c-1.4-2.8-3.4-4.5-6-4.5" />
    </svg>
  );
}

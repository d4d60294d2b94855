// A message about the whole screen, with an action.
import type { ReactNode } from "react";
import { StatusIcon, type StatusIconName } from "./icons/icon.tsx";

const STATUS_ICONS = { bad: "failed", warn: "warn", ok: "delivered", note: "info" } as const satisfies Record<
  string,
  StatusIconName
>;

type BannerProps = {
  readonly tone: keyof typeof STATUS_ICONS;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** `alert`: a screen reader announces it immediately. */
  readonly role?: "alert" | "status";
};

export function Banner({ tone, children, actions, role }: BannerProps) {
  return (
    <div className={`banner ${tone}`} role={role}>
      <StatusIcon name={STATUS_ICONS[tone]} />
      <span>{children}</span>
      {actions && <span className="actions">{actions}</span>}
    </div>
  );
}

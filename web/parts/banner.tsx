// One fact about the whole screen, with its action.
import type { ReactNode } from "react";
import { Mark, type MarkName } from "./icon.tsx";

const MARKS = { bad: "failed", warn: "warn", ok: "delivered", note: "info" } as const satisfies Record<
  string,
  MarkName
>;

type BannerProps = {
  readonly tone: keyof typeof MARKS;
  readonly children: ReactNode;
  readonly acts?: ReactNode;
  /** `alert`: said aloud at once. */
  readonly role?: "alert" | "status";
};

export function Banner({ tone, children, acts, role }: BannerProps) {
  return (
    <div className={`banner ${tone}`} role={role}>
      <Mark name={MARKS[tone]} />
      <span>{children}</span>
      {acts && <span className="acts">{acts}</span>}
    </div>
  );
}

// A number in the results that opens its recipients.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { compact } from "../../compact.ts";
import type { PartName } from "./parts.ts";

type PartLinkProps = {
  readonly name: PartName;
  readonly link?: string;
  readonly className?: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
};

export function PartLink({ name, link, className = "opens", isCurrent = false, children }: PartLinkProps) {
  return (
    <Link
      from="/campaigns/$id"
      to="."
      className={className}
      aria-current={isCurrent ? "true" : undefined}
      activeOptions={{ exact: true }}
      resetScroll={false}
      search={({ course }) => ({ tab: "results" as const, part: name, ...compact({ link, course }) })}
    >
      {children}
    </Link>
  );
}

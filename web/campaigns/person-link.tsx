// A link to a person's page.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

type PersonLinkProps = { readonly id: string; readonly className?: string; readonly children: ReactNode };

export function PersonLink({ id, className, children }: PersonLinkProps) {
  return (
    <Link to="/people/$id" params={{ id }} className={className}>
      {children}
    </Link>
  );
}

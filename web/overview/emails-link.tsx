// A number that links to the emails that it counts.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { MailFilters } from "../mail/filters.ts";

type MailsLinkProps = { readonly filters: MailFilters; readonly className?: string; readonly children: ReactNode };

export function MailsLink({ filters, className = "opens", children }: MailsLinkProps) {
  return (
    <Link to="/mail" search={filters} className={className}>
      {children}
    </Link>
  );
}

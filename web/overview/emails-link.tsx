// A number that links to the emails that it counts, and the filter for all emails except received ones.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { MailFilters } from "../mail/filter/filters.ts";

/** The filter `status` for all emails except received ones. */
export const SENT_BY_US = "QUEUED,SENDING,SENT,PERHAPS_DELIVERED,DELIVERED,FAILED,SKIPPED,CANCELLED,BOUNCED,COMPLAINED";

type MailsLinkProps = { readonly filters: MailFilters; readonly className?: string; readonly children: ReactNode };

export function MailsLink({ filters, className = "opens", children }: MailsLinkProps) {
  return (
    <Link to="/mail" search={filters} className={className}>
      {children}
    </Link>
  );
}

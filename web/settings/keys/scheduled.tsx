// The scheduled emails of a key set that still wait: their number, and a link to them.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { components } from "../../api.gen.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { keysTexts } from "../../texts/areas.ts";
import { query } from "../../calls/query.ts";

type ScheduledEmails = components["schemas"]["ScheduledByKey"];

export const scheduledQuery = (id: string) =>
  // Never from the cache: the user decides by it.
  query("GET /keys/{id}/scheduled", { id, limit: 1 }, { staleTime: 0, throwOnError: false });

export function useScheduled(id: string) {
  return useQuery(scheduledQuery(id));
}

/** The filters of the list of emails. */
export const scheduledBy = (id: string) => ({ keyId: id, scheduled: "true" });

type StillWaitingProps = {
  readonly id: string;
  readonly scheduled: ScheduledEmails;
  /** Actions for the emails. */
  readonly children?: ReactNode;
};

export function StillWaiting({ id, scheduled: { total, campaigns }, children }: StillWaitingProps) {
  const t = useTexts(keysTexts).scheduled;
  const { number } = useFormats();
  const count = total ?? 0;
  return (
    <div className="stack">
      {count > 0 && (
        <div className="stack">
          <p>
            {t.waiting(number(count), count)}{" "}
            <Link to="/mail" search={scheduledBy(id)} className="link">
              {t.look}
            </Link>
          </p>
          {children}
        </div>
      )}
      {campaigns.length > 0 && (
        <p>
          {t.campaigns}{" "}
          {campaigns.map((campaign, at) => (
            <span key={campaign.id}>
              {at > 0 && ", "}
              <Link to="/campaigns/$id" params={{ id: campaign.id }} className="link">
                {campaign.name}
              </Link>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

// Where what needs attention is fixed.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Need } from "./calls.ts";
import { MailsLink } from "./emails-link.tsx";

/** The whole row is a link. */
export function NeedLink({ need, children }: { readonly need: Need; readonly children: ReactNode }) {
  switch (need.kind) {
    case "DOMAIN_FAILING":
    case "WARMUP_HALTED":
    case "WAY_REFUSES":
    case "DOMAIN_CHANGED":
      return (
        <Link className="line" to="/settings/domains/{-$id}" params={{ id: need.domainId }}>
          {children}
        </Link>
      );
    case "LINK_HOST_FAILING":
      return (
        <Link className="line" to="/settings/workspace">
          {children}
        </Link>
      );
    case "CLOCK_IN_DOUBT":
    case "CLOCK_BEHIND":
    case "SENDING_HELD":
    case "RELAY_AWAY":
    case "WAY_AWAY":
    case "CERTIFICATE":
    case "BACKUP_MISSING":
    case "SEEN_FROM_OUTSIDE":
    case "DISK_SHORT":
    case "INBOUND_UNREAD":
      return (
        <Link className="line" to="/settings/server">
          {children}
        </Link>
      );
    case "NOTE":
      return (
        <Link className="line" to="/people/$id" params={{ id: need.contactId }}>
          {children}
        </Link>
      );
    case "WEBHOOKS_FAILED":
      return (
        <Link className="line" to="/settings/webhooks" search={{ outcome: "failed" }}>
          {children}
        </Link>
      );
    case "WEBHOOK_OFF":
      return (
        <Link
          className="line"
          to="/settings/webhooks/$id"
          params={{ id: need.webhookId }}
          search={{ outcome: "failed" }}
        >
          {children}
        </Link>
      );
    case "PROVIDER_PAUSED":
      return (
        <MailsLink className="line" filters={{ status: "QUEUED,SENDING" }}>
          {children}
        </MailsLink>
      );
    case "MARKETING_STOPPED":
      return (
        <MailsLink className="line" filters={{ status: "BOUNCED" }}>
          {children}
        </MailsLink>
      );
    case "CAMPAIGN_FAILED":
      return (
        <Link
          className="line"
          to="/campaigns/$id"
          params={{ id: need.campaignId }}
          search={{ tab: "results", part: "all" }}
        >
          {children}
        </Link>
      );
    case "RATE_HIGH": {
      const happened = need.what === "BOUNCE_RATE" ? "bounced" : "complained";
      return (
        <MailsLink className="line" filters={{ happened, since: need.since }}>
          {children}
        </MailsLink>
      );
    }
    case "ALL_REFUSED":
      return (
        <MailsLink className="line" filters={{ status: "FAILED,BOUNCED" }}>
          {children}
        </MailsLink>
      );
    case "MAILS_FAILED":
      return (
        <MailsLink className="line" filters={{ status: "FAILED", failedSince: need.since }}>
          {children}
        </MailsLink>
      );
    case "CAMPAIGN_HELD":
      return (
        <MailsLink className="line" filters={{ campaignId: need.campaignId, held: "true" }}>
          {children}
        </MailsLink>
      );
  }
}

// What does not go on by itself, each with its way out.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTexts } from "../language.ts";
import { StatusIcon, type StatusIconName, type Tone } from "../parts/icon.tsx";
import { Time } from "../parts/time.tsx";
import { overviewTexts } from "../texts/areas.ts";
import type { Need } from "./calls.ts";
import { MailsLink } from "./mails-link.tsx";

export function NeedsYou({ needs }: { readonly needs: readonly Need[] }) {
  const t = useTexts(overviewTexts).needs;
  if (needs.length === 0)
    return (
      <p className="calm" role="status">
        <StatusIcon name="delivered" tone="ok" />
        {t.nothing}
      </p>
    );
  return (
    <section className="panel" aria-labelledby="needs">
      <header>
        <h2 id="needs">{t.title}</h2>
        <span className="count">{needs.length}</span>
      </header>
      <div className="rows needs">
        {needs.map((need) => (
          <Line key={keyOf(need)} need={need} />
        ))}
      </div>
    </section>
  );
}

function keyOf(need: Need): string {
  const id = need.kind === "DOMAIN_FAILING" ? need.domainId : need.kind === "CAMPAIGN_HELD" ? need.campaignId : "";
  return `${need.kind} ${id}`;
}

type Said = {
  readonly icon: StatusIconName;
  readonly tone: Tone;
  readonly what: ReactNode;
  readonly when: string | null;
  readonly way: string;
};

function Line({ need }: { readonly need: Need }) {
  const said = useSaid(need);
  return (
    <Way need={need}>
      <StatusIcon name={said.icon} tone={said.tone} />
      <span>{said.what}</span>
      <span className="end dim small">{said.when && <Time at={said.when} />}</span>
      <span className="inline way">{said.way}</span>
    </Way>
  );
}

function useSaid(need: Need): Said {
  const t = useTexts(overviewTexts).needs;
  switch (need.kind) {
    case "CLOCK_IN_DOUBT":
      return {
        icon: "held",
        tone: "warn",
        what: say(t.clockInDoubt, t.clockWaits),
        when: need.since,
        way: t.seeServer,
      };
    case "SENDING_HELD":
      return { icon: "held", tone: "warn", what: say(t.sendingHeld, t.heldWaits), when: need.since, way: t.seeServer };
    case "RELAY_AWAY":
      return {
        icon: "failed",
        tone: "bad",
        what: say(t.relayAway, need.reply ?? t.relayWaits),
        when: need.since,
        way: t.seeServer,
      };
    case "CERTIFICATE":
      return {
        icon: "failed",
        tone: "bad",
        what: say(t.certificate(need.of.join(t.and)), need.fault ?? t.certificateEnds),
        when: need.validTo,
        way: t.seeServer,
      };
    case "MARKETING_STOPPED":
      return { icon: "held", tone: "warn", what: say(t.marketingStopped, need.text), when: null, way: t.seeBounces };
    case "DOMAIN_FAILING":
      return {
        icon: "failed",
        tone: "bad",
        what: say(t.domainFailing(need.domain), need.problem ?? ""),
        when: need.since,
        way: t.seeChange,
      };
    case "MAILS_FAILED":
      return { icon: "failed", tone: "bad", what: say(t.mailsFailed(need.count), ""), when: null, way: t.readWhy };
    case "CAMPAIGN_HELD":
      return {
        icon: "held",
        tone: "warn",
        what: say(t.campaignHeld(need.name), need.text ?? ""),
        when: null,
        way: t.seeMails,
      };
    case "WEBHOOKS_FAILED":
      return {
        icon: "warn",
        tone: "warn",
        what: say(t.webhooksFailed(need.count.count, need.count.isLowerBound), ""),
        when: need.lastAt,
        way: t.readWhy,
      };
  }
}

function say(what: string, why: string): ReactNode {
  return (
    <>
      <b>{what}</b> {why}
    </>
  );
}

/** The whole row is the way. */
function Way({ need, children }: { readonly need: Need; readonly children: ReactNode }) {
  switch (need.kind) {
    case "DOMAIN_FAILING":
      return (
        <Link className="line" to="/set-up/domains/{-$id}" params={{ id: need.domainId }}>
          {children}
        </Link>
      );
    case "CLOCK_IN_DOUBT":
    case "SENDING_HELD":
    case "RELAY_AWAY":
    case "CERTIFICATE":
      return (
        <Link className="line" to="/set-up/server">
          {children}
        </Link>
      );
    case "WEBHOOKS_FAILED":
      return (
        <Link className="line" to="/set-up/webhooks" search={{ outcome: "failed" }}>
          {children}
        </Link>
      );
    case "MARKETING_STOPPED":
      return (
        <MailsLink className="line" filters={{ status: "BOUNCED" }}>
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

// What needs attention, each with a link to fix it.
import type { ReactNode } from "react";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { StatusIcon, type StatusIconName, type Tone } from "../parts/icon.tsx";
import { Time } from "../parts/time.tsx";
import { brakesTexts, needsTexts, overviewTexts } from "../texts/areas.ts";
import type { Need } from "./calls.ts";
import { keyOf } from "./need-key.ts";
import { NeedLink } from "./need-link.tsx";
import { listIn, useOutsideText } from "./outside.ts";

export function NeedsAttention({ needs }: { readonly needs: readonly Need[] }) {
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

type NeedText = {
  readonly icon: StatusIconName;
  readonly tone: Tone;
  readonly what: ReactNode;
  readonly when: string | null;
  readonly way: string;
};

function Line({ need }: { readonly need: Need }) {
  const row = useNeedText(need);
  return (
    <NeedLink need={need}>
      <StatusIcon name={row.icon} tone={row.tone} />
      <span>{row.what}</span>
      <span className="end dim small">{row.when && <Time at={row.when} />}</span>
      <span className="inline way">{row.way}</span>
    </NeedLink>
  );
}

function useNeedText(need: Need): NeedText {
  const t = useTexts(overviewTexts).needs;
  const more = useTexts(needsTexts);
  const brakes = useTexts(brakesTexts);
  const { percent, bytes, number } = useFormats();
  const outsideText = useOutsideText();
  switch (need.kind) {
    case "CLOCK_IN_DOUBT":
      return waiting(describe(more.clockInDoubt, more.clockWaits), need.since, t.seeServer);
    case "CLOCK_BEHIND":
      return waiting(describe(more.clockBehind, more.clockBehindText), need.seenAt, t.seeServer);
    case "SENDING_HELD":
      return waiting(describe(t.sendingHeld, t.heldWaits), need.since, t.seeServer);
    case "RELAY_AWAY":
      return {
        icon: "failed",
        tone: "bad",
        what: describe(t.relayAway, need.reply ?? t.relayWaits),
        when: need.since,
        way: t.seeServer,
      };
    case "WAY_AWAY":
      return {
        icon: "failed",
        tone: "warn",
        what: describe(t.wayAway(need.name), need.reply ?? t.wayGoesOn),
        when: need.since,
        way: t.seeServer,
      };
    case "WAY_REFUSES":
      return {
        icon: "failed",
        tone: "warn",
        what: describe(t.wayRefuses(need.way, need.domain), need.problemValues["reply"] ?? need.problem ?? ""),
        when: need.since,
        way: t.seeChange,
      };
    case "CERTIFICATE":
      return {
        icon: "failed",
        tone: "bad",
        what: describe(t.certificate(need.of.join(t.and)), need.fault ?? t.certificateEnds),
        when: need.validTo,
        way: t.seeServer,
      };
    case "PROVIDER_PAUSED":
      return waiting(describe(brakes.PAUSED(brakes.provider(need.mailbox)), need.reply), need.since, t.seeMails);
    case "WARMUP_HALTED":
      return {
        icon: "held",
        tone: "bad",
        what: describe(t.warmupHalted(need.domain), need.reason),
        when: need.since,
        way: t.seeWarmup,
      };
    case "MARKETING_STOPPED":
      return {
        icon: "held",
        tone: "warn",
        what: describe(t.marketingStopped, need.text),
        when: null,
        way: t.seeBounces,
      };
    case "DOMAIN_FAILING":
      return {
        icon: "failed",
        tone: "bad",
        what: describe(t.domainFailing(need.domain), need.problem ?? ""),
        when: need.since,
        way: t.seeChange,
      };
    case "DOMAIN_CHANGED":
      return {
        icon: "warn",
        tone: "warn",
        what: describe(t.domainChanged[need.what](need.domain), listIn(need.problem) ?? need.problem ?? ""),
        when: need.since,
        way: t.seeChange,
      };
    case "LINK_HOST_FAILING":
      return {
        icon: "warn",
        tone: "warn",
        what: describe(t.linkHost(need.host), t.linkHostText),
        when: need.since,
        way: t.seeChange,
      };
    case "ALL_REFUSED":
      return {
        icon: "failed",
        tone: "bad",
        what: describe(more.allRefused(number(need.count)), more.allRefusedText),
        when: need.since,
        way: t.readWhy,
      };
    case "MAILS_FAILED":
      return { icon: "failed", tone: "bad", what: describe(t.mailsFailed(need.count), ""), when: null, way: t.readWhy };
    case "CAMPAIGN_HELD":
      return {
        icon: "held",
        tone: "warn",
        what: describe(t.campaignHeld(need.name), need.text ?? ""),
        when: null,
        way: t.seeMails,
      };
    case "CAMPAIGN_FAILED":
      return {
        icon: "failed",
        tone: "bad",
        what: describe(t.campaignFailed(need.name), t.campaignFailedText),
        when: need.since,
        way: t.readWhy,
      };
    case "RATE_HIGH":
      return {
        icon: "warn",
        tone: "warn",
        what: describe(
          t.rateHigh[need.what](percent(need.rate / 100), percent(need.limit / 100)),
          need.stopsAt === null ? t.cleanUp : t.rateStops(percent(need.stopsAt / 100)),
        ),
        when: null,
        way: need.what === "BOUNCE_RATE" ? t.seeBounces : t.seeComplaints,
      };
    case "BACKUP_MISSING":
      return {
        icon: "warn",
        tone: need.fault === "LATE" ? "warn" : "bad",
        what: describe(t.backup[need.fault], need.text ?? t.backupText),
        when: need.lastAt,
        way: t.seeServer,
      };
    case "SEEN_FROM_OUTSIDE":
      return {
        icon: "warn",
        tone: "bad",
        what: describe(t.outside[need.aspect](need.subject, need.by), outsideText(need)),
        when: need.since,
        way: t.seeServer,
      };
    case "DISK_SHORT":
      return {
        icon: "warn",
        tone: "bad",
        what: describe(t.diskShort(bytes(need.freeBytes)), t.diskText),
        when: null,
        way: t.seeServer,
      };
    case "INBOUND_UNREAD":
      return {
        icon: "warn",
        tone: "warn",
        what: describe(t.inboundUnread(number(need.count)), t.inboundUnreadText),
        when: need.since,
        way: t.seeServer,
      };
    case "WEBHOOK_OFF":
      return {
        icon: "failed",
        tone: "bad",
        what: describe(t.webhookOff(need.description ?? need.host), t.webhookOffText),
        when: need.since,
        way: t.seeWebhook,
      };
    case "NOTE":
      return {
        ...waiting(describe(more.note(need.from ?? more.aKey, need.email), need.text), need.since, more.seeContact),
        ...({ icon: "info", tone: "note" } as const),
      };
    case "WEBHOOKS_FAILED":
      return {
        icon: "warn",
        tone: "warn",
        what: describe(t.webhooksFailed(need.count.count, need.count.isLowerBound), ""),
        when: need.lastAt,
        way: t.readWhy,
      };
  }
}

function waiting(what: ReactNode, when: string, way: string): NeedText {
  return { icon: "held", tone: "warn", what, when, way };
}

function describe(what: string, why: string): ReactNode {
  return (
    <>
      <b>{what}</b> {why}
    </>
  );
}

// The kinds of problems that need attention: for each its icon, its text, and the link to solve it.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Formats } from "../base/formats.ts";
import type { MailFilters } from "../mail/filter/filters.ts";
import type { StatusIconName, Tone } from "../parts/icons/icon.tsx";
import type { brakes } from "../texts/en/brakes.ts";
import type { needs } from "../texts/en/needs.ts";
import type { Need } from "./calls.ts";
import { MailsLink } from "./emails-link.tsx";

type NeedKind = Need["kind"];
type NeedOf<Kind extends NeedKind> = Extract<Need, { readonly kind: Kind }>;
type Kinds = (typeof needs)["kinds"];
type KindTexts<Kind extends NeedKind> = Kind extends keyof Kinds ? Kinds[Kind] : undefined;
type Speech = Formats & { readonly brakes: typeof brakes };
type LinkName = keyof (typeof needs)["see"];
type NeedLineProps = { readonly className: string; readonly children: ReactNode };

type NeedRow<Kind extends NeedKind = NeedKind> = {
  readonly icon: StatusIconName;
  readonly tone: Tone | ((need: NeedOf<Kind>) => Tone);
  /** `t`: the texts of the kind. */
  readonly says: (
    need: NeedOf<Kind>,
    t: KindTexts<Kind>,
    speech: Speech,
  ) => readonly [what: string, why?: string | null];
  /** When it began; by default its `since`. */
  readonly when?: (need: NeedOf<Kind>) => string | null;
  readonly see: LinkName | ((need: NeedOf<Kind>) => LinkName);
  readonly link: (need: NeedOf<Kind>, line: NeedLineProps) => ReactNode;
  /** For kinds that can occur several times: identifies the problem across refetches. */
  readonly id?: (need: NeedOf<Kind>) => string;
};

const HELD = { icon: "held", tone: "warn" } as const;
const FAILED = { icon: "failed", tone: "bad" } as const;
const WARNING = { icon: "warn", tone: "warn" } as const;

const IN_SERVER = {
  see: "server",
  link: (_: Need, line: NeedLineProps) => <Link {...line} to="/settings/server" />,
} as const;

const IN_DOMAIN = {
  link: ({ domainId }: { readonly domainId: string }, line: NeedLineProps) => (
    <Link {...line} to="/settings/domains/{-$id}" params={{ id: domainId }} />
  ),
};

function inMail<Of>(see: LinkName | ((need: Of) => LinkName), filters: (need: Of) => MailFilters) {
  return { see, link: (need: Of, line: NeedLineProps) => <MailsLink {...line} filters={filters(need)} /> };
}

/** In the order of the overview. */
const NEEDS: { readonly [Kind in NeedKind]: NeedRow<Kind> } = {
  CLOCK_IN_DOUBT: { ...HELD, ...IN_SERVER, says: (_, t) => [t.what, t.why] },
  CLOCK_BEHIND: { ...HELD, ...IN_SERVER, says: (_, t) => [t.what, t.why], when: ({ seenAt }) => seenAt },
  SENDING_HELD: { ...HELD, ...IN_SERVER, says: (_, t) => [t.what, t.why] },
  RELAY_AWAY: { ...FAILED, ...IN_SERVER, says: ({ reply }, t) => [t.what, reply ?? t.why] },
  WAY_AWAY: {
    ...{ ...FAILED, ...IN_SERVER, tone: "warn" },
    says: ({ name, reply }, t) => [t.what(name), reply ?? t.why],
    id: ({ name }) => name,
  },
  CERTIFICATE: {
    ...{ ...FAILED, ...IN_SERVER },
    says: ({ of, fault }, t) => [t.what(of.join(t.and)), fault ?? t.why],
    when: ({ validTo }) => validTo,
    id: ({ of }) => of.join(),
  },
  PROVIDER_PAUSED: {
    ...HELD,
    ...inMail("mails", () => ({ status: "QUEUED,SENDING" })),
    says: ({ mailbox, reply }, _, { brakes }) => [brakes.PAUSED(brakes.provider(mailbox)), reply],
    id: ({ brakeId }) => brakeId,
  },
  WARMUP_HALTED: {
    ...{ ...HELD, ...IN_DOMAIN, tone: "bad", see: "warmup" },
    says: ({ domain, reason }, t) => [t.what(domain), reason],
    id: ({ domainId }) => domainId,
  },
  MARKETING_STOPPED: {
    ...HELD,
    ...inMail("bounces", () => ({ status: "BOUNCED" })),
    says: ({ text }, t) => [t.what, text],
  },
  RATE_HIGH: {
    ...WARNING,
    ...inMail(
      ({ what }) => (what === "BOUNCE_RATE" ? "bounces" : "complaints"),
      ({ what, since }) => ({ happened: what === "BOUNCE_RATE" ? "bounced" : "complained", since }),
    ),
    says: ({ what, rate, limit, stopsAt }, t, { percent }) => [
      t.what[what](percent(rate / 100), percent(limit / 100)),
      stopsAt === null ? t.why : t.stops(percent(stopsAt / 100)),
    ],
    when: () => null,
    id: ({ what }) => what,
  },
  DOMAIN_FAILING: {
    ...{ ...FAILED, ...IN_DOMAIN, see: "change" },
    says: ({ domain, problem }, t) => [t.what(domain), problem],
    id: ({ domainId }) => domainId,
  },
  WAY_REFUSES: {
    ...{ ...FAILED, ...IN_DOMAIN, tone: "warn", see: "change" },
    says: ({ way, domain, problem, problemValues }, t) => [t.what(way, domain), problemValues["reply"] ?? problem],
    id: ({ domainId, way }) => `${domainId} ${way}`,
  },
  DOMAIN_CHANGED: {
    ...{ ...WARNING, ...IN_DOMAIN, see: "change" },
    says: ({ what, domain, problem }, t) => [t.what[what](domain), blocklistIn(problem) ?? problem],
    id: ({ domainId, what, problem }) => `${domainId} ${what} ${problem}`,
  },
  LINK_HOST_FAILING: {
    ...WARNING,
    see: "change",
    link: (_, line) => <Link {...line} to="/settings/workspace" />,
    says: ({ host }, t) => [t.what(host), t.why],
    id: ({ host }) => host,
  },
  ALL_REFUSED: {
    ...FAILED,
    ...inMail("why", () => ({ status: "FAILED,BOUNCED" })),
    says: ({ count }, t, { number }) => [t.what(number(count)), t.why],
  },
  MAILS_FAILED: {
    ...FAILED,
    ...inMail("why", ({ since }) => ({ status: "FAILED", failedSince: since })),
    says: ({ count }, t) => [t.what(count)],
    when: () => null,
  },
  CAMPAIGN_HELD: {
    ...HELD,
    ...inMail("mails", ({ campaignId }) => ({ campaignId, held: "true" })),
    says: ({ name, text }, t) => [t.what(name), text],
    id: ({ campaignId }) => campaignId,
  },
  CAMPAIGN_FAILED: {
    ...FAILED,
    see: "why",
    link: ({ campaignId }, line) => (
      <Link {...line} to="/campaigns/$id" params={{ id: campaignId }} search={{ tab: "results", part: "all" }} />
    ),
    says: ({ name }, t) => [t.what(name), t.why],
    id: ({ campaignId }) => campaignId,
  },
  WEBHOOKS_FAILED: {
    ...WARNING,
    see: "why",
    link: (_, line) => <Link {...line} to="/settings/webhooks" search={{ outcome: "failed" }} />,
    says: ({ count: { count, isLowerBound } }, t) => [t.what(count, isLowerBound)],
    when: ({ lastAt }) => lastAt,
  },
  WEBHOOK_OFF: {
    ...FAILED,
    see: "webhook",
    link: ({ webhookId }, line) => (
      <Link {...line} to="/settings/webhooks/$id" params={{ id: webhookId }} search={{ outcome: "failed" }} />
    ),
    says: ({ description, host }, t) => [t.what(description ?? host), t.why],
    id: ({ webhookId }) => webhookId,
  },
  NOTE: {
    ...{ icon: "info", tone: "note", see: "contact" },
    link: ({ contactId }, line) => <Link {...line} to="/people/$id" params={{ id: contactId }} />,
    says: ({ from, email, text }, t) => [t.what(from ?? t.aKey, email), text],
    id: ({ noteId }) => noteId,
  },
  BACKUP_MISSING: {
    ...{ ...WARNING, ...IN_SERVER },
    tone: ({ fault }) => (fault === "LATE" ? "warn" : "bad"),
    says: ({ fault, text }, t) => [t.what[fault], text ?? t.why],
    when: ({ lastAt }) => lastAt,
  },
  SEEN_FROM_OUTSIDE: {
    ...{ ...WARNING, ...IN_SERVER, tone: "bad" },
    says: ({ aspect, subject, by, detail }, t, { exact }) => {
      const endsAt = /^it ends at (\S+)$/.exec(detail ?? "")?.[1];
      const found = detail === null ? t.why[aspect] : t.found[aspect](detail);
      return [t.what[aspect](subject, by), endsAt === undefined ? found : t.endsAt(exact(new Date(endsAt)))];
    },
    id: ({ aspect, subject, by }) => `${aspect} ${subject} ${by}`,
  },
  INBOUND_UNREAD: { ...WARNING, ...IN_SERVER, says: ({ count }, t, { number }) => [t.what(number(count)), t.why] },
  MAILBOX_AWAY: {
    ...{ ...WARNING, ...IN_SERVER },
    says: ({ name, problem }, t) => [t.what(name), problem],
    id: ({ name }) => name,
  },
  DISK_SHORT: {
    ...{ ...WARNING, ...IN_SERVER, tone: "bad" },
    says: ({ freeBytes }, t, { bytes }) => [t.what(bytes(freeBytes)), t.why],
  },
};

/** Each row takes the needs and the texts of its own kind. */
export function rowOf({ kind }: Need): NeedRow {
  return NEEDS[kind] as NeedRow;
}

/** The rest of the sentence is in the texts, so only the blocklist's name is taken. */
function blocklistIn(problem: string | null): string | undefined {
  return /is on the blocklist (\S+) \(/.exec(problem ?? "")?.[1];
}

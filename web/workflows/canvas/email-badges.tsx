// The unsent and failed emails of a step. Each number links to its list.
import { Link } from "@tanstack/react-router";
import { StatusIcon, type StatusIconName, type Tone } from "../../parts/icons/icon.tsx";
import type { MailSearch } from "../../mail/filter/filters.ts";
import type { StepCounts } from "../calls.ts";
import { countsAt, useDrawn } from "./on-canvas.ts";

type Mails = NonNullable<StepCounts["mails"]>;
type BadgeKind = keyof Mails;

const KINDS: Readonly<
  Record<
    BadgeKind,
    { readonly icon: StatusIconName; readonly tone: Tone; readonly search: MailSearch; readonly look: string }
  >
> = {
  queued: { icon: "queued", tone: "dim", look: "", search: { held: "false", retrying: "false" } },
  retrying: { icon: "waiting", tone: "dim", look: "", search: { held: "false", retrying: "true" } },
  held: { icon: "held", tone: "warn", look: " warn", search: { held: "true" } },
  failed: { icon: "failed", tone: "bad", look: " bad", search: { status: "FAILED" } },
};

/** Counts of zero are left out. */
export function emailsAt(mails: Mails | null | undefined): readonly (readonly [BadgeKind, number])[] {
  return (Object.keys(KINDS) as BadgeKind[]).flatMap((kind) => (mails?.[kind] ? [[kind, mails[kind]] as const] : []));
}

type MailLinkProps = { readonly step: string; readonly kind: BadgeKind; readonly children: React.ReactNode };

export function MailLink({
  step,
  kind,
  children,
  ...link
}: MailLinkProps & { readonly className: string; readonly title?: string; readonly "aria-label"?: string }) {
  const { id } = useDrawn();
  return (
    <Link {...link} to="/mail" search={{ workflowId: id, stepId: step, ...KINDS[kind].search }}>
      {children}
    </Link>
  );
}

export function MailBadges({ step }: { readonly step: string }) {
  const drawn = useDrawn();
  const { t, number } = drawn.words;
  return emailsAt(countsAt(drawn, step)?.mails).map(([kind, count]) => {
    const { icon, tone, look } = KINDS[kind];
    const label = t.mailsHere[kind](number(count), count);
    return (
      <MailLink key={kind} step={step} kind={kind} className={`here${look}`} title={label} aria-label={label}>
        <StatusIcon name={icon} tone={tone} />
        {number(count)}
      </MailLink>
    );
  });
}

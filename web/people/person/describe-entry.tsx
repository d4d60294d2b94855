// Describes one entry of a person's history, with its evidence.
import { Link } from "@tanstack/react-router";
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { TimelineItem } from "../../parts/layout.tsx";
import type { TimelineEntry } from "../calls.ts";
import { describeEvent } from "./describe-event.tsx";
import type { Description, TimelineWords } from "./description.ts";
import { MailLink } from "./mail-link.tsx";

export function describeEntry(entry: TimelineEntry, id: string, given: TimelineWords): TimelineItem {
  const { icon, tone, title, proof } = describeAny(entry, given);
  const at = new Date(entry.at);
  const when = (
    <time dateTime={entry.at} title={given.formats.exact(at)}>
      {given.formats.clock(at)}
    </time>
  );
  return { id, icon, ...(tone ? { tone } : {}), title, when, children: proof };
}

function describeAny(entry: TimelineEntry, given: TimelineWords): Description {
  switch (entry.type) {
    case "mail":
      return describeEmail(entry.mail, given);
    case "event":
      return describeEvent(entry.event, given);
    case "consent":
      return describeConsent(entry.consent, given);
    case "workflow":
      return describeWorkflow(entry.execution, given);
    case "leftOut":
      return describeCampaign(
        { ...entry, state: "LEFT_OUT", emailId: null, cancelledBy: null, matchesNow: null },
        given,
      );
    case "campaign":
      return describeCampaign(entry, given);
  }
}

type CampaignEntry = Omit<Extract<TimelineEntry, { type: "campaign" }>, "type" | "at">;

function describeCampaign(entry: CampaignEntry, { t }: TimelineWords): Description {
  const { campaign, state, reason, emailId, cancelledBy, matchesNow } = entry;
  const isLeftOut = state === "LEFT_OUT" || state === "SKIPPED" || (state === "CANCELLED" && emailId === null);
  const [icon, tone] = isLeftOut || state === "PENDING" ? (["skipped"] as const) : MAIL_MARKS[state];
  const why = [
    reason === null ? null : (t.past.leftOutWhy[reason] ?? reason),
    state === "CANCELLED" && t.past.cancelledBy(cancelledBy),
    matchesNow !== null && t.past.matchesNow[matchesNow ? "yes" : "no"],
  ].filter(Boolean);
  return {
    icon,
    ...(tone ? { tone } : {}),
    title: (
      <>
        <CampaignLink {...campaign} />{" "}
        <span className="plain">
          {isLeftOut ? t.past.leftOut : state === "PENDING" ? t.past.pending : t.past.mail[state]}
        </span>
      </>
    ),
    proof: (
      <>
        {why.length > 0 && <p>{why.join(" ")}</p>}
        {emailId !== null && (
          <p>
            <MailLink id={emailId}>{t.past.itsMail}</MailLink>
          </p>
        )}
      </>
    ),
  };
}

function CampaignLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Link to="/campaigns/$id" params={{ id }} preload={false}>
      {name}
    </Link>
  );
}

type MailEntry = Extract<TimelineEntry, { type: "mail" }>["mail"];

const MAIL_MARKS: Readonly<Record<MailEntry["status"], readonly [StatusIconName, Tone?]>> = {
  QUEUED: ["queued"],
  SENDING: ["sending", "note"],
  SENT: ["sent"],
  PERHAPS_DELIVERED: ["waiting", "warn"],
  DELIVERED: ["delivered", "ok"],
  FAILED: ["failed", "bad"],
  SKIPPED: ["skipped"],
  CANCELLED: ["cancelled"],
  BOUNCED: ["bounced", "bad"],
  COMPLAINED: ["complained", "bad"],
  RECEIVED: ["received", "note"],
};

function describeEmail(entry: MailEntry, { t, mail, formats }: TimelineWords): Description {
  const { id, status, held, reason, error } = entry;
  const [icon, tone] = held ? (["held", "warn"] as const) : MAIL_MARKS[status];
  const subject = <MailLink id={id}>{entry.subject || mail.noSubject}</MailLink>;
  const origin = [
    entry.campaign && t.past.byCampaign(entry.campaign.name),
    entry.workflow && t.past.byWorkflow(entry.workflow.name),
    entry.template && t.past.byTemplate(entry.template.name),
  ].filter(Boolean);
  const read = [
    entry.opens > 0 && t.past.opens(entry.opens, formats.number(entry.opens)),
    entry.clicks > 0 && t.past.clicks(entry.clicks, formats.number(entry.clicks)),
  ].filter(Boolean);
  const notes = [...origin, ...read].join(" · ");
  const why = held ? t.past.held[held] : reason === null ? null : mail.reasons[reason].title;
  return {
    icon,
    ...(tone ? { tone } : {}),
    title: (
      <>
        {subject} <span className="plain">{held ? t.past.mailHeld : t.past.mail[status]}</span>
      </>
    ),
    proof: (
      <>
        {why && <p className="why-not">{why}</p>}
        {error && <p className="mono">{error}</p>}
        {notes && <p>{notes}</p>}
      </>
    ),
  };
}

type ConsentEntry = Extract<TimelineEntry, { type: "consent" }>["consent"];

type Cause = Pick<ConsentEntry, "by" | "via">;

/** The author or process of a change; null = not recorded. */
export function causeText({ by, via }: Cause, { t, formats }: Pick<TimelineWords, "t" | "formats">): string | null {
  if (via === null) return by && t.past.by(by);
  const day = via.at === null ? "" : formats.day(new Date(via.at));
  const how = t.past.via[via.type](via.name, day);
  return by === null ? how : `${how} ${t.past.begunBy(by)}`;
}

function describeConsent({ subscribed, reason, by, via, emailId }: ConsentEntry, given: TimelineWords): Description {
  const { t } = given;
  const how = reason
    ? t.past.consentWhy[reason]
    : emailId
      ? t.past.byLink
      : (causeText({ by, via }, given) ?? t.past.byNobodyKnown);
  return {
    icon: subscribed ? "on" : "unsub",
    ...(subscribed ? { tone: "ok" as const } : {}),
    title: subscribed ? t.past.subscribed : t.past.unsubscribed,
    proof: (
      <p>
        {how} {emailId && <MailLink id={emailId}>{t.past.thatMail}</MailLink>}
      </p>
    ),
  };
}

type ExecutionEntry = Extract<TimelineEntry, { type: "workflow" }>["execution"];

function describeWorkflow(
  { workflow, status, eventName, waitingFor, reason, endedAt }: ExecutionEntry,
  given: TimelineWords,
): Description {
  const { t, formats } = given;
  const end = endedAt === null ? null : formats.brief(new Date(endedAt), new Date());
  const notes = [
    eventName === null ? t.past.startedByHand : t.past.startedBy(eventName),
    waitingFor && t.past.waitsFor(waitingFor),
    end && t.past.workflowEnded[status]?.(end),
    reason,
  ];
  return {
    icon: status === "FAILED" ? "failed" : status === "WAITING" ? "waiting" : "changed",
    ...(status === "FAILED" ? { tone: "bad" as const } : {}),
    title: (
      <>
        <span className="plain">{t.past.workflow}</span>{" "}
        <Link to="/workflows/$id" params={{ id: workflow.id }} preload={false}>
          {workflow.name}
        </Link>
      </>
    ),
    proof: <p>{notes.filter(Boolean).join(" · ")}</p>,
  };
}

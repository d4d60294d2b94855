// An email as a row: status, recipient, subject, time. The emails of a group are one row.
import type { MouseEvent } from "react";
import { useRouterState } from "@tanstack/react-router";
import { useFormats } from "../../base/formats.ts";
import { localeOf, useLanguage, useTexts } from "../../base/language.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Label, State } from "../../parts/state.tsx";
import { useNow } from "../../parts/time.tsx";
import { mailTexts } from "../../texts/areas.ts";
import type { Mail } from "../calls.ts";
import { RowTags } from "../tags.tsx";
import type { RowFocus } from "./row-focus.ts";

type RowPlace = {
  readonly ref: (row: HTMLElement | null) => void;
  readonly "data-index": number;
  readonly top: number;
};

type RowProps = {
  /** The emails of one message; a click opens the first. */
  readonly mails: readonly Mail[];
  readonly place: RowPlace;
  readonly isOpen: boolean;
  readonly open: (id: string) => void;
  readonly rowFocus: RowFocus;
};

export function Row({ mails, place: { top, ...place }, isOpen, open, rowFocus }: RowProps) {
  const t = useTexts(mailTexts);
  const formats = useFormats();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const mail = mails[0] as Mail;
  const { id, createdAt } = mail;
  const at = new Date(createdAt);
  const chosen = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    rowFocus.setFocus(id);
    open(id);
  };
  return (
    <a
      {...place}
      className="line"
      style={{ transform: `translateY(${top}px)` }}
      href={`/app/mail/${id}${search}`}
      data-mail={id}
      aria-current={isOpen ? "true" : undefined}
      tabIndex={rowFocus.at === id ? 0 : -1}
      onFocus={() => rowFocus.at !== id && rowFocus.setFocus(id)}
      onClick={chosen}
    >
      <Outcome mail={gravestOf(mails)} />
      <Recipient mails={mails} />
      <span className="sub cut">
        {mail.resentAt !== null && <ResentTag at={mail.resentAt} />}
        {mail.subject || t.noSubject}
        {mail.cancelledBy !== null && (
          <span className="dim"> {t.past.cancelledBy[mail.cancelledBy.kind](mail.cancelledBy.name ?? "")}</span>
        )}
        {mail.tags.length > 0 && <RowTags tags={mail.tags} />}
      </span>
      <time dateTime={createdAt} title={formats.exact(at)}>
        {formats.clock(at)}
      </time>
    </a>
  );
}

/** The recipient; for a group, the first one and the number of others. */
function Recipient({ mails }: { readonly mails: readonly Mail[] }) {
  const t = useTexts(mailTexts);
  const { status, from, to } = mails[0] as Mail;
  const others = mails.length - 1;
  if (status === "RECEIVED") return <span className="to cut">{from}</span>;
  if (others === 0) return <span className="to cut">{to || t.erased}</span>;
  return (
    <span className="to with-others" title={mails.map((mail) => mail.to).join(", ")}>
      <span className="cut">{to || t.erased}</span>
      <span className="dim">{t.others(others)}</span>
    </span>
  );
}

/** The states by urgency: a group shows the most urgent one of its emails. */
const GRAVITY: readonly Mail["status"][] = [
  ...(["BOUNCED", "FAILED", "COMPLAINED", "PERHAPS_DELIVERED", "QUEUED", "SENDING"] as const),
  ...(["CANCELLED", "SENT", "DELIVERED"] as const),
];

function gravestOf(mails: readonly Mail[]): Mail {
  const gravity = ({ held, status }: Mail) => (held === null ? GRAVITY.indexOf(status) : -1);
  return mails.toSorted((one, other) => gravity(one) - gravity(other))[0] as Mail;
}

/** The mark of an email that was sent again as another one. */
function ResentTag({ at }: { readonly at: string }) {
  const t = useTexts(mailTexts);
  const formats = useFormats();
  return (
    <span className="resent" title={t.resentAt(formats.exact(new Date(at)))}>
      <Icon name="again" />
      <span className="hidden-text">{t.past.resent}. </span>
    </span>
  );
}

/** The outcome of an email; the list of refused ones shows the reason in its place. */
function Outcome({ mail }: { readonly mail: Mail }) {
  const t = useTexts(mailTexts);
  const { status, held, reason } = mail;
  if (held !== null) return <State is="HELD" />;
  if (reason === null) return <State is={status} />;
  return (
    <Label icon={status === "BOUNCED" ? "bounced" : "failed"} tone="bad">
      <span className="why cut">{t.reasons[reason].brief}</span>
      <StatusLabel is={status} />
    </Label>
  );
}

function StatusLabel({ is }: { readonly is: Mail["status"] }) {
  const t = useTexts(mailTexts);
  return <span className="word">{t.states[is]}</span>;
}

export function DayLine({ day, place: { top, ...place } }: { readonly day: Date; readonly place: RowPlace }) {
  const words = useDayWords();
  return (
    <div {...place} className="day" style={{ transform: `translateY(${top}px)` }}>
      {words(day)}
    </div>
  );
}

const DAY_MS = 86_400_000;

function useDayWords(): (day: Date) => string {
  const t = useTexts(mailTexts);
  const locale = localeOf(useLanguage());
  const now = useNow();
  return (day) => {
    const year = day.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
    const written = (weekday: "long" | undefined) =>
      new Intl.DateTimeFormat(locale, {
        day: "numeric",
        month: "long",
        ...(weekday ? { weekday } : {}),
        ...year,
      }).format(day);
    if (day.toDateString() === now.toDateString()) return t.today(written(undefined));
    if (day.toDateString() === new Date(now.getTime() - DAY_MS).toDateString()) return t.yesterday(written(undefined));
    return written("long");
  };
}

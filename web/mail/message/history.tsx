// The history of an email. The first entry shows its time, an entry soon after another one the time since that.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFormats, type Formats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Timeline, type TimelineItem } from "../../parts/layout.tsx";
import { frameTexts, mailTexts } from "../../texts/areas.ts";
import type { mail as texts } from "../../texts/en/mail.ts";
import type { MailSearch } from "../filter/filters.ts";
import { webhooksQuery, type Moment, type WholeMail } from "../calls.ts";
import { originQuery } from "./origin.ts";
import { momentLine, groupRepeats, type HistoryLine } from "./history-lines.ts";

export function History({ mail }: { readonly mail: WholeMail }) {
  const t = useTexts(mailTexts);
  const formats = useFormats();
  const { time } = useTexts(frameTexts);
  const hooks = useQuery(webhooksQuery(mail)).data ?? [];
  const origin = useQuery(originOf(mail)).data ?? "";
  const moments = groupRepeats([...mail.timeline, ...hooks].sort(byTime));
  const lines = moments.map((moment, at): TimelineItem => {
    const line = momentLine(moment, mail, { t, span: formats.span, origin });
    return {
      id: `${at} ${moment.what}`,
      icon: line.icon,
      ...(line.tone ? { tone: line.tone } : {}),
      title: line.title,
      when: (
        <When moment={moment} before={moments[at - 1]} formats={formats} words={{ ...t.when, later: time.later }} />
      ),
      children: <Proof line={line} t={t} />,
    };
  });
  return <Timeline moments={[...lines, ...unknown(mail, t)]} />;
}

/** Entries of the same moment keep their order. */
function byTime({ at: one }: Moment, { at: other }: Moment): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function originOf({ campaignId, workflowId }: WholeMail) {
  const id = campaignId ?? workflowId;
  return {
    ...originQuery({ kind: campaignId === null ? "workflow" : "campaign", id: id ?? "" }),
    enabled: id !== null,
  };
}

function Proof({ line: { text, reply, link, mailId }, t }: { readonly line: HistoryLine; readonly t: typeof texts }) {
  return (
    <>
      {text && <p>{text}</p>}
      {reply && <p className="mono">{reply}</p>}
      {link && <p className="mono">{link}</p>}
      {mailId && (
        <p>
          <Link to="/mail/$id" params={{ id: mailId }} search={(now: MailSearch) => now} preload={false}>
            {t.openThat}
          </Link>
        </p>
      )}
    </>
  );
}

/** The entry that delivery was never confirmed, if so. */
function unknown({ status, timeline }: WholeMail, t: typeof texts): readonly TimelineItem[] {
  if (status !== "SENT") return [];
  const wasSeen = timeline.some(({ what, detail }) => /open|click/.test(what) && detail?.["bot"] !== true);
  const { title, text } = wasSeen ? t.unknown.seen : t.unknown.sent;
  return [
    {
      id: "unknown",
      icon: "waiting",
      title: <span className="dim">{title}</span>,
      when: null,
      children: <p>{text}</p>,
    },
  ];
}

type WhenProps = {
  readonly moment: Moment;
  readonly before: Moment | undefined;
  readonly formats: Formats;
  readonly words: { readonly same: string; readonly later: (span: string) => string };
};

const CLOSE_MS = 60_000;

function When({ moment, before, formats, words }: WhenProps): ReactNode {
  const at = new Date(moment.at);
  return (
    <time dateTime={moment.at} title={formats.exact(at)}>
      {whenOf(at, before && new Date(before.at), formats, words)}
    </time>
  );
}

function whenOf(at: Date, before: Date | undefined, formats: Formats, words: WhenProps["words"]): string {
  if (!before) return formats.fine(at);
  const ms = at.getTime() - before.getTime();
  if (ms === 0) return words.same;
  if (ms < CLOSE_MS) return words.later(formats.span(ms));
  const clock = formats.clock(at);
  return at.toDateString() === before.toDateString() ? clock : `${formats.day(at)}, ${clock}`;
}

// The reports, newest first; also those that were not counted, with the reason.
import { useQuery } from "@tanstack/react-query";
import { workspaceId } from "../../../calls/api.ts";
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { StatusIcon, type StatusIconName, type Tone } from "../../../parts/icons/icon.tsx";
import { Panel, Skeleton } from "../../../parts/layout.tsx";
import { Time } from "../../../parts/time.tsx";
import { reportsTexts } from "../../../texts/areas.ts";
import { reportWordsTexts } from "../../../texts/report-words.ts";
import { receivedQuery, SHOWN_REPORTS, type ReceivedReport } from "./calls.ts";

const MARKS: Readonly<Record<ReceivedReport["state"], { readonly name: StatusIconName; readonly tone: Tone }>> = {
  COUNTED: { name: "delivered", tone: "ok" },
  OTHER_DOMAIN: { name: "skipped", tone: "dim" },
  UNPROVEN: { name: "warn", tone: "warn" },
  UNREADABLE: { name: "warn", tone: "warn" },
};

/** Renders nothing before the first report. */
export function ReceivedReports({ id }: { readonly id: string }) {
  const t = useTexts(reportsTexts);
  const { number } = useFormats();
  const { data, ...asked } = useQuery(receivedQuery(id));
  if (!data)
    return asked.errorUpdateCount > 0 ? (
      <Panel title={t.received}>
        <Skeleton of={asked} rows={3} columns={3} />
      </Panel>
    ) : null;
  if (data.total === 0) return null;
  return (
    <Panel title={t.received} actions={<span className="dim small push">{t.receivedCount(number(data.total))}</span>}>
      <div className="rows reports-received">
        {data.data.map((report) => (
          <Line key={report.id} domain={id} report={report} />
        ))}
      </div>
      {data.total > SHOWN_REPORTS && <p className="pad dim small">{t.newest(number(SHOWN_REPORTS))}</p>}
    </Panel>
  );
}

function Line({ domain, report }: { readonly domain: string; readonly report: ReceivedReport }) {
  const t = useTexts(reportsTexts);
  const { reportWords } = useTexts(reportWordsTexts);
  const { number } = useFormats();
  const {
    id,
    kind,
    state,
    organization,
    sender,
    problem,
    problemCode,
    messages,
    repeats,
    lostRows,
    isKept,
    receivedAt,
  } = report;
  const said = [
    kind === null ? t.noKind : t.kinds[kind],
    ...(report.domain !== null && state === "OTHER_DOMAIN" ? [t.about(report.domain)] : []),
    ...(repeats > 0 ? [t.repeats(number(repeats))] : []),
    ...(lostRows > 0 ? [t.lostRows(number(lostRows))] : []),
  ];
  return (
    <div className="line">
      <StatusIcon {...MARKS[state]} />
      <span className="stack tight">
        <span className="breaks">
          <b>{organization ?? sender ?? t.noKind}</b> <span className="dim">{said.join(", ")}</span>
        </span>
        <span className="dim small">
          {t.states[state]}
          {problemCode !== null && <>: {reportWords[problemCode]?.({}) ?? problem}</>}
        </span>
      </span>
      <span className="end">
        {isKept ? (
          <a href={`/domains/${domain}/reports/received/${id}/raw?workspace=${workspaceId.get()}`} download>
            {t.download}
          </a>
        ) : (
          state === "COUNTED" && number(messages)
        )}
      </span>
      <span className="dim small end">
        <Time at={receivedAt} as="brief" />
      </span>
    </div>
  );
}

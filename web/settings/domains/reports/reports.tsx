// Reports of receivers on a domain: the verdict, days, sources, encryption, and the reports themselves.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { StatusIcon, type StatusIconName, type Tone } from "../../../parts/icons/icon.tsx";
import { Skeleton } from "../../../parts/layout.tsx";
import { Number as Figure } from "../../../parts/number.tsx";
import { SegmentedControl } from "../../../parts/fields/segmented-control.tsx";
import { reportsTexts } from "../../../texts/areas.ts";
import { reportWordsTexts } from "../../../texts/report-words.ts";
import { reportsQuery, type Reports } from "./calls.ts";
import { Days } from "./days.tsx";
import { ReceivedReports } from "./received.tsx";
import { Sources } from "./sources.tsx";
import { Encryption } from "./encryption.tsx";
import "./reports.css";

const SPANS = ["7", "30", "90"] as const;

export function DomainReports({ id }: { readonly id: string }) {
  const t = useTexts(reportsTexts);
  const [days, setDays] = useState<(typeof SPANS)[number]>("30");
  const { data, ...asked } = useQuery(reportsQuery(id, Number(days)));
  return (
    <>
      <section className="panel" aria-label={t.title}>
        <header className="reports-head">
          <h2>{t.title}</h2>
          {data && !isOff(data) && (
            <SegmentedControl
              small
              label={t.span}
              choices={SPANS.map((value) => ({ value, content: t.lastDays(value) }))}
              value={days}
              onChange={setDays}
            />
          )}
        </header>
        {data ? <Summary reports={data} /> : <Skeleton of={asked} rows={4} columns={3} />}
      </section>
      {data && data.dmarc.sources.length > 0 && <Sources sources={data.dmarc.sources} />}
      {data && data.tls.sessions > 0 && <Encryption tls={data.tls} />}
      <ReceivedReports id={id} />
    </>
  );
}

/** No address for reports, and none has ever arrived. */
function isOff({ address, verdict, dmarc }: Reports): boolean {
  return address === null && verdict.code === "no_reports" && dmarc.messages === 0;
}

const MARKS: Readonly<Record<string, { readonly name: StatusIconName; readonly tone: Tone }>> = {
  may_quarantine: { name: "delivered", tone: "ok" },
  may_reject: { name: "delivered", tone: "ok" },
  strict: { name: "delivered", tone: "ok" },
  failing: { name: "warn", tone: "warn" },
};

function Summary({ reports }: { readonly reports: Reports }) {
  const t = useTexts(reportsTexts);
  const { reportWords } = useTexts(reportWordsTexts);
  const { address, verdict, dmarc, policy } = reports;
  const isNew = verdict.code === "no_reports" && dmarc.messages === 0;
  if (isOff(reports)) return <p className="pad dim row-text">{t.off}</p>;
  return (
    <div className="pad stack l">
      <p className="verdict row-text">
        <StatusIcon {...(MARKS[verdict.code] ?? ({ name: "info", tone: "dim" } as const))} />
        <span>{reportWords[verdict.code]?.(verdict.values) ?? verdict.sentence}</span>
      </p>
      {isNew ? (
        address !== null && <p className="dim row-text breaks">{t.waiting(address)}</p>
      ) : (
        <>
          <Totals dmarc={dmarc} policy={policy} />
          {dmarc.messages === 0 ? <p className="dim row-text">{t.nothing}</p> : <Days reports={reports} />}
        </>
      )}
    </div>
  );
}

function Totals({ dmarc, policy }: Pick<Reports, "dmarc" | "policy">) {
  const t = useTexts(reportsTexts);
  const { percent } = useFormats();
  const { messages, passed, quarantined, rejected, receivers } = dmarc;
  return (
    <div className="report-totals">
      <Figure value={messages} label={t.emails} />
      <Figure value={percent(messages === 0 ? 0 : passed / messages)} label={t.passed} />
      <Figure value={quarantined + rejected} label={t.rejected} />
      <Figure value={receivers} label={t.receivers} />
      <p className="dim small policy">{policy === null ? t.noPolicy : <code>{t.policy(policy)}</code>}</p>
    </div>
  );
}

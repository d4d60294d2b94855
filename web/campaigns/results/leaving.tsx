// The reasons of people who unsubscribed or left a topic by a link in the campaign's email. Each opens their comments.
import { useState } from "react";
import type { components } from "../../api.gen.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { More } from "../../parts/rows.tsx";
import { Time } from "../../parts/time.tsx";
import { accountTexts, campaignsTexts } from "../../texts/areas.ts";
import { PersonLink } from "../person-link.tsx";
import { pages, usePages } from "../../calls/query.ts";
import type { CampaignStatistics } from "./calls.ts";

type LeavingReason = keyof CampaignStatistics["leftBecause"];
type LeavingAnswer = components["schemas"]["LeavingAnswer"];

const REASONS = ["too-many", "not-relevant", "never-signed-up", "other"] as const satisfies readonly LeavingReason[];
const PAGE_SIZE = 50;

type LeavingProps = { readonly campaignId: string; readonly statistics: CampaignStatistics };

export function Leaving({ campaignId, statistics: { leftBecause } }: LeavingProps) {
  const t = useTexts(accountTexts).leaving;
  const { number, percent } = useFormats();
  const [opened, setOpened] = useState<LeavingReason | null>(null);
  const total = REASONS.reduce((sum, reason) => sum + leftBecause[reason], 0);
  if (total === 0) return null;
  return (
    <section className="panel" aria-labelledby="left-because">
      <header>
        <h2 id="left-because">{t.title}</h2>
        <span className="dim small push">{t.answers(total, number(total))}</span>
      </header>
      <div className="rows fate">
        {REASONS.map((reason) => (
          <button key={reason} type="button" className="line" onClick={() => setOpened(reason)}>
            <StatusIcon name="unsub" />
            <span>{t.reasons[reason]}</span>
            <b className="end">{number(leftBecause[reason])}</b>
            <span className="end dim">{percent(leftBecause[reason] / total)}</span>
          </button>
        ))}
      </div>
      {opened && <Answers campaignId={campaignId} reason={opened} close={() => setOpened(null)} />}
    </section>
  );
}

type AnswersProps = { readonly campaignId: string; readonly reason: LeavingReason; readonly close: () => void };

function Answers({ campaignId, reason, close }: AnswersProps) {
  const t = useTexts(accountTexts);
  const { more } = useTexts(campaignsTexts);
  const { all: answers, ...asked } = usePages({
    ...pages("GET /contacts/leaving-answers", { campaignId, reason, limit: PAGE_SIZE }, { ends: true }),
    queryKey: ["campaign", campaignId, "leaving", reason],
  });
  return (
    <Dialog title={t.leaving.reasons[reason]} isOpen onClose={close} wide>
      {answers ? (
        <div className="rows leaving-answers">
          {answers.map((answer) => (
            <AnswerRow key={answer.id} answer={answer} />
          ))}
          {answers.length === 0 && <p className="dim row-text">{t.nobody}</p>}
        </div>
      ) : (
        <Skeleton of={asked} rows={6} columns={2} className="leaving-answers" />
      )}
      <More {...asked} name={more} large />
    </Dialog>
  );
}

function AnswerRow({ answer: { words, contactId, email, topic, answeredAt } }: { readonly answer: LeavingAnswer }) {
  const t = useTexts(accountTexts);
  return (
    <div className="line">
      <span>
        {words === null ? <span className="dim">{t.leaving.noWords}</span> : <span dir="auto">{words}</span>}
        <span className="dim small cut">
          {contactId === null ? t.erased : <PersonLink id={contactId}>{email}</PersonLink>}
          {topic !== null && ` · ${t.leaving.ofTopic(topic)}`}
        </span>
      </span>
      <span className="dim small end">
        <Time at={answeredAt} as="brief" />
      </span>
    </div>
  );
}

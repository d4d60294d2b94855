// The Check tab: recipients, problems with links to fix them, an inbox preview, and sending.
import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { StatusIcon, type StatusIconName, type Tone } from "../../parts/icons/icon.tsx";
import { Skeleton, Panel, type QueryState } from "../../parts/layout.tsx";
import { campaignsTexts } from "../../texts/areas.ts";
import type { Content } from "../../writing/content.ts";
import { AudiencePeople } from "../audience/people.tsx";
import type { Audience } from "../audience/audience-calls.ts";
import { isUnsent, type Campaign } from "../calls.ts";
import type { CampaignCheck } from "./checks.ts";
import { Inbox } from "./inbox.tsx";
import { withoutValue, useChecks } from "./use-checks.ts";
import { Send } from "./send.tsx";
import { FixLink } from "./fix-link.tsx";
import { AudienceSum } from "../audience/audience-sum.tsx";
import { TopicLine } from "../audience/topic-line.tsx";

type CheckProps = { readonly campaign: Campaign; readonly value: Content; readonly flush: () => Promise<void> };

export function CheckTab(props: CheckProps) {
  return isUnsent(props.campaign) ? <ReadyNote {...props} /> : <Sent />;
}

/** No checks: the state of today says nothing about a campaign that was sent before. */
function Sent() {
  const t = useTexts(campaignsTexts);
  return (
    <div className="page">
      <Banner tone="note">
        {t.isSent}{" "}
        <Link to="." search={{ tab: "results" }}>
          {t.toAccount}
        </Link>
      </Banner>
    </div>
  );
}

function ReadyNote({ campaign, value, flush }: CheckProps) {
  const t = useTexts(campaignsTexts);
  const { checks, audience, numbers, of, ofAudience, again, isLooking } = useChecks(campaign, value);
  return (
    <div className="page">
      <Panel
        title={t.audience.title}
        actions={
          <>
            {campaign.segment && (
              <Link className="row-text" to="/segments/$id" params={{ id: campaign.segment.id }}>
                {campaign.segment.name}
              </Link>
            )}
            <Link className="push row-text" to="." search={{ tab: "audience" }}>
              {t.change}
            </Link>
          </>
        }
      >
        <div className="pad stack">
          <TopicLine campaign={campaign} />
          {numbers ? (
            <AudienceSum numbers={numbers} isPlain={audience === null} />
          ) : (
            <Counting of={ofAudience} audience={audience} campaign={campaign} />
          )}
        </div>
      </Panel>
      <div className="cols checking">
        <div className="stack l">
          <Checks checks={checks} of={of} audience={audience} again={again} isLooking={isLooking} />
          {audience && <Inbox audience={audience} value={value} />}
        </div>
        <Send campaign={campaign} numbers={numbers} checks={checks} flush={flush} />
      </div>
    </div>
  );
}

type CountingProps = Pick<ChecksProps, "of" | "audience"> & { readonly campaign: Campaign };

function Counting({ of, audience, campaign }: CountingProps) {
  const { audience: t } = useTexts(campaignsTexts);
  return audience ? (
    <Skeleton of={of} rows={1} columns={3} />
  ) : (
    <p className="dim row-text">{t.unchosen[campaign.audienceType]}</p>
  );
}

type ChecksProps = {
  readonly checks: readonly CampaignCheck[] | undefined;
  readonly of: QueryState;
  readonly audience: Audience | null;
  readonly again: () => void;
  readonly isLooking: boolean;
};

function Checks({ checks, of, audience, again, isLooking }: ChecksProps) {
  const { check: t } = useTexts(campaignsTexts);
  const [open, setOpen] = useState<string | null>(null);
  const count = (is: CampaignCheck["is"]) => checks?.filter((check) => check.is === is).length ?? 0;
  return (
    <section className="panel" aria-labelledby="checks">
      <header>
        <h2 id="checks">{t.title}</h2>
        <span className="row-text dim" role="status">
          {checks ? t.sum(count("bad"), count("warn"), count("fine")) : t.looking}
        </span>
        <span className="push">
          <Button kind="quiet" small icon="again" busy={isLooking} onClick={again}>
            {t.again}
          </Button>
        </span>
      </header>
      {checks ? (
        <div className="rows checks">
          {checks.map((check) => (
            <Line key={check.id} check={check} open={setOpen} />
          ))}
        </div>
      ) : (
        <Skeleton of={of} rows={6} columns={2} className="checks" />
      )}
      {open !== null && audience && (
        <div className="pad">
          <AudiencePeople key={open} audience={withoutValue(audience, open)} part="willReceive" total={undefined} />
        </div>
      )}
    </section>
  );
}

const MARKS: Readonly<Record<CampaignCheck["is"], { readonly icon: StatusIconName; readonly tone: Tone }>> = {
  bad: { icon: "failed", tone: "bad" },
  warn: { icon: "warn", tone: "warn" },
  fine: { icon: "check", tone: "ok" },
};

function Line({ check, open }: { readonly check: CampaignCheck; readonly open: (name: string) => void }) {
  const { check: t } = useTexts(campaignsTexts);
  const { is, title, more, mend, lacking } = check;
  const { icon, tone } = MARKS[is];
  return (
    <div className="line">
      <StatusIcon name={icon} tone={tone} />
      <span>
        {is === "bad" ? <b>{title}</b> : title} <span className="dim">{more}</span>
      </span>
      <span className="inline">
        {lacking !== undefined && (
          <button type="button" className="text-btn" onClick={() => open(lacking)}>
            {t.showLacking}
          </button>
        )}
        {mend && is !== "fine" && <FixLink place={mend} />}
      </span>
    </div>
  );
}

// The overview: problems that need attention, the queue and delivery figures; before the first email, how to send it.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bar } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { useMembership, type Role } from "../calls/session.ts";
import { overviewTexts, frameTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { overviewQuery, type Overview as OverviewData, campaignsQuery, type RunningCampaign } from "./calls.ts";
import { OutcomeShares } from "./outcome-shares.tsx";
import { FirstEmail } from "./first-steps/first-email.tsx";
import { remain } from "./first-steps/first-steps.ts";
import { useHiddenSteps } from "./first-steps/hide-steps.ts";
import { MailPanel } from "./mail-panel.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { QueuePanel } from "./queue.tsx";
import { StepsPanel } from "./first-steps/steps.tsx";
import { PlannedTime } from "../parts/planned-time.tsx";
import { useFormats } from "../base/formats.ts";
import { Label, State } from "../parts/state.tsx";
import { ColumnNames } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import "./overview.css";

export function Overview() {
  const t = useTexts(overviewTexts);
  const { data, ...asked } = useQuery(overviewQuery);
  const { isHidden, toggle } = useHiddenSteps();
  const role = useMembership()?.role ?? "OWNER";
  const hasSteps = data !== undefined && remain(role, data.firstSteps);
  const name = isHidden ? t.steps.show : t.steps.hide;
  useCommands(hasSteps ? [{ id: "first steps", name, icon: "flag", run: toggle }] : []);
  const actions = hasSteps && (
    <Button kind="quiet" onClick={toggle}>
      {name}
    </Button>
  );
  return (
    <>
      <Bar title={t.title} call={{ path: "/overview" }} live actions={actions} />
      {data ? (
        <Body data={data} role={role} showsSteps={hasSteps && !isHidden} />
      ) : (
        <Skeleton of={asked} rows={4} columns={3} />
      )}
    </>
  );
}

type BodyProps = { readonly data: OverviewData; readonly role: Role; readonly showsSteps: boolean };

function Body({ data: { attention, firstSteps }, role, showsSteps }: BodyProps) {
  if (showsSteps && !firstSteps.mailSent) return <FirstEmail steps={firstSteps} needs={attention} role={role} />;
  return (
    <div className="page">
      <NeedsAttention needs={attention} />
      <div className="cols overview">
        <div className="stack l">
          <MailPanel />
          <Campaigns />
        </div>
        <div className="stack l">
          {showsSteps && <StepsPanel steps={firstSteps} role={role} />}
          <QueuePanel />
          <OutcomeShares />
        </div>
      </div>
    </div>
  );
}

/** The last campaigns; each opens its results. */
function Campaigns() {
  const t = useTexts(overviewTexts).campaigns;
  const { data } = useQuery(campaignsQuery);
  if (!data || data.data.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="campaigns">
      <header>
        <h2 id="campaigns">{t.title}</h2>
        <span className="dim row-text">{t.of(data.data.length, "total" in data ? data.total : data.data.length)}</span>
      </header>
      <div className="rows camps">
        <ColumnNames
          columns={[t.name, t.state, { end: t.recipients }, { end: t.sent }, { end: t.opened }, { end: t.when }]}
        />
        {data.data.map((campaign) => (
          <Line key={campaign.id} campaign={campaign} />
        ))}
      </div>
    </section>
  );
}

function Line({ campaign }: { readonly campaign: RunningCampaign }) {
  const t = useTexts(overviewTexts).campaigns;
  const { number, percent } = useFormats();
  const { id, name, totalRecipients, sentCount, openedCount } = campaign;
  const when = campaign.startedAt ?? campaign.scheduledFor ?? campaign.createdAt;
  return (
    <Link className="line" to="/campaigns/$id" params={{ id }}>
      <b className="cut">{name}</b>
      <CampaignState campaign={campaign} />
      <span className="end wide-only">{number(totalRecipients)}</span>
      <span className="end wide-only">{number(sentCount)}</span>
      <span className={openedCount > 0 ? "end wide-only" : "end wide-only dim"}>
        {openedCount > 0 ? percent(openedCount / sentCount) : t.noneYet}
      </span>
      <span className="end dim wide-only">
        {campaign.status === "SCHEDULED" ? <PlannedTime at={when} /> : <Time at={when} as="brief" />}
      </span>
    </Link>
  );
}

function CampaignState({ campaign: { status, paused, blocked } }: { readonly campaign: RunningCampaign }) {
  const t = useTexts(overviewTexts).campaigns;
  const { states } = useTexts(frameTexts);
  if (status !== "SENDING" || (!paused && blocked === null)) return <State is={status} />;
  return (
    <Label icon="held" tone="warn">
      {paused ? t.paused : states.HELD}
    </Label>
  );
}

// Results of a campaign: recipients by outcome, engagement, and activity over time. Each number opens its recipients.
import { getRouteApi, Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Skeleton, Empty } from "../../parts/layout.tsx";
import { Number } from "../../parts/number.tsx";
import { Time } from "../../parts/time.tsx";
import { accountTexts } from "../../texts/areas.ts";
import { isUnsent, type Campaign } from "../calls.ts";
import { Forecast } from "../forecast.tsx";
import { useStatistics, type CampaignStatistics } from "./calls.ts";
import { Comparison } from "./comparison.tsx";
import { ActivityChart } from "./activity-chart.tsx";
import { Leaving } from "./leaving.tsx";
import { Engagement } from "./engagement.tsx";
import { HeldNotice } from "./held-notice.tsx";
import { ClicksOnEmail } from "./clicks-on-email.tsx";
import { PaceNotice } from "./pace-notice.tsx";
import { PartList } from "./part-list.tsx";
import { PartLink } from "./part-link.tsx";
import { ADDENDS, partByName, partOf, type PartName } from "./parts.ts";
import { SendingRate } from "./sending-rate.tsx";
import "./results.css";

const route = getRouteApi("/frame/campaigns/$id");

export function Results({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts(accountTexts);
  if (isUnsent(campaign))
    return (
      <div className="page">
        <Empty title={t.notYet.title} action={<ToChecks />}>
          {t.notYet.text}
        </Empty>
      </div>
    );
  return <Started campaign={campaign} />;
}

function ToChecks() {
  const t = useTexts(accountTexts);
  return (
    <Link className="btn first" to="." search={{ tab: "check" }}>
      {t.notYet.action}
    </Link>
  );
}

function Started({ campaign }: { readonly campaign: Campaign }) {
  const { part, link } = route.useSearch();
  const { data, ...asked } = useStatistics(campaign);
  const name = link === undefined ? partByName(part) : "clicked";
  if (!data) return <Skeleton of={asked} rows={8} columns={4} />;
  return (
    <div className="page">
      <HeldNotice campaign={campaign} />
      <PaceNotice campaign={campaign} />
      {campaign.status === "SENDING" && <Forecast campaign={campaign} />}
      <Whole campaign={campaign} statistics={data} chosen={name} />
      <div className="cols accounting">
        <div className="stack l">
          {name && <PartList key={`${name} ${link}`} campaign={campaign} name={name} statistics={data} />}
          <ActivityChart campaign={campaign} />
          <Comparison campaign={campaign} />
        </div>
        <div className="stack l">
          <Engagement campaign={campaign} statistics={data} chosen={name} />
          <Leaving campaignId={campaign.id} statistics={data} />
        </div>
      </div>
      <ClicksOnEmail campaign={campaign} />
    </div>
  );
}

type WholeProps = {
  readonly campaign: Campaign;
  readonly statistics: CampaignStatistics;
  readonly chosen: PartName | null;
};

function Whole({ campaign, statistics, chosen }: WholeProps) {
  const t = useTexts(accountTexts);
  const { number } = useFormats();
  const { totalRecipients } = statistics;
  // Rare parts are shown only if they are not zero.
  const isRare = (name: PartName) => name === "perhaps" || name === "refused";
  const shown = ADDENDS.filter((name) => !isRare(name) || partOf(name).count(statistics) > 0 || name === chosen);
  return (
    <section className="panel account" aria-label={t.title}>
      <div className="pad stack l">
        <div className="inline l heads">
          <div className="lead">
            <Number
              value={totalRecipients}
              label={
                <>
                  {t.were} {campaign.startedAt && <Time at={campaign.startedAt} as="exact" />}
                </>
              }
              open={(shown) => <PartLink name="all">{shown}</PartLink>}
            />
          </div>
          {campaign.status === "SENDING" && !campaign.paused && campaign.blocked === null && (
            <SendingRate campaign={campaign} statistics={statistics} />
          )}
        </div>
        <SumBar statistics={statistics} />
        <div className="parts-row">
          <span className="eq">{number(totalRecipients)} =</span>{" "}
          {shown.map((name, at) => (
            <Fragment key={name}>
              {at > 0 && <span className="eq"> + </span>}
              <PartLink name={name} className={name === chosen ? "part is" : "part"} isCurrent={name === chosen}>
                <span className={`key ${name}`} />
                <b>{number(partOf(name).count(statistics))}</b> <span className="dim">{t.parts[name]}</span>
              </PartLink>
            </Fragment>
          ))}
        </div>
      </div>
    </section>
  );
}

const WIDTH = 1_000;
const HEIGHT = 20;
const GAP = 2;
/** So that a small part stays visible. */
const MIN_WIDTH = 3;

/** The parts as a stacked bar. */
function SumBar({ statistics }: { readonly statistics: CampaignStatistics }) {
  const t = useTexts(accountTexts);
  const { number } = useFormats();
  const shown = ADDENDS.map((name) => ({ name, count: partOf(name).count(statistics) })).filter(
    ({ count }) => count > 0,
  );
  const label = shown.map(({ name, count }) => `${number(count)} ${t.parts[name]}`).join(", ");
  const free = WIDTH - shown.length * (GAP + MIN_WIDTH);
  const total = Math.max(1, statistics.totalRecipients);
  let x = 0;
  return (
    <svg className="acct" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="hatch-ground" width="5" height="5" />
          <path className="hatch-line" d="M0 0V5" />
        </pattern>
      </defs>
      {shown.map(({ name, count }) => {
        const width = MIN_WIDTH + (free * count) / total;
        const at = x;
        x += width + GAP;
        return <rect key={name} className={name} x={at} y="0" width={width} height={HEIGHT} />;
      })}
    </svg>
  );
}

// The last campaigns; each opens its account.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PlannedTime } from "../campaigns/planned-time.tsx";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Label, State } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";
import { frameTexts, overviewTexts } from "../texts/areas.ts";
import { campaignsQuery, type Campaign } from "./calls.ts";

export function Campaigns() {
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
        <div className="head wide-only">
          <span>{t.name}</span>
          <span>{t.state}</span>
          <span className="end">{t.recipients}</span>
          <span className="end">{t.sent}</span>
          <span className="end">{t.opened}</span>
          <span className="end">{t.when}</span>
        </div>
        {data.data.map((campaign) => (
          <Line key={campaign.id} campaign={campaign} />
        ))}
      </div>
    </section>
  );
}

function Line({ campaign }: { readonly campaign: Campaign }) {
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

function CampaignState({ campaign: { status, paused, blocked } }: { readonly campaign: Campaign }) {
  const t = useTexts(overviewTexts).campaigns;
  const { states } = useTexts(frameTexts);
  if (status !== "SENDING" || (!paused && blocked === null)) return <State is={status} />;
  return (
    <Label icon="held" tone="warn">
      {paused ? t.paused : states.HELD}
    </Label>
  );
}

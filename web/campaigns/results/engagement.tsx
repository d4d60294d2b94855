// Delivery and engagement figures. Each number opens its recipients.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { accountTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { useLinks, type CampaignStatistics } from "./calls.ts";
import { PartLink, usePartLabel } from "./part-link.tsx";
import { partOf, tellsDeliveries, type PartName } from "./parts.ts";

type EngagementProps = {
  readonly campaign: Campaign;
  readonly statistics: CampaignStatistics;
  readonly chosen: PartName | null;
};

const OUTCOMES = ["delivered", "bounced", "complained", "noWord"] as const;
const ENGAGEMENT = ["opened", "clicked", "leftTopic", "unsubscribed"] as const;
/** All links are in the list beside the email. */
const MAX_LINKS = 5;

export function Engagement({ campaign, statistics, chosen }: EngagementProps) {
  const t = useTexts(accountTexts);
  const { number } = useFormats();
  const { data } = useLinks(campaign.id);
  const label = usePartLabel(statistics);
  const did = ENGAGEMENT.filter((name) => name !== "leftTopic" || campaign.topic || statistics.leftTopicCount > 0);
  const outcomes = OUTCOMES.filter((name) => name !== "delivered" || tellsDeliveries(statistics));
  return (
    <>
      <section className="panel" aria-labelledby="of-sent">
        <header>
          <h2 id="of-sent">
            {statistics.refusedCount > 0
              ? t.ofHandedOver(number(handedOver(statistics)))
              : t.ofSent(number(handedOver(statistics)))}
          </h2>
        </header>
        <div className="rows fate">
          {outcomes.map((name) => (
            <Line
              key={name}
              name={name}
              label={label(name)}
              of={handedOver(statistics)}
              statistics={statistics}
              chosen={chosen}
            >
              {name === "bounced" && statistics.refusedCount > 0 && (
                <PartLink name="refused" className="line" isCurrent={chosen === "refused"}>
                  <span />
                  <span className="dim">{t.ofThem(label("refused"))}</span>
                  <span className="end">{number(statistics.refusedCount)}</span>
                  <span />
                </PartLink>
              )}
            </Line>
          ))}
        </div>
      </section>
      <section className="panel" aria-labelledby="did">
        <header>
          <h2 id="did">{t.did}</h2>
          <span className="dim small push">{t.noMachines}</span>
        </header>
        <div className="rows fate">
          {did.map((name) => (
            <Line
              key={name}
              name={name}
              label={label(name)}
              of={statistics.sentCount}
              statistics={statistics}
              chosen={chosen}
            >
              {name === "clicked" && data && <Links links={data.links.slice(0, MAX_LINKS)} />}
            </Line>
          ))}
        </div>
      </section>
    </>
  );
}

type PartLineProps = {
  readonly name: PartName;
  readonly label: string;
  /** The whole of the percentage. */
  readonly of: number;
  readonly statistics: CampaignStatistics;
  readonly chosen: PartName | null;
  readonly children?: React.ReactNode;
};

/** With mail that was refused at the hand-over: the bounces include it, so the whole of a bounce rate must too. */
function handedOver({ sentCount, refusedCount }: CampaignStatistics): number {
  return sentCount + refusedCount;
}

function Line({ name, label, of, statistics, chosen, children }: PartLineProps) {
  const { number, percent } = useFormats();
  const { count, icon, tone } = partOf(name);
  const value = count(statistics);
  return (
    <>
      <PartLink name={name} className="line" isCurrent={name === chosen}>
        <StatusIcon name={icon} {...(tone ? { tone } : {})} />
        <span>{label}</span>
        <b className="end">{number(value)}</b>
        <span className="end dim">{of === 0 ? "" : percent(value / of)}</span>
      </PartLink>
      {children}
    </>
  );
}

type LinksProps = { readonly links: readonly { readonly url: string; readonly people: number }[] };

function Links({ links }: LinksProps) {
  const { number } = useFormats();
  return links.map(({ url, people }) => (
    <PartLink key={url} name="clicked" link={url} className="line">
      <span />
      <span className="dim cut" title={url}>
        {shortUrls(url)}
      </span>
      <span className="end">{number(people)}</span>
      <span />
    </PartLink>
  ));
}

/** Without "https://", "www." and a slash at the end. */
export function shortUrls(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}

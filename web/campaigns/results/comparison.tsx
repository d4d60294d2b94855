// Compares a campaign with the last ones that were sent.
import { Link } from "@tanstack/react-router";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { accountTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { useRecentCampaigns } from "./calls.ts";

const SHOWN = 5;

export function Comparison({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts(accountTexts);
  const { data } = useRecentCampaigns();
  const others = (data ?? []).filter(({ id, sentCount }) => id !== campaign.id && sentCount > 0).slice(0, SHOWN);
  if (others.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="compared">
      <header>
        <h2 id="compared">{t.compared}</h2>
      </header>
      <div className="rows compared">
        <div className="head">
          <span>{t.name}</span>
          <span className="end">{t.parts.sent}</span>
          <span className="end">{t.parts.opened}</span>
          <span className="end">{t.parts.clicked}</span>
          <span className="end wide-only">{t.parts.bounced}</span>
        </div>
        {[campaign, ...others].map((one) => (
          <Row key={one.id} campaign={one} isThis={one.id === campaign.id} />
        ))}
      </div>
    </section>
  );
}

function Row({ campaign, isThis }: { readonly campaign: Campaign; readonly isThis: boolean }) {
  const { number, percent } = useFormats();
  const { id, name, sentCount, refusedCount, openedCount, clickedCount, bouncedCount } = campaign;
  const share = (count: number, of: number) => (of === 0 ? "–" : percent(count / of));
  return (
    <Link className="line" to="/campaigns/$id" params={{ id }} search={{ tab: "results" }}>
      <span className="cut">{isThis ? <b>{name}</b> : name}</span>
      <span className="end">{number(sentCount)}</span>
      <span className="end">{share(openedCount, sentCount)}</span>
      <span className="end">{share(clickedCount, sentCount)}</span>
      <span className="end wide-only">{share(bouncedCount, sentCount + refusedCount)}</span>
    </Link>
  );
}

// The number of recipients of an unsent campaign, as a line above its content. The number opens the audience.
import { Link } from "@tanstack/react-router";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import { audienceOf, useAudience } from "./audience-calls.ts";
import type { Campaign } from "../calls.ts";

export function AudienceNumber({ campaign }: { readonly campaign: Campaign }) {
  const { audience: t, about, change } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const { audienceType, segment, repeats, totalRecipients, totalIsEstimate } = campaign;
  const audience = audienceOf(campaign);
  // Until the count arrives, the number in the campaign's record.
  const { data = { willReceive: totalRecipients, approximate: totalIsEstimate } } = useAudience(audience);
  const { willReceive, approximate = false } = data;
  const shown = approximate ? about(number(willReceive)) : number(willReceive);
  const what = repeats !== null ? t.repeated : (segment?.name ?? t.types[audienceType]);
  const isChosen = audience !== null || repeats !== null;
  return (
    <>
      <span className="cut">
        {isChosen ? (
          <>
            <Link
              className="opens"
              from="/campaigns/$id"
              to="."
              search={{ tab: "audience", ...(audience === null ? {} : { part: "willReceive" }) }}
            >
              {t.count(willReceive, shown)}
            </Link>{" "}
            <span className="dim">{what}</span>
          </>
        ) : (
          <span className="dim">{t.unchosen[audienceType]}</span>
        )}
      </span>
      <Link className="btn quiet s" from="/campaigns/$id" to="." search={{ tab: "audience" }}>
        {change}
      </Link>
    </>
  );
}

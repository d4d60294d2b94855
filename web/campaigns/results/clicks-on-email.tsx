// The email with the number of people who clicked on each link, in a sandboxed frame, beside a list of the links.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { accountTexts } from "../../texts/areas.ts";
import { DraftFrame } from "../../writing/preview/frame.tsx";
import type { Campaign } from "../calls.ts";
import { useLinks } from "./calls.ts";
import { shortUrls } from "./engagement.tsx";
import { withClickCounts } from "./click-counts.ts";
import { PartLink } from "./part-link.tsx";

export function ClicksOnEmail({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts(accountTexts);
  const { number } = useFormats();
  const { data } = useLinks(campaign.id);
  const html = useSampleEmail(campaign);
  const links = data?.links ?? [];
  if (links.length === 0 || html === undefined) return null;
  return (
    <section className="panel" aria-labelledby="on-mail">
      <header>
        <h2 id="on-mail">{t.onMail}</h2>
        <span className="dim small">{data?.isLowerBound ? t.linksAtLeast : t.linksPeople}</span>
      </header>
      <div className="cols on-mail">
        <div className="marked-mail">
          <DraftFrame
            html={withClickCounts(html, links, number)}
            title={t.onMail}
            look={{ width: "wide", scheme: "light", hasImages: false }}
          />
        </div>
        <div className="rows links">
          <div className="head">
            <span>{t.link}</span>
            <span className="end">{t.people}</span>
            <span className="end">{t.clicks}</span>
          </div>
          {links.map(({ url, people, clicks }) => (
            <PartLink key={url} name="clicked" link={url} className="line">
              <span className="url">{shortUrls(url)}</span>
              <b className="end">{number(people)}</b>
              <span className="end dim">{number(clicks)}</span>
            </PartLink>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Rendered for a person without data. */
function useSampleEmail({ subject, body }: Campaign): string | undefined {
  return useQuery({
    queryKey: ["preview", "to mark", subject, body],
    queryFn: async () => (await call("POST /preview", { body: { subject, body, kind: "MARKETING", data: {} } })).html,
    staleTime: Infinity,
    throwOnError: false,
  }).data;
}

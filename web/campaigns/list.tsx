// The list of campaigns, newest first, searchable by name and subject.
import { getRouteApi } from "@tanstack/react-router";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { ListScreen } from "../lists/list-screen.tsx";
import { ListTabs } from "../lists/tabs.tsx";
import { Time } from "../parts/time.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { SavedViews } from "../views/saved-views.tsx";
import { isUnsent, useCampaigns, type Campaign } from "./calls.ts";
import { NewCampaign } from "./new-campaign.tsx";
import { PlannedTime } from "../parts/planned-time.tsx";
import { STATUSES, type CampaignsSearch } from "./search.ts";
import { CampaignState } from "./campaign-state.tsx";
import "./campaigns.css";

const route = getRouteApi("/frame/campaigns");
const CREATE = {
  method: "POST",
  path: "/campaigns",
  body: {
    name: "Spring news",
    subject: "It is spring",
    body: "<p>Hello {{ name ?? 'there' }}.</p>",
    from: "news@example.com",
    audienceType: "ALL",
  },
} as const;

const ANY_STATUS = "any";

export function Campaigns() {
  const t = useTexts(campaignsTexts);
  const { make: makes, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const disabledReason = useDisabledReason("campaigns.write");
  const { all, ...pages } = useCampaigns(search);
  const narrow = (change: { search?: string | undefined; status?: CampaignsSearch["status"] | undefined }) =>
    void navigate({ search: { ...search, ...change } as CampaignsSearch, replace: true });
  return (
    <ListScreen
      texts={t}
      call={{ path: "/campaigns", query: { ...search, limit: 50 } }}
      live
      make={{
        id: "new campaign",
        icon: "campaigns",
        run: () => void navigate({ search: { ...search, make: true } }),
        disabledReason,
      }}
      example={CREATE}
      search={{ value: search.search, onChange: (words) => narrow({ search: words }) }}
      isNarrowed={search.status !== undefined}
      clear={() => void navigate({ search: {}, replace: true })}
      tabs={
        <>
          <ListTabs
            label={t.status}
            value={search.status ?? ANY_STATUS}
            onChange={(status) => narrow({ status: status === ANY_STATUS ? undefined : status })}
            tabs={[
              { value: ANY_STATUS, name: t.any },
              ...STATUSES.map((status) => ({ value: status, name: t.statuses[status] })),
            ]}
          />
          <SavedViews
            list="campaigns"
            to="/campaigns"
            filters={{ search: search.search, status: search.status }}
            alone
          />
        </>
      }
      className="campaigns"
      columns={[
        null,
        t.name,
        t.status,
        { end: t.recipients },
        { end: t.sent },
        { end: t.opened },
        { end: t.clicked },
        { end: t.when },
      ]}
      items={all}
      of={pages}
      row={(campaign) => <Row key={campaign.id} campaign={campaign} />}
      pages={pages}
    >
      {makes && disabledReason === undefined && <NewCampaign close={() => void navigate({ search, replace: true })} />}
    </ListScreen>
  );
}

function Row({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts(campaignsTexts);
  const { number, percent } = useFormats();
  const { id, name, subject, totalRecipients, totalIsEstimate, sentCount, openedCount, clickedCount } = campaign;
  const ofSent = (count: number) => (sentCount === 0 ? "" : percent(count / sentCount));
  const at = campaign.scheduledFor ?? campaign.sentAt ?? campaign.startedAt ?? campaign.updatedAt;
  return (
    <Line icon="campaigns" name={name} more={subject} link={{ to: "/campaigns/$id", params: { id } }}>
      <CampaignState campaign={campaign} />
      <span className="end" data-label={t.recipients}>
        {totalIsEstimate ? t.about(number(totalRecipients)) : number(totalRecipients)}
      </span>
      <span className="end wide-only">{isUnsent(campaign) ? "" : number(sentCount)}</span>
      <span className="end wide-only">{ofSent(openedCount)}</span>
      <span className="end wide-only">{ofSent(clickedCount)}</span>
      <span className="dim small end when">
        {campaign.status === "SCHEDULED" ? <PlannedTime at={at} /> : <Time at={at} as="brief" />}
      </span>
    </Line>
  );
}

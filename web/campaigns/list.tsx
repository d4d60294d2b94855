// Campaigns: all of them, newest first, with their states and numbers; found by what they are called or say.
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { curlOf } from "../calls.ts";
import { useFormats } from "../formats.ts";
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton, Empty } from "../parts/layout.tsx";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { Time } from "../parts/time.tsx";
import { useDisabledReason } from "../session.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { OwnViews } from "../views/own-views.tsx";
import { useVerbs } from "../verbs.ts";
import { isUnsent, useCampaigns, type Campaign } from "./calls.ts";
import { MakeCampaign } from "./make.tsx";
import { PlannedTime } from "./planned-time.tsx";
import { STATUSES, type CampaignsSearch } from "./route.ts";
import { CampaignState } from "./state.tsx";
import "./campaigns.css";

const route = getRouteApi("/frame/campaigns");
const MAKE = {
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

export function Campaigns() {
  const t = useTexts(campaignsTexts);
  const { make: makes, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const disabledReason = useDisabledReason("campaigns.write");
  const make = () => void navigate({ search: { ...search, make: true } });
  const close = () => void navigate({ search, replace: true });
  useVerbs([{ id: "new campaign", name: t.make, icon: "campaigns", run: make, disabledReason }]);
  return (
    <>
      <Bar
        title={t.title}
        call={{ path: "/campaigns", query: { ...search, limit: 50 } }}
        live
        actions={
          <Button icon="plus" disabledReason={disabledReason} onClick={make}>
            {t.make}
          </Button>
        }
      />
      <Found search={search} disabledReason={disabledReason} make={make} />
      {makes && <MakeCampaign close={close} />}
    </>
  );
}

type FoundProps = {
  readonly search: CampaignsSearch;
  readonly disabledReason: string | undefined;
  readonly make: () => void;
};

function Found({ search, disabledReason, make }: FoundProps) {
  const t = useTexts(campaignsTexts);
  const { all, hasNextPage, fetchNextPage, isFetchingNextPage } = useCampaigns(search);
  const isNarrowed = search.search !== undefined || search.status !== undefined;
  if (all?.length === 0 && !isNarrowed)
    return (
      <div className="page">
        <Empty
          title={t.empty.title}
          curl={curlOf(MAKE)}
          action={
            <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={make}>
              {t.make}
            </Button>
          }
        >
          {t.empty.text}
        </Empty>
      </div>
    );
  return (
    <div className="page">
      <Narrow search={search} />
      <section className="panel" aria-label={t.title}>
        {all ? <Rows campaigns={all} /> : <Skeleton rows={8} columns={5} className="campaigns" />}
        {all?.length === 0 && !hasNextPage && <p className="pad dim row-text">{t.noMatch}</p>}
        {hasNextPage && (
          <div className="foot">
            <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t.more}
            </Button>
          </div>
        )}
      </section>
    </div>
  );
}

const ANY = "any";

function Narrow({ search }: { readonly search: CampaignsSearch }) {
  const t = useTexts(campaignsTexts);
  const navigate = useNavigate();
  const narrow = (change: { search?: string | undefined; status?: CampaignsSearch["status"] | undefined }) =>
    void navigate({ to: "/campaigns", search: { ...search, ...change } as CampaignsSearch, replace: true });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A saved view brings words of its own.
    if (field.current && document.activeElement !== field.current) field.current.value = search.search ?? "";
  }, [search.search]);
  return (
    <div className="inline l narrowing">
      <input
        ref={field}
        type="search"
        className="input"
        aria-label={t.find}
        placeholder={t.find}
        defaultValue={search.search}
        onChange={({ target }) => narrow({ search: target.value.trim() || undefined })}
      />
      <SegmentedControl
        label={t.status}
        value={search.status ?? ANY}
        onChange={(status) => narrow({ status: status === ANY ? undefined : status })}
        choices={[
          { value: ANY, content: t.any },
          ...STATUSES.map((status) => ({ value: status, content: t.statuses[status] })),
        ]}
      />
      <OwnViews list="campaigns" to="/campaigns" filters={{ search: search.search, status: search.status }} alone />
    </div>
  );
}

function Rows({ campaigns }: { readonly campaigns: readonly Campaign[] }) {
  const t = useTexts(campaignsTexts);
  return (
    <div className="rows campaigns">
      <div className="head wide-only">
        <span>{t.name}</span>
        <span>{t.status}</span>
        <span className="end">{t.recipients}</span>
        <span className="end">{t.sent}</span>
        <span className="end">{t.opened}</span>
        <span className="end">{t.clicked}</span>
        <span className="end">{t.when}</span>
      </div>
      {campaigns.map((campaign) => (
        <Row key={campaign.id} campaign={campaign} />
      ))}
    </div>
  );
}

function Row({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts(campaignsTexts);
  const { number, percent } = useFormats();
  const { id, name, subject, totalRecipients, totalIsEstimate, sentCount, openedCount, clickedCount } = campaign;
  const ofSent = (count: number) => (sentCount === 0 ? "" : percent(count / sentCount));
  const at = campaign.scheduledFor ?? campaign.sentAt ?? campaign.startedAt ?? campaign.updatedAt;
  return (
    <Link className="line" to="/campaigns/$id" params={{ id }}>
      <span className="cut">
        <b>{name}</b> <span className="dim wide-only">{subject}</span>
      </span>
      <CampaignState campaign={campaign} />
      <span className="end">{totalIsEstimate ? t.about(number(totalRecipients)) : number(totalRecipients)}</span>
      <span className="end wide-only">{isUnsent(campaign) ? "" : number(sentCount)}</span>
      <span className="end wide-only">{ofSent(openedCount)}</span>
      <span className="end wide-only">{ofSent(clickedCount)}</span>
      <span className="dim small end wide-only">
        {campaign.status === "SCHEDULED" ? <PlannedTime at={at} /> : <Time at={at} as="brief" />}
      </span>
    </Link>
  );
}

// One campaign: name, status and tabs.
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { CopyActions, Live, ResourceBar, ResourceTabs } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { Skeleton } from "../parts/layout.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { useAutosave } from "../writing/saving/autosave.ts";
import { Conflict, SavingState } from "../writing/saving/saving-state.tsx";
import { Versions } from "../writing/versions/versions.tsx";
import { changeOf, contentOf, type Content } from "../writing/content.ts";
import { CampaignActions } from "./actions.tsx";
import { AudienceNumber } from "./audience/audience-number.tsx";
import { campaignQuery, changeCampaign, isUnsent, loadCampaign, type Campaign } from "./calls.ts";
import { UndoSend } from "./send/undo-send.tsx";
import { SendControls } from "./send-controls.tsx";
import { TABS } from "./search.ts";
import { WritingSkeleton } from "../writing/skeletons.tsx";
import { Sender } from "./sender.tsx";
import { CampaignState } from "./campaign-state.tsx";
import { SendToMe } from "./send-to-me.tsx";
import { lazyPart, nothing } from "../chunks.tsx";
import "./campaign.css";

// Each tab is loaded by itself: the results need no editor.
const ContentTab = lazyPart(() => import("../writing/writing.tsx"), "Writing");
const AudienceTab = lazyPart(() => import("./audience/audience.tsx"), "AudienceTab");
const CheckTab = lazyPart(() => import("./send/check.tsx"), "CheckTab");
const CheckMark = lazyPart(() => import("./send/check-mark.tsx"), "CheckMark", nothing);
const Results = lazyPart(() => import("./results/results.tsx"), "Results");

const route = getRouteApi("/frame/campaigns/$id");

export function CampaignScreen() {
  const { id } = route.useParams();
  return <LoadedCampaign key={id} id={id} />;
}

function LoadedCampaign({ id }: { readonly id: string }) {
  const t = useTexts(campaignsTexts);
  const { data: campaign } = useSuspenseQuery(campaignQuery(id));
  const { tab = isUnsent(campaign) ? "write" : "results" } = route.useSearch();
  const disabledReason = useWritingDisabledReason(campaign);
  const saving = useAutosave<Content, Campaign>({
    row: campaign,
    valueOf: contentOf,
    save: (value, ifUpdatedAt, signal) => changeCampaign(id, changeOf(value), ifUpdatedAt ?? null, signal),
    load: () => loadCampaign(id),
  });
  return (
    <>
      <ResourceBar
        back={<Link to="/campaigns">{t.title}</Link>}
        title={campaign.name}
        call={{ path: tab === "results" ? `/campaigns/${id}/stats` : `/campaigns/${id}` }}
        actions={
          <>
            {isUnsent(campaign) && disabledReason === undefined ? (
              <SavingState saving={saving} row={campaign} />
            ) : (
              <span className="wide-only">
                <Live />
              </span>
            )}
            <CopyActions />
            <SendControls campaign={campaign} />
            <CampaignActions campaign={campaign} flush={saving.flush} />
          </>
        }
      >
        <CampaignState pill campaign={campaign} />
        <ResourceTabs
          label={t.parts}
          names={TABS}
          texts={t.tabs}
          open={tab}
          mark={(name) =>
            name === "check" &&
            isUnsent(campaign) && (
              <Suspense>
                <CheckMark campaign={campaign} />
              </Suspense>
            )
          }
        />
      </ResourceBar>
      <Conflict saving={saving} />
      <UndoSend campaign={campaign} />
      <Suspense fallback={tab === "write" ? <WritingSkeleton /> : <Skeleton of={null} rows={8} columns={3} />}>
        {tab === "write" && (
          <ContentTab
            name={campaign.name}
            value={saving.value}
            onChange={saving.set}
            hold={saving.hold}
            kind="MARKETING"
            fault={saving.fault}
            disabledReason={disabledReason}
            from={<Sender campaign={campaign} disabledReason={disabledReason} flush={saving.flush} />}
            to={isUnsent(campaign) && <AudienceNumber campaign={campaign} />}
            sender={campaign.fromName ?? campaign.from ?? undefined}
            foot={
              <Versions of="campaigns" id={id} row={campaign} disabledReason={disabledReason} flush={saving.flush} />
            }
            actions={<SendToMe campaign={campaign} flush={saving.flush} small />}
          />
        )}
        {tab === "audience" && <AudienceTab campaign={campaign} disabledReason={disabledReason} flush={saving.flush} />}
        {tab === "check" && <CheckTab campaign={campaign} value={saving.value} flush={saving.flush} />}
        {tab === "results" && <Results campaign={campaign} />}
      </Suspense>
    </>
  );
}

/** Why it cannot be edited. An edit of a scheduled campaign will be sent, so it needs the permission to send. */
function useWritingDisabledReason({ status }: Campaign): string | undefined {
  const t = useTexts(campaignsTexts);
  const mayNotWrite = useDisabledReason("campaigns.write");
  const mayNotSend = useDisabledReason("campaigns.send");
  if (status === "SENDING") return t.isMoving;
  if (status === "SENT" || status === "CANCELLED") return t.isSent;
  return status === "SCHEDULED" ? (mayNotSend ?? mayNotWrite) : mayNotWrite;
}

// One segment: builder, members, history.
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useFormats } from "../base/formats.ts";
import { CopyActions, ResourceBar, ResourceTabs } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { KeptInFiles } from "../saving/kept-in-files.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { segmentsTexts } from "../texts/areas.ts";
import { SegmentActions } from "./actions.tsx";
import { SaveCondition, SavedBuilder, useEditedCondition } from "./builder/saved-builder.tsx";
import { segmentQuery, type Segment } from "./calls.ts";
import { History } from "./history.tsx";
import { Members } from "./members.tsx";
import { TABS, type SegmentTab } from "./search.ts";
import { Button } from "../parts/button.tsx";
import { useNewCampaignTo } from "../campaigns/use-new-campaign-to.ts";
import "./styles.ts";

const route = getRouteApi("/frame/segments/$id");

export function SegmentScreen() {
  const { id } = route.useParams();
  return <LoadedSegment key={id} id={id} />;
}

function LoadedSegment({ id }: { readonly id: string }) {
  const t = useTexts(segmentsTexts);
  const { data: segment } = useSuspenseQuery(segmentQuery(id));
  const { tab: asked } = route.useSearch();
  const names = TABS.filter((name) => name !== "builder" || segment.type === "DYNAMIC");
  const tab = names.find((name) => name === asked) ?? (names[0] as SegmentTab);
  const disabledReason = useDisabledReason("campaigns.write");
  const { number } = useFormats();
  const edited = useEditedCondition(segment);
  const isBuilder = tab === "builder";
  return (
    <>
      <ResourceBar
        back={<Link to="/segments">{t.title}</Link>}
        title={segment.name}
        call={{ path: `/segments/${id}` }}
        actions={
          <>
            <CopyActions />
            <CampaignButton segment={segment} />
            {isBuilder && <SaveCondition edited={edited} disabledReason={disabledReason} />}
            <SegmentActions segment={segment} disabledReason={disabledReason} />
          </>
        }
      >
        <ResourceTabs
          label={t.parts}
          names={names}
          texts={t.tabs}
          open={tab}
          mark={(name) => name === "people" && <span className="n">{number(segment.memberCount)}</span>}
        />
      </ResourceBar>
      <KeptInFiles kind="segments" id={id} />
      {isBuilder && <SavedBuilder segment={segment} edited={edited} disabledReason={disabledReason} />}
      {tab === "people" && <Members segment={segment} disabledReason={disabledReason} />}
      {tab === "history" && <History segment={segment} disabledReason={disabledReason} />}
    </>
  );
}

/** Creates a campaign to this segment. */
function CampaignButton({ segment }: { readonly segment: Segment }) {
  const t = useTexts(segmentsTexts);
  const disabledReason = useDisabledReason("campaigns.write");
  const creating = useNewCampaignTo();
  return (
    <Button
      icon="campaigns"
      label={t.campaign}
      disabledReason={disabledReason}
      busy={creating.isPending}
      onClick={() => creating.mutate(segment)}
    >
      <span className="wide-only">{t.campaign}</span>
    </Button>
  );
}

// The webhooks of the workspace; recent calls of workflows with responses and next attempts, and how to verify
// signatures.
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { curlOf } from "../../calls/curl.ts";
import { useTexts } from "../../base/language.ts";
import { NewButton } from "../../lists/new-button.tsx";
import { More } from "../../parts/rows.tsx";
import { Skeleton, Empty } from "../../parts/layout.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { webhooksTexts } from "../../texts/areas.ts";
import { SettingsBar } from "../settings-bar.tsx";
import { pages } from "../../calls/query.ts";
import { AttemptRow } from "./attempt.tsx";
import { EXAMPLE_CALL } from "./example-call.ts";
import { OUTCOMES } from "./outcomes.ts";
import { HookForm } from "./form.tsx";
import { HookList } from "./list.tsx";
import { WorkspaceSignatures } from "./workspace-signatures.tsx";

const route = getRouteApi("/frame/settings/webhooks");
const PAGE_SIZE = 50;

export function Webhooks() {
  const t = useTexts(webhooksTexts);
  const { outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const disabledReason = useDisabledReason("keys");
  const [adds, setAdds] = useState(false);
  const add = () => setAdds(true);
  return (
    <>
      <SettingsBar
        tab="webhooks"
        call={{ path: "/webhooks" }}
        actions={
          <NewButton id="add webhook" icon="hook" name={t.hooks.add} run={add} disabledReason={disabledReason} />
        }
      />
      <div className="page hooks">
        <HookList add={add} disabledReason={disabledReason} />
        <div className="inline l">
          <h2 className="title">{t.title}</h2>
          <SegmentedControl
            label={t.outcome}
            choices={OUTCOMES.map((value) => ({ value, content: t.outcomes[value] }))}
            value={outcome}
            onChange={(chosen) => void navigate({ search: { outcome: chosen }, replace: true })}
          />
        </div>
        <Attempts />
        <WorkspaceSignatures />
      </div>
      {adds && <HookForm close={() => setAdds(false)} />}
    </>
  );
}

function Attempts() {
  const t = useTexts(webhooksTexts);
  const { outcome } = route.useSearch();
  const which = outcome === "all" ? {} : { outcome };
  const { data, ...asked } = useInfiniteQuery(pages("GET /webhooks/attempts", { limit: PAGE_SIZE, ...which }));
  if (!data) return <Skeleton of={asked} rows={5} columns={4} className="attempts" />;
  const attempts = data.pages.flatMap((page) => page.attempts);
  if (attempts.length === 0) return outcome === "all" ? <NoWebhooks /> : <p className="calm">{t.noneFailed}</p>;
  return (
    <section className="panel" aria-label={t.title}>
      <div className="rows attempts">
        {attempts.map((attempt) => (
          <AttemptRow key={`${attempt.webhookId} ${attempt.number}`} attempt={attempt} />
        ))}
      </div>
      <More {...asked} name={t.more} className="pad" large />
    </section>
  );
}

function NoWebhooks() {
  const t = useTexts(webhooksTexts).empty;
  return (
    <Empty title={t.title} curl={curlOf(EXAMPLE_CALL)}>
      {t.text}
    </Empty>
  );
}

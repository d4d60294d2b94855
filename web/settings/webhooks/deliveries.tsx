// The deliveries of a webhook: rows that expand to the request and the responses.
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { More } from "../../parts/rows.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { Label } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { webhooksTexts } from "../../texts/areas.ts";
import { pages, usePages } from "../../calls/query.ts";
import { again, type Delivery } from "./calls.ts";
import { OUTCOMES } from "./outcomes.ts";
import { OUTCOME_TONES, STATES } from "./state.ts";

const route = getRouteApi("/frame/settings/webhooks/$id");
const PAGE_SIZE = 50;

export function Deliveries({ id }: { readonly id: string }) {
  const t = useTexts(webhooksTexts);
  const { outcome } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className="inline l">
        <h2 className="title">{t.deliveries.title}</h2>
        <SegmentedControl
          label={t.outcome}
          choices={OUTCOMES.map((value) => ({ value, content: t.outcomes[value] }))}
          value={outcome}
          onChange={(chosen) => void navigate({ search: { outcome: chosen }, replace: true })}
        />
      </div>
      <Rows id={id} failed={outcome === "failed"} />
    </>
  );
}

type RowsProps = { readonly id: string; readonly failed: boolean };

function Rows({ id, failed }: RowsProps) {
  const t = useTexts(webhooksTexts);
  const which = failed ? { state: "FAILED" as const } : {};
  const { all: deliveries, ...asked } = usePages(
    pages("GET /webhooks/{id}/deliveries", { id, limit: PAGE_SIZE, ...which }),
  );
  if (!deliveries) return <Skeleton of={asked} rows={5} columns={4} className="attempts" />;
  if (deliveries.length === 0) return <p className="calm">{failed ? t.deliveries.noneFailed : t.deliveries.none}</p>;
  return (
    <section className="panel" aria-label={t.deliveries.title}>
      <div className="rows attempts">
        {deliveries.map((delivery) => (
          <Row key={delivery.id} hook={id} delivery={delivery} />
        ))}
      </div>
      <More {...asked} name={t.more} className="pad" large />
    </section>
  );
}

type RowProps = { readonly hook: string; readonly delivery: Delivery };

function Row({ hook, delivery }: RowProps) {
  const t = useTexts(webhooksTexts);
  const { span } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const { type, state, status, durationMs, createdAt, nextAt, lastAt } = delivery;
  return (
    <details className="attempt" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="line">
        <Label {...STATES[state]}>{t.deliveries.states[state]}</Label>
        <span className="cut">
          <b>{type}</b>
        </span>
        <span className="dim end">{status ?? (lastAt === null ? "" : t.noAnswer)}</span>
        <span className="dim end">{durationMs === null ? "" : span(durationMs)}</span>
        <span className="dim small end">
          {nextAt === null ? (
            <Time at={createdAt} />
          ) : (
            <>
              {t.next} <Time at={nextAt} />
            </>
          )}
        </span>
      </summary>
      {isOpen && <Detail hook={hook} delivery={delivery} />}
    </details>
  );
}

function Detail({ hook, delivery: { id, attemptCount, state } }: RowProps) {
  const t = useTexts(webhooksTexts);
  const path = { id: hook, deliveryId: id };
  const { data, ...asked } = useQuery({
    queryKey: ["webhooks", "delivery", hook, id, attemptCount, state],
    queryFn: () => call("GET /webhooks/{id}/deliveries/{deliveryId}", path),
  });
  if (!data) return <Skeleton of={asked} rows={3} columns={1} className="detail" />;
  const { request, attempts } = data;
  const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="detail stack">
      {attempts.map(({ number, at, outcome, status, answer }) => (
        <div className="stack tight" key={number}>
          <div className="inline">
            <Label {...OUTCOME_TONES[outcome ?? "underWay"]}>{t.states[outcome ?? "underWay"]}</Label>
            <span className="dim">
              {t.attempt} {number} · {status ?? t.noAnswer} · <Time at={at} as="exact" />
            </span>
          </div>
          {answer && (
            <div className="code wraps">
              <pre>{answer}</pre>
            </div>
          )}
        </div>
      ))}
      <Code
        what={t.deliveries.request}
        title={t.deliveries.request}
        text={`POST ${request.url}\n${lines.join("\n")}\n\n${JSON.stringify(JSON.parse(request.body), null, 2)}`}
      />
      <Again hook={hook} id={id} busy={state === "CALLING"} />
    </div>
  );
}

type AgainProps = { readonly hook: string; readonly id: string; readonly busy: boolean };

function Again({ hook, id, busy }: AgainProps) {
  const t = useTexts(webhooksTexts);
  const disabledReason = useDisabledReason("keys");
  const path = { id: hook, deliveryId: id };
  const replay = useMutation({
    mutationFn: () => call("POST /webhooks/{id}/deliveries/{deliveryId}/replay", path),
    onSuccess: () => {
      showToast(t.again.done);
      return again();
    },
  });
  return (
    <div>
      <Button
        small
        icon="again"
        disabledReason={disabledReason}
        busy={busy || replay.isPending}
        onClick={() => replay.mutate()}
      >
        {t.deliveries.again}
      </Button>
    </div>
  );
}

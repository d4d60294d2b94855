// The webhooks of the workspace, each with its state.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { curlOf } from "../../curl.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Skeleton } from "../../parts/layout.tsx";
import { Label } from "../../parts/state.tsx";
import { webhooksTexts } from "../../texts/areas.ts";
import { hooksQuery, type Hook } from "./calls.ts";
import { CONDITIONS, conditionOf } from "./state.ts";

const FIRST = {
  method: "POST",
  path: "/webhooks",
  body: { url: "https://app.example.com/posthorn", events: ["email.*"] },
} as const;

type HookListProps = { readonly add: () => void; readonly disabledReason: string | undefined };

export function HookList({ add, disabledReason }: HookListProps) {
  const t = useTexts(webhooksTexts).hooks;
  const { data, ...asked } = useQuery(hooksQuery);
  if (!data) return <Skeleton of={asked} rows={2} columns={3} className="hook-list" />;
  if (data.length === 0)
    return (
      <Empty
        title={t.empty}
        curl={curlOf(FIRST)}
        action={
          <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={add}>
            {t.add}
          </Button>
        }
      >
        {t.emptyText}
      </Empty>
    );
  return (
    <section className="panel" aria-label={t.title}>
      <div className="rows hook-list">
        {data.map((hook) => (
          <Row key={hook.id} hook={hook} />
        ))}
      </div>
    </section>
  );
}

function Row({ hook }: { readonly hook: Hook }) {
  const t = useTexts(webhooksTexts).hooks;
  const { id, url, description, events } = hook;
  const condition = conditionOf(hook);
  return (
    <Link className="line" to="/settings/webhooks/$id" params={{ id }} search={{ outcome: "all" }}>
      <Label {...CONDITIONS[condition]}>{t.conditions[condition]}</Label>
      <span className="cut">
        <b>{description ?? url}</b> {description !== null && <span className="dim">{url}</span>}
      </span>
      <span className="dim cut end" title={events.join(", ")}>
        {events.includes("*") ? t.everything : events.join(", ")}
      </span>
    </Link>
  );
}

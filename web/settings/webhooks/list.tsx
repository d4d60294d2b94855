// The webhooks of the workspace, each with its state.
import { useQuery } from "@tanstack/react-query";
import { curlOf } from "../../calls/curl.ts";
import { useTexts } from "../../base/language.ts";
import { Line } from "../../lists/line.tsx";
import { List } from "../../lists/list.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/layout.tsx";
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
  return (
    <List
      isPart
      name={t.title}
      texts={t}
      className="hook-list"
      columns={[null, t.description, t.events, t.state]}
      items={data}
      of={asked}
      row={(hook) => <Row key={hook.id} hook={hook} />}
      empty={
        <Empty
          title={t.empty}
          curl={curlOf(FIRST)}
          action={
            <Button icon="plus" disabledReason={disabledReason} onClick={add}>
              {t.add}
            </Button>
          }
        >
          {t.emptyText}
        </Empty>
      }
    />
  );
}

function Row({ hook }: { readonly hook: Hook }) {
  const t = useTexts(webhooksTexts).hooks;
  const { id, url, description, events } = hook;
  const condition = conditionOf(hook);
  return (
    <Line
      icon="hook"
      name={description ?? url}
      more={description !== null && url}
      link={{ to: "/settings/webhooks/$id", params: { id }, search: { outcome: "all" } }}
    >
      <span className="dim cut" title={events.join(", ")}>
        {events.includes("*") ? t.everything : events.join(", ")}
      </span>
      <Label {...CONDITIONS[condition]}>{t.conditions[condition]}</Label>
    </Line>
  );
}

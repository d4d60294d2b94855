// The rules that choose the ways for emails, in their order.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { failedOf, Panel, Skeleton } from "../../parts/layout.tsx";
import { ResourceActions, type ResourceAction } from "../../parts/overlays/resource-actions.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { waysTexts } from "../../texts/areas.ts";
import { workspacesQuery } from "../server/workspaces/calls.ts";
import { rulesQuery, useSetRules, waysQuery, type Rule, type RuleList } from "./calls.ts";
import { providerName } from "./mailboxes.ts";
import { RuleForm } from "./rule-form.tsx";

export function Rules() {
  const t = useTexts(waysTexts).rules;
  const rules = useQuery(rulesQuery);
  const ways = useQuery(waysQuery);
  const workspaces = useQuery(workspacesQuery);
  const [adds, setAdds] = useState(false);
  const isThere = rules.data && ways.data && workspaces.data;
  return (
    <Panel
      title={t.title}
      actions={
        <span className="push">
          <Button small icon="plus" onClick={() => setAdds(true)}>
            {t.add}
          </Button>
        </span>
      }
    >
      <p className="pad row-text dim">{t.text}</p>
      {isThere ? (
        <ul className="rows all-rules">
          {rules.data.data.map((rule, at) => (
            <Row key={rule.id} seen={rules.data} at={at} rule={rule} />
          ))}
          {rules.data.data.length === 0 && <li className="pad dim">{t.none}</li>}
        </ul>
      ) : (
        <Skeleton of={failedOf([rules, ways, workspaces])} className="all-rules" rows={2} columns={3} />
      )}
      {adds && rules.data && <RuleForm seen={rules.data} at={null} close={() => setAdds(false)} />}
    </Panel>
  );
}

type RowProps = { readonly seen: RuleList; readonly at: number; readonly rule: Rule };

function Row({ seen, at, rule }: RowProps) {
  const t = useTexts(waysTexts).rules;
  return (
    <li className="line">
      <span className="dim">{at + 1}</span>
      <b className="cut">{rule.name}</b>
      <span className="dim small cut">
        <Conditions rule={rule} />
      </span>
      <span className="cut small">
        {rule.ways
          .map(({ name, weight }) => (weight > 0 && rule.ways.length > 1 ? `${name} ${weight}` : name))
          .join(", ")}
        <span className="dim">, {rule.others ? t.thenOthers : t.thenWaits}</span>
      </span>
      <ResourceActions label={t.actions(rule.name)} actions={useActions(seen, at, rule)} />
    </li>
  );
}

function Conditions({ rule }: { readonly rule: Rule }) {
  const t = useTexts(waysTexts).rules;
  const { data = [] } = useQuery(workspacesQuery);
  const { workspaceId, domain, kind, tag, provider } = rule;
  const workspace = data.find(({ id }) => id === workspaceId)?.name ?? workspaceId;
  const parts = [
    workspace && t.of.workspace(workspace),
    kind && t.of[kind],
    domain && t.of.domain(domain),
    tag && t.of.tag(tag),
    provider && t.of.provider(providerName(provider, t.otherProvider)),
  ].filter(Boolean);
  return parts.length === 0 ? t.all : parts.join(", ");
}

function useActions(seen: RuleList, at: number, rule: Rule): readonly ResourceAction[] {
  const t = useTexts(waysTexts).rules;
  const saving = useSetRules((isMine) => isMine && showToast(t.saved));
  const move = (to: number) => {
    const others = seen.data.filter((one) => one !== rule);
    saving.mutate({ rules: [...others.slice(0, to), rule, ...others.slice(to)], seen });
  };
  const last = seen.data.length - 1;
  return [
    {
      id: "up",
      name: t.up,
      icon: "arrow",
      disabledReason: at === 0 ? t.first : undefined,
      run: () => move(at - 1),
    },
    {
      id: "down",
      name: t.down,
      icon: "down",
      disabledReason: at === last ? t.last : undefined,
      run: () => move(at + 1),
    },
    { id: "edit", name: t.edit, icon: "pencil", dialog: (close) => <RuleForm seen={seen} at={at} close={close} /> },
    "line",
    {
      id: "remove",
      name: t.remove,
      icon: "trash",
      risk: true,
      dialog: (close) => <RemoveRule seen={seen} rule={rule} close={close} />,
    },
  ];
}

type RemoveProps = { readonly seen: RuleList; readonly rule: Rule; readonly close: () => void };

function RemoveRule({ seen, rule, close }: RemoveProps) {
  const t = useTexts(waysTexts).rules;
  const saving = useSetRules((isMine) => {
    if (isMine) showToast(t.saved);
    close();
  });
  return (
    <Question
      title={t.removeTitle(rule.name)}
      close={close}
      action={t.removeSubmit}
      risk
      busy={saving.isPending}
      run={() => saving.mutate({ rules: seen.data.filter((one) => one !== rule), seen })}
      text={t.removeText}
    />
  );
}

// The dialog to add or edit a rule.
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { waysTexts } from "../../texts/areas.ts";
import { workspacesQuery } from "../server/workspaces/calls.ts";
import { useSetRules, waysQuery, type NewRule, type Rule, type RuleList } from "./calls.ts";
import { numberIn } from "../number-in.ts";
import { providerName, PROVIDERS } from "./mailboxes.ts";

/** `at`: the index of the rule; null for a new one, which is added last. */
type RuleFormProps = { readonly seen: RuleList; readonly at: number | null; readonly close: () => void };

const ANY = "any";
type RuleType = "ANY" | "TRANSACTIONAL" | "MARKETING";
const KINDS: readonly RuleType[] = ["ANY", "TRANSACTIONAL", "MARKETING"];

export function RuleForm({ close, ...now }: RuleFormProps) {
  const t = useTexts(waysTexts).rules;
  // Saves over the list as it was when the form was opened.
  const [{ seen, at }] = useState(now);
  const rules = seen.data;
  const rule = at === null ? null : (rules[at] ?? null);
  const { data: ways = [] } = useQuery(waysQuery);
  const [kind, setKind] = useState<RuleType>(rule?.kind ?? "ANY");
  const [others, setOthers] = useState<"go" | "wait">(rule?.others === false ? "wait" : "go");
  const [taken, setTaken] = useState<readonly RouteWeight[]>(takenOf(rule, ways[0]?.name ?? "default"));
  const saving = useSetRules((isMine) => {
    if (isMine) showToast(t.saved);
    close();
  }, at ?? rules.length);
  const save = (values: Readonly<Record<string, string>>) => {
    const made = {
      ...{ ...(rule && { id: rule.id }), name: (values["name"] ?? "").trim() },
      ...conditionsIn(values),
      kind: kind === "ANY" ? null : kind,
      ways: taken.map(({ name, weight }) => ({ name, weight: numberIn(weight) })),
      others: others === "go",
    } as NewRule;
    const all = at === null ? [...rules, made] : rules.map((one, index) => (index === at ? made : one));
    saving.mutate({ rules: all, seen });
  };
  return (
    <FormDialog
      title={rule === null ? t.addTitle : t.editTitle(rule.name)}
      wide
      close={close}
      sending={saving}
      submit={t.save}
      onSubmit={save}
    >
      <Field name="name" label={t.name} maxLength={100} defaultValue={rule?.name ?? ""} autoComplete="off" autoFocus />
      <SegmentedField
        label={t.kind}
        choices={KINDS.map((value) => ({ value, content: t.kinds[value] }))}
        value={kind}
        onChange={setKind}
      />
      <ConditionFields rule={rule} />
      <TakenWays names={ways.map(({ name }) => name)} taken={taken} onChange={setTaken} />
      <SegmentedField
        label={t.others}
        choices={(["go", "wait"] as const).map((value) => ({ value, content: t.othersKinds[value] }))}
        value={others}
        onChange={setOthers}
      />
    </FormDialog>
  );
}

function ConditionFields({ rule }: { readonly rule: Rule | null }) {
  const t = useTexts(waysTexts).rules;
  const { data = [] } = useQuery(workspacesQuery);
  const workspaces = data.map(({ id, name }) => ({ id, name }));
  const providers = PROVIDERS.map((id) => ({ id, name: providerName(id, t.otherProvider) }));
  return (
    <div className="pairs">
      <Select
        name="workspaceId"
        label={t.workspace}
        first={rule?.workspaceId ?? ANY}
        options={[{ id: ANY, name: t.anyWorkspace }, ...workspaces]}
      />
      <Select
        name="provider"
        label={t.provider}
        first={rule?.provider ?? ANY}
        options={[{ id: ANY, name: t.anyProvider }, ...providers]}
        help={t.providerHelp}
      />
      <Field
        name="domain"
        label={t.domain}
        defaultValue={rule?.domain ?? ""}
        placeholder={t.anyDomain}
        maxLength={253}
        spellCheck={false}
      />
      <Field name="tag" label={t.tag} defaultValue={rule?.tag ?? ""} placeholder={t.anyTag} maxLength={100} />
    </div>
  );
}

/** `weight`: the typed text. */
type RouteWeight = { readonly name: string; readonly weight: string };

function takenOf(rule: Rule | null, first: string): readonly RouteWeight[] {
  if (rule === null) return [{ name: first, weight: "" }];
  return rule.ways.map(({ name, weight }) => ({ name, weight: rule.ways.length === 1 ? "" : String(weight) }));
}

type TakenWaysProps = {
  readonly names: readonly string[];
  readonly taken: readonly RouteWeight[];
  readonly onChange: (taken: readonly RouteWeight[]) => void;
};

function TakenWays({ names, taken, onChange }: TakenWaysProps) {
  const t = useTexts(waysTexts).rules;
  const label = useId();
  const free = names.find((name) => !taken.some((one) => one.name === name));
  const change = (at: number, to: Partial<RouteWeight>) =>
    onChange(taken.map((one, index) => (index === at ? { ...one, ...to } : one)));
  return (
    <div className="field" role="group" aria-labelledby={label}>
      <span className="label" id={label}>
        {t.ways}
      </span>
      <div className="stack">
        {taken.map(({ name, weight }, at) => (
          <div key={name} className="ruled-way">
            <Select
              name={`ways.${at}.name`}
              label={t.way(at + 1)}
              value={name}
              options={names
                .filter((one) => one === name || !taken.some((other) => other.name === one))
                .map((id) => ({ id, name: id }))}
              onChange={(to) => change(at, { name: to })}
            />
            <Field
              name={`ways.${at}.weight`}
              label={t.share}
              inputMode="numeric"
              value={weight}
              onChange={(event) => change(at, { weight: event.target.value })}
            />
            <Button
              kind="quiet"
              icon="x"
              label={t.takeAway}
              disabledReason={taken.length === 1 ? t.ways : undefined}
              onClick={() => onChange(taken.filter((_, index) => index !== at))}
            />
          </div>
        ))}
        {free !== undefined && (
          <Button small icon="plus" onClick={() => onChange([...taken, { name: free, weight: "" }])}>
            {t.addWay}
          </Button>
        )}
        <span className="help">{t.shareHelp}</span>
      </div>
    </div>
  );
}

function conditionsIn(values: Readonly<Record<string, string>>) {
  const text = (name: string) => {
    const value = (values[name] ?? "").trim();
    return value === "" || value === ANY ? null : value;
  };
  return { workspaceId: text("workspaceId"), provider: text("provider"), domain: text("domain"), tag: text("tag") };
}

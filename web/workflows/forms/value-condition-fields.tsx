// CONDITION by a value: field, operator and value; yes or no, or several branches.
import { Picker, SearchPicker, type Section } from "../../condition/picker.tsx";
import { Button } from "../../parts/button.tsx";
import { useDisabledFields } from "../../parts/fields/form.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { describeField, type StepNames } from "../describe-step.ts";
import { useKnown } from "./known.ts";
import type { StepFieldsProps } from "./fields-props.ts";
import { comparisonsOf, isDateOfContact } from "./operators.ts";
import { ValueField } from "./value-field.tsx";

type ValueComparison = { readonly operator: string; readonly value?: unknown };
type Branch = ValueComparison & { readonly id: string; readonly name?: string | null };
type ConditionConfig = ValueComparison & {
  readonly mode?: string;
  readonly field: string;
  readonly branches?: readonly Branch[];
};

const MAX_BRANCHES = 20;

export function ValueConditionFields({ step, words, set, faultOf }: StepFieldsProps) {
  const { t } = words;
  const config = step.config as ConditionConfig;
  const isMulti = config.mode === "multi";
  const { field } = config;
  const fieldFault = faultOf("field");
  const choose = (kind: "binary" | "multi") => {
    if ((kind === "multi") === isMulti) return;
    const [first] = config.branches ?? [];
    const { operator, value } = isMulti && first ? first : config;
    set(
      kind === "multi" ? { mode: "multi", field, branches: [newBranch(operator, value)] } : { field, operator, value },
    );
  };
  return (
    <>
      <SegmentedControl
        label={t.form.mode}
        value={isMulti ? "multi" : "binary"}
        onChange={choose}
        choices={[
          { value: "binary", content: t.form.binary },
          { value: "multi", content: t.form.multi },
        ]}
      />
      <div className="field">
        <span className="label">{t.form.field}</span>
        <FieldPicker
          field={field}
          words={words}
          invalid={fieldFault !== undefined}
          set={(next) => set({ ...config, field: next })}
        />
        {fieldFault && <span className="fault">{fieldFault}</span>}
      </div>
      {isMulti ? (
        <Branches config={config} words={words} set={set} faultOf={faultOf} />
      ) : (
        <ComparisonFields
          field={field}
          words={words}
          comparison={config}
          fault={faultOf("value") ?? faultOf("operator")}
          set={(comparison, merge) => set({ field, ...comparison }, merge)}
        />
      )}
    </>
  );
}

function newBranch(operator = "equals", value: unknown = ""): Branch {
  return { id: crypto.randomUUID().slice(0, 8), name: "", operator, value };
}

type FieldPickerProps = {
  readonly field: string;
  readonly words: StepNames;
  readonly invalid: boolean;
  readonly set: (field: string) => void;
};

const PERSON = ["email", "subscribed", "status", "createdAt", "updatedAt"] as const;

function FieldPicker({ field, words: { t }, invalid, set }: FieldPickerProps) {
  const { fields } = useKnown();
  const data = fields.filter((one) => one.field.startsWith("data.")).map((one) => one.field);
  const names = t.form.sections;
  const sectionsFor = (typed: string): readonly Section[] => {
    const query = typed.trim().toLowerCase();
    const fits = (name: string) => name.toLowerCase().includes(query);
    const unseen = (root: "data" | "event", name: string) =>
      query === "" || (root === "data" && data.includes(`data.${typed.trim()}`))
        ? []
        : [{ id: `${root}.${typed.trim()}`, name, note: t.form.notSeen, isNew: "last" as const }];
    return [
      {
        id: "person",
        name: names.person,
        choices: PERSON.map((id) => ({ id: `contact.${id}`, name: t.form.contact[id] })).filter(({ name }) =>
          fits(name),
        ),
      },
      {
        id: "data",
        name: names.data,
        choices: [
          ...data.filter(fits).map((id) => ({ id, name: id.slice(5) })),
          ...unseen("data", t.form.newData(typed.trim())),
        ],
      },
      { id: "event", name: names.event, choices: unseen("event", t.form.newEvent(typed.trim())) },
    ].filter(({ choices }) => choices.length > 0);
  };
  return (
    <SearchPicker
      label={t.form.field}
      value={field}
      shown={field === "" ? t.form.chooseField : describeField(field, t)}
      invalid={invalid}
      search={t.form.searchFields}
      nothing={t.form.nothingFound}
      sectionsFor={sectionsFor}
      onChange={set}
    />
  );
}

type ComparisonProps = {
  readonly field: string;
  readonly comparison: ValueComparison;
  readonly words: StepNames;
  readonly fault: string | undefined;
  readonly set: (comparison: ValueComparison, merge?: string) => void;
};

function ComparisonFields({ field, comparison, words, fault, set }: ComparisonProps) {
  const { operator, value } = comparison;
  const { t } = words;
  const known = useKnown();
  const choices = comparisonsOf(field, comparison, known, words.t);
  const takesValue = operator !== "exists" && operator !== "notExists";
  return (
    <>
      <div className="field">
        <span className="label">{t.form.operator}</span>
        <Picker
          label={t.form.operator}
          value={operator}
          shown={choices.find(({ id }) => id === operator)?.name ?? operator}
          choices={choices}
          onChange={(id) =>
            set({ operator: id, ...(id.toLowerCase().endsWith("exists") ? {} : { value: value ?? "" }) })
          }
        />
        {isDateOfContact(field, known) && <span className="help">{t.form.spanHelp}</span>}
      </div>
      {takesValue && (
        <div className="field">
          <span className="label">{t.form.value}</span>
          <ValueField
            label={t.form.value}
            value={value}
            words={words}
            fault={fault}
            set={(next) => set({ operator, value: next }, `value ${operator}`)}
          />
        </div>
      )}
    </>
  );
}

type BranchesProps = Pick<StepFieldsProps, "words" | "set" | "faultOf"> & { readonly config: ConditionConfig };

function Branches({ config, words, set, faultOf }: BranchesProps) {
  const disabledReason = useDisabledFields();
  const { t } = words;
  const branches = config.branches ?? [];
  const say = (next: readonly Branch[], merge?: string) => set({ ...config, branches: next }, merge);
  return (
    <>
      {branches.map((branch, at) => (
        <fieldset className="branch-fields" key={branch.id}>
          <legend className="label">{branch.name || t.form.branch(at + 1)}</legend>
          <input
            className="input"
            aria-label={t.form.branchName}
            placeholder={t.form.branchName}
            maxLength={100}
            disabled={disabledReason !== undefined}
            value={branch.name ?? ""}
            onChange={({ currentTarget: { value } }) =>
              say(
                branches.map((one) => (one === branch ? { ...one, name: value } : one)),
                `name ${branch.id}`,
              )
            }
          />
          <ComparisonFields
            field={config.field}
            words={words}
            comparison={branch}
            fault={faultOf(`branches.${at}.value`) ?? faultOf(`branches.${at}.operator`)}
            set={(comparison, merge) => {
              const { id, name = "" } = branch;
              say(
                branches.map((one) => (one === branch ? { id, name, ...comparison } : one)),
                merge && `${merge} ${id}`,
              );
            }}
          />
          {branches.length > 1 && disabledReason === undefined && (
            <Button kind="quiet" small icon="x" onClick={() => say(branches.filter((one) => one !== branch))}>
              {t.form.removeBranch(branch.name || t.form.branch(at + 1))}
            </Button>
          )}
        </fieldset>
      ))}
      <span className="help">{t.form.otherwise}</span>
      {branches.length < MAX_BRANCHES && disabledReason === undefined && (
        <Button small icon="plus" onClick={() => say([...branches, newBranch()])}>
          {t.form.addBranch}
        </Button>
      )}
    </>
  );
}

// Maps the columns of a file to fields.
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { Icon } from "../../parts/icon.tsx";
import { Panel } from "../../parts/layout.tsx";
import { Tag } from "../../parts/state.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { Check } from "../calls.ts";
import { type FileHead, type Mapping, keyFor } from "./file-head.ts";
import { SearchPicker, type Choice } from "../../condition/picker.tsx";
import "../../condition/condition.css";

type ColumnsProps = {
  readonly head: FileHead;
  readonly mapping: Mapping;
  readonly check: Check | undefined;
  readonly map: (mapping: Mapping) => void;
};

const fieldsQuery = {
  queryKey: ["contacts", "fields"],
  queryFn: async () => (await unwrap(api.GET("/contacts/fields", {}))).fields.map(({ field }) => field),
  throwOnError: false,
};

const MAX_KNOWN = 200;

export function Columns({ head, mapping, check, map }: ColumnsProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const { data: known = [] } = useQuery(fieldsQuery);
  const keys = known.filter((field) => field.startsWith("data.")).slice(0, MAX_KNOWN);
  const fieldAt = (at: number) => mapping[at] ?? check?.columns[at]?.field ?? "";
  const kept = mapping.filter((_, at) => fieldAt(at) !== "").length;
  /** A field that another column had becomes this one's. */
  const choose = (at: number, field: string) =>
    map(mapping.map((now, index) => (index === at ? field : field !== "" && fieldAt(index) === field ? "" : now)));
  return (
    <Panel
      title={t.import.columns}
      actions={<span className="dim row-text">{t.import.found(number(head.columns.length), number(kept))}</span>}
    >
      <ul className="rows map">
        <li className="head" aria-hidden="true">
          <span>{t.import.heads.file}</span>
          <span />
          <span>{t.import.heads.becomes}</span>
          <span>{t.import.heads.example}</span>
          <span className="end">{t.import.heads.filled}</span>
        </li>
        {head.columns.map((column, at) => {
          const facts = check?.columns[at];
          const examples = facts?.examples ?? head.samples.flatMap((cells) => cells[at] || []);
          const field = fieldAt(at);
          return (
            <li className="line" key={at}>
              <b className="cut">{column || t.import.unnamed(at + 1)}</b>
              <Icon name="arrow" />
              <span className={field === "" ? "becomes left-out" : "becomes"}>
                <TargetField column={column} field={field} known={keys} choose={(next) => choose(at, next)} />
              </span>
              <span className="cut dim examples">{examples.join(" · ")}</span>
              <span className="end filled">
                {facts && number(facts.filled)}
                {facts?.type && field.startsWith("data.") && <Tag>{t.import.types[facts.type]}</Tag>}
                {field === "email" && <Tag>{t.import.matches}</Tag>}
                {facts?.isConsent && field !== "subscribed" && <Tag>{t.import.isConsent}</Tag>}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

type TargetFieldProps = {
  readonly column: string;
  /** "" = left out. */
  readonly field: string;
  /** `data.<key>` that people have. */
  readonly known: readonly string[];
  readonly choose: (field: string) => void;
};

/** The id of an ignored column; an empty id means no choice yet. */
const IGNORED = "-";
/** Keys that would be confused with built-in fields. */
const RESERVED = /^data\.(id|e-?mail|subscribed|unsubscribeUrl|subscribeUrl|manageUrl)$/i;
/** The keys that pages read names from. */
const NAMES = ["data.name", "data.firstName", "data.lastName"];

/** The target of a column: a known field, or a new one typed by name. */
function TargetField({ column, field, known, choose }: TargetFieldProps) {
  const t = useTexts(peopleTexts).import;
  const own = keyFor(column);
  const fields = [...new Set(["email", "subscribed", ...(own ? [own] : []), ...NAMES, ...known])].filter(
    (one) => !RESERVED.test(one),
  );
  const choices: readonly Choice[] = [
    { id: IGNORED, name: t.leaveOut },
    ...fields.map((id) => ({ id, name: id, note: t.fields[id] })),
  ];
  const sectionsFor = (typed: string) => {
    const query = typed.trim().toLowerCase();
    const found = choices.filter(({ name }) => name.toLowerCase().includes(query));
    const newKey = keyFor(typed);
    const isNew = newKey !== "" && !RESERVED.test(newKey) && !choices.some(({ id }) => id === newKey);
    return [
      { id: "known", name: t.knownFields, choices: found },
      { id: "new", name: t.newField, choices: isNew ? [{ id: newKey, name: newKey }] : [] },
    ].filter((section) => section.choices.length > 0);
  };
  return (
    <SearchPicker
      label={t.becomes(column)}
      value={field || IGNORED}
      shown={field || t.leaveOut}
      search={t.searchFields}
      nothing={t.noField}
      sectionsFor={sectionsFor}
      onChange={(id) => choose(id === IGNORED ? "" : id)}
    />
  );
}

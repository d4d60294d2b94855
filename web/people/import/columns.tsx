// Maps the columns of a file to fields, and sets the format of their cells.
import { useQuery } from "@tanstack/react-query";
import { contactFieldsQuery, dataKeys } from "../../calls/contact-fields.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Panel } from "../../parts/layout.tsx";
import { Tag } from "../../parts/state.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { useTopics } from "../../topics/calls.ts";
import type { ImportCheck } from "../calls.ts";
import { Picker } from "../../condition/picker.tsx";
import type { FileHead, DateFormat, Mapping } from "./file/file-head.ts";
import { isNoise } from "./file/noise.ts";
import { Samples } from "./samples.tsx";
import { TargetField } from "./target-field.tsx";
import "../../condition/condition.css";

type ColumnsProps = {
  readonly head: FileHead;
  readonly mapping: Mapping;
  readonly check: ImportCheck | undefined;
  readonly map: (mapping: Mapping) => void;
};

const MAX_KNOWN = 200;

export function Columns({ head, mapping, check, map }: ColumnsProps) {
  const t = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const { data: answer } = useQuery(contactFieldsQuery);
  const keys = dataKeys(answer)
    .slice(0, MAX_KNOWN)
    .map(({ key }) => `data.${key}`);
  const topics = useTopics().map(({ key }) => `topic:${key}`);
  const fieldAt = (at: number) => mapping[at]?.field ?? check?.columns[at]?.field ?? "";
  const kept = mapping.filter((_, at) => fieldAt(at) !== "").length;
  /** Each field has one column: the column that had it before is left out. */
  const choose = (at: number, field: string) =>
    map(
      mapping.map((now, index) => {
        if (index === at) return { field, type: null };
        return field !== "" && fieldAt(index) === field ? { ...now, field: "" } : now;
      }),
    );
  const replaceLists = (at: number, replace: boolean) =>
    map(mapping.map((now, index) => (index === at ? { ...now, replace } : now)));
  const read = (at: number, type: DateFormat) =>
    map(mapping.map((now, index) => (index === at ? { ...now, type } : now)));
  return (
    <Panel
      title={t.columns}
      actions={<span className="dim row-text">{t.found(number(head.columns.length), number(kept))}</span>}
    >
      {check?.warnings?.some(({ reason }) => reason === "plain_key") && (
        <p className="pad dim row-text">{t.plainKeys}</p>
      )}
      <ul className="rows map">
        <li className="head" aria-hidden="true">
          <span>{t.heads.file}</span>
          <span />
          <span>{t.heads.becomes}</span>
          <span>{t.heads.format}</span>
          <span>{t.heads.example}</span>
          <span className="end">{t.heads.filled}</span>
        </li>
        {head.columns.map((header, at) => {
          const facts = check?.columns[at];
          const column = facts?.name.trim() || header;
          const field = fieldAt(at);
          return (
            <li className="line" key={at}>
              <span className="column">
                <b>{column || t.unnamed(at + 1)}</b>
                {facts?.isConsent && field !== "subscribed" && <Tag>{t.isConsent}</Tag>}
                {facts?.proves && facts.proves !== "unsubscribed" && (
                  <Tag>{facts.proves === "ip" ? t.proves.ip : t.proves.date}</Tag>
                )}
                {!facts?.isConsent && !facts?.proves && field === "" && isNoise(column, head.columns) && (
                  <Tag>{t.noise}</Tag>
                )}
              </span>
              <Icon name="arrow" />
              <span className={field === "" ? "becomes left-out" : "becomes"}>
                <TargetField
                  column={column}
                  field={field}
                  known={[...keys, ...topics]}
                  choose={(next) => choose(at, next)}
                />
              </span>
              <span className="format">
                {field.startsWith("data.") && facts?.format && (
                  <FormatField
                    column={column}
                    format={facts.format}
                    otherwise={facts.otherwise}
                    choose={(type) => read(at, type)}
                  />
                )}
                {field.startsWith("data.") && facts?.format === "list" && (
                  <ListField
                    column={column}
                    replaces={mapping[at]?.replace === true}
                    choose={(replace) => replaceLists(at, replace)}
                  />
                )}
                {field === "email" && <Tag>{t.matches}</Tag>}
                {(field === "subscribed" || field.startsWith("topic:")) && <Tag>{t.fields.subscribed}</Tag>}
              </span>
              <Samples head={head} at={at} facts={facts} isData={field.startsWith("data.")} />
              <span className="end filled">
                {facts && number(facts.filled)}
                <span className="unit">{t.filled}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

type FormatFieldProps = {
  readonly column: string;
  readonly format: DateFormat;
  /** The other format that fits all cells; null = none. */
  readonly otherwise: DateFormat | null;
  readonly choose: (format: DateFormat) => void;
};

function FormatField({ column, format, otherwise, choose }: FormatFieldProps) {
  const t = useTexts(peopleTexts).import;
  const choices = (Object.keys(t.formats) as DateFormat[]).map((id) => ({ id, ...t.formats[id] }));
  return (
    <>
      <Picker
        label={t.formatOf(column)}
        value={format}
        shown={t.formats[format].name}
        choices={choices}
        onChange={(id) => choose(id as DateFormat)}
      />
      {otherwise && <span className="small warn-text">{t.orRead(t.formats[otherwise].note)}</span>}
    </>
  );
}

type ListFieldProps = {
  readonly column: string;
  readonly replaces: boolean;
  readonly choose: (replace: boolean) => void;
};

/** Whether a list replaces the contact's list or is added to it. */
function ListField({ column, replaces, choose }: ListFieldProps) {
  const { lists } = useTexts(peopleTexts).import;
  return (
    <Picker
      label={lists.of(column)}
      value={replaces ? "replace" : "add"}
      shown={replaces ? lists.replace : lists.add}
      choices={[
        { id: "add", name: lists.add },
        { id: "replace", name: lists.replace },
      ]}
      onChange={(id) => choose(id === "replace")}
    />
  );
}

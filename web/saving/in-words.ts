// A field of a record and its value as text.
import { describe } from "../condition/describe.ts";
import { draftOf, type SegmentCondition } from "../condition/draft.ts";
import { useKnownNames } from "../condition/known-names.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { conditionTexts, frameTexts, savingTexts } from "../texts/areas.ts";
import { useRecipientLanguages } from "../parts/fields/recipient-languages.ts";
import { itemIn } from "./differences.ts";

/** Longer texts are cut to this length. */
const MOST_CHARS = 200;

/** `data.city` is "city", `name.de` is "Name: German". */
export function useFieldName(): (path: string) => string {
  const { fields } = useTexts(savingTexts);
  const languages = useRecipientLanguages();
  return (path) => {
    const named = fields[path];
    if (named !== undefined) return named;
    const [first = "", ...rest] = path.split(".");
    if (first === "data") return rest.join(".");
    const last = rest.map((part) => languages.find(({ id }) => id === part)?.name ?? fields[part] ?? part);
    return [fields[first] ?? first, ...last].join(": ");
  };
}

export function useValueInWords(): (path: string, value: unknown) => string {
  const t = useTexts(savingTexts);
  const { roles } = useTexts(frameTexts);
  const ofConditions = useTexts(conditionTexts);
  const names = useKnownNames();
  const formats = useFormats();
  const inWords = (path: string, value: unknown): string => {
    if (value === null || value === undefined || value === "") return t.nothing;
    if (typeof value === "boolean") return value ? t.yes : t.no;
    if (typeof value === "number") return formats.number(value);
    if (Array.isArray(value)) return value.map((one) => inItem(path, one)).join(", ") || t.nothing;
    if (path === "condition" || path === "audienceCondition")
      return describe(draftOf(value as SegmentCondition), { ...names, t: ofConditions, number: formats.number });
    if (typeof value !== "string") return JSON.stringify(value);
    if (path === "role") return (roles as Readonly<Record<string, string>>)[value] ?? value;
    if (path === "topic") return names.topics.find(({ id }) => id === value)?.name ?? value;
    if (path === "segmentId") return names.segments.find(({ id }) => id === value)?.name ?? value;
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return formats.exact(new Date(value));
    return t.values[`${path}.${value}`] ?? shortened(path === "body" ? withoutTags(value) : value);
  };
  const inItem = (path: string, one: unknown) => {
    const { name, labels } = itemIn(one);
    return [inWords(path, name), ...(labels.length > 0 ? [`(${labels.join(", ")})`] : [])].join(" ");
  };
  return inWords;
}

function withoutTags(html: string): string {
  return new DOMParser().parseFromString(html, "text/html").body.textContent.replace(/\s+/g, " ").trim();
}

function shortened(text: string): string {
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)} …`;
}

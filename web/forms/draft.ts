// A form while it is edited: the values of the editor's fields, and the body of the call that saves it.
import type { RecipientLanguage } from "../calls/workspace.ts";
import type { FormChange, FormField, SignUpForm } from "./calls.ts";
import { draftOptions, savedOptions, type DraftOption } from "./options.ts";

type Text = Readonly<Partial<Record<RecipientLanguage, string>>>;

/** `id`: a React key, not saved. */
export type DraftField = Omit<FormField, "options"> & { readonly id: number; readonly options: readonly DraftOption[] };

export type FormDraft = {
  readonly name: string;
  readonly key: string;
  readonly title: Text;
  readonly intro: Text;
  readonly button: Text;
  readonly fields: readonly DraftField[];
  readonly wording: Text;
  readonly checkbox: boolean;
  readonly doubleOptIn: boolean;
  readonly redirectUrl: string;
  readonly confirmedUrl: string;
  /** One in each line. */
  readonly sites: string;
  readonly segmentId: string;
  readonly topics: readonly string[];
  readonly besides: Text;
  readonly event: string;
  /** Separated by commas. */
  readonly tags: string;
};

/** `set`: changes the draft. `language`: the language of the texts that are edited. */
export type FormEditor = {
  readonly draft: FormDraft;
  readonly language: RecipientLanguage;
  readonly set: (change: Partial<FormDraft>) => void;
};

let lastId = 0;

export function newField(): DraftField {
  const none = { min: null, max: null, maxLength: null, value: null };
  return { id: ++lastId, name: "", type: "text", label: {}, required: false, options: [], ...none };
}

function draftField(field: FormField): DraftField {
  return { ...field, options: draftOptions(field.options), id: ++lastId };
}

export function draftOf(form: SignUpForm): FormDraft {
  const { name, key, title, intro, button, consent, doubleOptIn } = form;
  return {
    ...{ name, key, title, intro, button, doubleOptIn },
    fields: form.fields.map(draftField),
    wording: consent?.wording ?? {},
    checkbox: consent?.checkbox ?? true,
    redirectUrl: form.redirectUrl ?? "",
    confirmedUrl: form.confirmedUrl ?? "",
    sites: form.sites.join("\n"),
    segmentId: form.segmentId ?? "",
    topics: form.topics,
    besides: form.besides,
    event: form.event ?? "",
    tags: form.tags.join(", "),
  };
}

export function bodyOf(draft: FormDraft): FormChange & { readonly name: string } {
  const { name, key, title, intro, button, fields, wording, checkbox, doubleOptIn } = draft;
  const says = Object.values(wording).some((words) => words.trim() !== "");
  return {
    ...{ title, intro, button, doubleOptIn },
    name: name.trim(),
    key: key.trim(),
    fields: fields.map(({ id: _, options, ...field }) => ({ ...field, options: savedOptions(options) })),
    consent: says ? { wording, checkbox } : null,
    redirectUrl: draft.redirectUrl.trim() || null,
    confirmedUrl: draft.confirmedUrl.trim() || null,
    sites: partsOf(draft.sites, "\n"),
    segmentId: draft.segmentId || null,
    topics: [...draft.topics],
    besides: draft.besides,
    event: draft.event.trim() || null,
    tags: partsOf(draft.tags, ","),
  };
}

function partsOf(text: string, between: string): string[] {
  return text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The data key made from a label: `First name` → `firstName`. */
export function keyFrom(label: string): string {
  const words = label
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const [first = "", ...rest] = words.map((word) => word.toLowerCase());
  return [first, ...rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join("").slice(0, 64);
}

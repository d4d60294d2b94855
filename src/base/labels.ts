// Tags and metadata of mails, by which callers tell their mails apart.
import { invalidField } from "./errors.ts";

export type Labels = {
  /** `name` or `name:value`. */
  readonly tags: string[];
  readonly metadata: Record<string, string>;
};

/** As columns hold them: JSON; null = none. */
export type StoredLabels = { readonly tags: string | null; readonly metadata: string | null };

export const MOST_TAGS = 10;
export const LONGEST_VALUE = 500;
export const LONGEST_NAME = 64;
const NAME_PATTERN = `[A-Za-z0-9_.-]{1,${LONGEST_NAME}}`;
export const TAG_PATTERN = `^${NAME_PATTERN}(:${NAME_PATTERN})?$`;
export const NO_TAG = "Expected a tag: `name` or `name:value`, each of 1 to 64 letters, digits, _, - or dots.";
const KEY = new RegExp(`^${NAME_PATTERN}$`);
export const MOST_KEYS = 20;
export const MOST_METADATA_BYTES = 4 * 1024;

/** As fields of a request; null = none. */
export type LabelsInput = {
  readonly tags?: string[] | null | undefined;
  readonly metadata?: Labels["metadata"] | null | undefined;
};

export function isTag(text: string): boolean {
  return new RegExp(TAG_PATTERN).test(text);
}

/** Reads labels from fields that have their shapes; each tag once. @throws AppError VALIDATION_ERROR */
export function readLabels({ tags, metadata }: LabelsInput): Labels {
  return { tags: [...new Set(tags ?? [])], metadata: readMetadata(metadata ?? {}) };
}

function readMetadata(metadata: Labels["metadata"]): Labels["metadata"] {
  const entries = Object.entries(metadata);
  if (entries.length > MOST_KEYS) throw invalidField("metadata", `At most ${MOST_KEYS} keys are allowed.`, "too_big");
  for (const [key, value] of entries) {
    if (!KEY.test(key))
      throw invalidField(`metadata.${key.slice(0, 100)}`, "A key has 1 to 64 letters, digits, _, - or dots.");
    if (value.includes("\0")) throw invalidField(`metadata.${key}`, "A value has no NUL.");
  }
  if (bytesOf(metadata) > MOST_METADATA_BYTES)
    throw invalidField("metadata", "Keys and values together take at most 4 KB.", "too_big");
  return metadata;
}

/**
 * A tag `name:value` replaces another value of the same name, and a key replaces the same key.
 * @throws AppError VALIDATION_ERROR if they are too many together
 */
export function labelsOver(defaults: Labels, own: Labels): Labels {
  const { tags, metadata } = together(defaults, own);
  if (tags.length > MOST_TAGS)
    throw invalidField("tags", `With those of the template there are more than ${MOST_TAGS} tags.`, "too_big");
  return { tags, metadata: readMetadata(metadata) };
}

/** As `labelsOver`, but defaults beyond the limit are dropped. */
export function fittingLabelsOver(defaults: Labels, own: Labels): { readonly labels: Labels; readonly isCut: boolean } {
  const { tags, metadata: all } = together(defaults, own);
  const metadata = { ...own.metadata };
  for (const [key, value] of Object.entries(all)) if (fits({ ...metadata, [key]: value })) metadata[key] = value;
  const isCut = tags.length > MOST_TAGS || Object.keys(metadata).length < Object.keys(all).length;
  return { labels: { tags: tags.slice(-MOST_TAGS), metadata }, isCut };
}

function fits(metadata: Labels["metadata"]): boolean {
  return Object.keys(metadata).length <= MOST_KEYS && bytesOf(metadata) <= MOST_METADATA_BYTES;
}

function bytesOf(metadata: Labels["metadata"]): number {
  return Buffer.byteLength(JSON.stringify(metadata));
}

function together(defaults: Labels, own: Labels): Labels {
  const names = new Set(own.tags.filter((tag) => tag.includes(":")).map(tagName));
  const kept = defaults.tags.filter(
    (tag) => !own.tags.includes(tag) && !(tag.includes(":") && names.has(tagName(tag))),
  );
  return { tags: [...kept, ...own.tags], metadata: { ...defaults.metadata, ...own.metadata } };
}

function tagName(tag: string): string {
  return tag.slice(0, tag.indexOf(":"));
}

export function storedLabels({ tags = [], metadata = {} }: Partial<Labels>): StoredLabels {
  return {
    tags: tags.length > 0 ? JSON.stringify(tags) : null,
    metadata: Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null,
  };
}

export function labelsIn({ tags, metadata }: StoredLabels): Labels {
  return {
    tags: tags === null ? [] : (JSON.parse(tags) as string[]),
    metadata: metadata === null ? {} : (JSON.parse(metadata) as Labels["metadata"]),
  };
}

/** The labels that are set, for events. */
export function toldLabels(stored: StoredLabels): Partial<Labels> {
  if (stored.tags === null && stored.metadata === null) return {};
  const { tags, metadata } = labelsIn(stored);
  return { ...(stored.tags === null ? {} : { tags }), ...(stored.metadata === null ? {} : { metadata }) };
}

/** The index entries by which a mail is found: no tag has an equals sign. */
export function namesOfLabels(stored: StoredLabels): string[] {
  if (stored.tags === null && stored.metadata === null) return [];
  const { tags, metadata } = labelsIn(stored);
  return [...tags, ...Object.entries(metadata).map(([key, value]) => nameOfMetadata(key, value))];
}

type LabelQuery = {
  readonly tag?: readonly string[] | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
};

/** As `namesOfLabels`, for the parameters of a list. */
export function namesSought({ tag, metadata }: LabelQuery): string[] {
  return [...(tag ?? []), ...Object.entries(metadata ?? {}).map(([key, value]) => nameOfMetadata(key, value))];
}

function nameOfMetadata(key: string, value: string): string {
  return `${key}=${value}`;
}

// The API's limits of tags and metadata.
export type Metadata = Record<string, string>;

export const MOST_TAGS = 10;
const MOST_KEYS = 20;
const LONGEST_VALUE = 500;
const MOST_METADATA_BYTES = 4 * 1_024;

const NAME = "[A-Za-z0-9_.-]{1,64}";
const TAG = new RegExp(`^${NAME}(:${NAME})?$`);
const KEY = new RegExp(`^${NAME}$`);

export function isTag(text: string): boolean {
  return TAG.test(text);
}

/** The tags in typed text. They are separated by spaces, commas or semicolons, which no tag contains. */
export function tagsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}

type MetadataFault = { readonly what: "key" | "value" | "keys" | "size"; readonly key: string };

export function faultIn(metadata: Metadata): MetadataFault | null {
  const entries = Object.entries(metadata);
  const unfit = entries.find(([key]) => !KEY.test(key));
  if (unfit) return { what: "key", key: unfit[0] };
  const long = entries.find(([, value]) => value.length > LONGEST_VALUE);
  if (long) return { what: "value", key: long[0] };
  if (entries.length > MOST_KEYS) return { what: "keys", key: "" };
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  return bytes > MOST_METADATA_BYTES ? { what: "size", key: "" } : null;
}

// Fields for tags and metadata, in English.

export const labels = {
  title: "Tags and metadata",
  optional: "optional",
  tags: "Tags",
  tagsHelp: "A space or Enter ends a tag. Tags are names, such as receipt, or names with a value, such as plan:pro.",
  ofTemplate:
    "Every email from this template has them. Emails are found by them, and statistics can be told apart by tag.",
  ofStep: "Added to those of the template.",
  withoutTag: (tag: string) => `Remove the tag ${tag}`,
  unfit: (tag: string) =>
    `“${tag}” is not a tag. A tag is a name, or a name, a colon and a value. Both have 1 to 64 letters without accents, digits, _, - or dots.`,
  tooMany: (most: number) => `At most ${most} tags.`,
  metadata: "Metadata",
  metadataHelp: "Your own values. They come back in events and webhooks.",
  key: "Key",
  value: "Value",
  valueOf: (key: string) => (key === "" ? "Value" : `Value of ${key}`),
  addKey: "Metadata",
  withoutKey: (key: string) => `Remove ${key}`,
  metadataFaults: {
    key: (key: string) => `“${key}” is not a key. A key has 1 to 64 letters without accents, digits, _, - or dots.`,
    value: (key: string) => `The value of ${key} is longer than 500 characters.`,
    keys: () => "At most 20 keys.",
    size: () => "Keys and values take more than 4 KB.",
  },
};

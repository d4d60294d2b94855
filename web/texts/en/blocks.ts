// Saved blocks, in English.

export const blocks = {
  title: "Saved blocks",
  save: "Save the selection as a block…",
  saveTitle: "Save as a block",
  saveNow: "Save",
  saved: "Saved. You can insert it into any email.",
  name: "Name",
  help: "Emails contain a copy: changing the block changes no email.",
  manage: "Delete blocks…",
  remove: (name: string) => `Delete ${name}`,
  chooseFirst: "First select the content for the block.",
};

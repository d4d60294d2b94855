// Saved blocks, in English.

export const blocks = {
  title: "Saved blocks",
  save: "Save what is chosen as a block…",
  saveTitle: "Save as a block",
  saveNow: "Save",
  saved: "Saved. It can be put into any mail.",
  name: "Name",
  help: "Mails take a copy: a change of the block changes none of them.",
  manage: "Delete blocks…",
  remove: (name: string) => `Delete ${name}`,
  chooseFirst: "First choose what the block is to be.",
};

// Saved views, in English.

export const views = {
  title: "Saved views",
  save: "Save this view",
  name: "Name",
  help: "It is shown beside the other views of this list.",
  helpOfMails: "It is shown beside the other views. A period such as 7d counts back from the day you open it.",
  shared: "For everybody in this workspace",
  action: "Save",
  done: "Saved.",
  removeNamed: (name: string) => `Remove the view “${name}”`,
  removed: (name: string) => `“${name}” is removed.`,
  undo: "Undo",
};

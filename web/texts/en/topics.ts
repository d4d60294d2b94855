// Topics, in English.

export const topics = {
  title: "Topics",
  make: "New topic",
  find: "Find a topic",
  count: (count: number, shown: string) => (count === 1 ? "1 topic" : `${shown} topics`),
  noMatch: "No topic has this name.",
  name: "Name",
  description: "Description",
  optional: "optional",
  key: "Key",
  keyHelp:
    "Lowercase letters, digits and hyphens. The API and imported files name the topic by it, and it never changes.",
  forWhom: "Recipients",
  defaults: {
    in: {
      name: "Everybody",
      short: "Everybody who has not left it",
      help: "Every subscribed contact gets email of this topic, except those who leave it.",
    },
    out: {
      name: "Only those who join",
      short: "Only those who have joined it",
      help: "Only contacts who have joined this topic get its email.",
    },
  },
  people: {
    title: "In / out",
    exact: (gets: string, not: string) => `${gets} in, ${not} out`,
    about: (gets: string, not: string) => `about ${gets} in, ${not} out`,
  },
  visible: "Show it on the preference page",
  hidden: "hidden",
  addLanguage: "Add a language",
  create: "Create topic",
  created: (name: string) => `“${name}” is created.`,
  save: "Save",
  edit: "Edit",
  editTitle: "Edit topic",
  up: "Move up",
  down: "Move down",
  isFirst: "It is the first.",
  isLast: "It is the last.",
  forms: (count: number) => (count === 0 ? "Forms" : count === 1 ? "1 form offers it" : `${count} forms offer it`),
  noForms: "No form offers it.",
  actions: (name: string) => `Actions for ${name}`,
  remove: "Delete topic",
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeText:
    "Recipients can no longer choose it. What they chose is kept, and counts again if you create a topic with the same key.",
  removed: (name: string) => `“${name}” is deleted.`,
  empty: {
    title: "No topics yet",
    text: "A topic is something you write about, such as news or tips. Recipients can leave one topic and keep the rest.",
  },
  field: "Topic",
  fieldHelp: "Contacts who have left the topic do not get this email.",
  none: "No topic",
  choices: { in: "In", out: "Out", unsaid: "Not said" },
  person: {
    title: "Topics",
    byDefault: "by default",
    done: {
      in: (name: string) => `Gets “${name}” now.`,
      out: (name: string) => `No longer gets “${name}”.`,
    },
  },
};

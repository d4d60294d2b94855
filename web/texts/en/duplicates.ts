// Contacts that may be the same person, in English.

export const duplicates = {
  title: "Duplicates",
  open: "Find duplicates",
  openChosen: "Merge…",
  mergeChosen: "Merge these contacts?",
  tooMany: "Up to 11 contacts can be merged at once.",
  find: "Look for duplicates",
  again: "Look again",
  running: "All contacts are being looked through. This can take a minute.",
  found: (count: number, shown: string, when: string) =>
    count === 0
      ? `No duplicates. Last looked for: ${when}.`
      : `${shown} ${count === 1 ? "group" : "groups"} of contacts that may be the same person. Last looked for: ${when}.`,
  cut: "There are more. Look again when these are done.",
  none: {
    title: "Nobody has looked for duplicates yet",
    text: "Contacts whose addresses reach the same mailbox, and contacts with the same name at the same company, are found. You then decide who is the same person.",
  },
  reasons: { address: "Same mailbox", name: "Same name, same company" } as Readonly<Record<"address" | "name", string>>,
  compare: "Compare",
  stays: "Stays",
  goes: "Is merged into it",
  staysAs: (email: string) => `${email} stays`,
  marketing: "Marketing email",
  since: "Known since",
  nothing: "nothing",
  valueOf: (key: string, value: string, email: string) => `${key}: ${value}, of ${email}`,
  taken: (values: string) => `Kept from whoever has it: ${values}`,
  consent: "Everything goes along. A person who has unsubscribed as one of them stays unsubscribed.",
  pending: "One of them has not confirmed yet.",
  dismiss: "Not the same person",
  merge: "Merge",
  merged: (count: number, email: string) => `${count} contacts are one: ${email}.`,
  undone: "The merge is undone.",
  more: "Show more",
  all: {
    open: "Merge all with the same mailbox…",
    title: "Merge all with the same mailbox?",
    counts: (count: number, groups: string, contacts: string) =>
      `${groups} ${count === 1 ? "group: the" : "groups: in each the"} oldest contact stays, and the others are merged into it (${contacts} ${contacts === "1" ? "contact" : "contacts"}).`,
    unsubscribing: (count: number, shown: string) =>
      `In ${shown} of them one is subscribed and another is not. ${count === 1 ? "That person gets" : "These people get"} no marketing email afterwards.`,
    pending: (count: number, shown: string) =>
      `${shown} ${count === 1 ? "group is" : "groups are"} left out: one of the contacts has not confirmed yet.`,
    dismissed: (count: number, shown: string) =>
      `${shown} ${count === 1 ? "group is" : "groups are"} left out: somebody has said that two of them are not the same person.`,
    samples: "Examples",
    stays: (email: string) => `${email} stays`,
    goes: (emails: string) => `Merged into it: ${emails}`,
    added: (values: string) => `Added: ${values}`,
    lost: (values: string) => `Lost: ${values}`,
    unsubscribed: "Not subscribed afterwards",
    undo: "Each merge can be undone for seven days, one by one.",
    action: (count: number, shown: string) => `Merge ${shown} ${count === 1 ? "group" : "groups"}`,
    none: "No group can be merged.",
    running: "All with the same mailbox are being merged. This goes on when you close the page.",
    done: (count: number, shown: string) => `${shown} ${count === 1 ? "group was" : "groups were"} merged.`,
    left: (count: number, shown: string) =>
      `${shown} ${count === 1 ? "was left out, and is" : "were left out, and are"} still in the list.`,
    undoBelow: "Each merge can be undone for seven days, in the list below.",
  },
  recent: "Merged in the last seven days",
  mergedFrom: "Merged from",
  into: (email: string) => `into ${email}`,
  undoUntil: (when: string) => `Can be undone until ${when}`,
  undoOf: (emails: string) => `Undo the merge of ${emails}`,
  states: { MOVING: "The history is still being moved.", UNDOING: "Being undone." } as Readonly<
    Record<"MOVING" | "UNDOING", string>
  >,
};

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
  recent: "Merged in the last seven days",
  mergedFrom: "Merged from",
  into: (email: string) => `into ${email}`,
  undoUntil: (when: string) => `Can be undone until ${when}`,
  undoOf: (emails: string) => `Undo the merge of ${emails}`,
  states: { MOVING: "The history is still being moved.", UNDOING: "Being undone." } as Readonly<
    Record<"MOVING" | "UNDOING", string>
  >,
};

// Actions on selected people, in English.

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const bulk = {
  title: "Selected contacts",
  chosen: (count: number, shown: string) => `${shown} ${some(count, "contact", "contacts")} selected`,
  all: (shown: string) => `Select all ${shown}`,
  none: "Clear the selection",
  tooMany: (most: string) => `At most ${most} contacts can be selected one by one. Select the whole list instead.`,
  open: { subscribe: "Subscribe", unsubscribe: "Unsubscribe", delete: "Erase…" },
  ask: {
    subscribe: (shown: string) => `Subscribe ${shown} contacts?`,
    unsubscribe: (shown: string) => `Unsubscribe ${shown} contacts?`,
    delete: (shown: string) => `Erase ${shown} contacts?`,
  },
  means: {
    subscribe:
      "They will get marketing email again, also those who have unsubscribed, bounced or complained. Do this only if they have asked for it. It cannot be undone as a whole.",
    unsubscribe:
      "They no longer get marketing email. Transactional email is still sent. It cannot be undone as a whole.",
    delete:
      "Their emails, events and data are deleted with them, and queued emails for them are not sent. This cannot be undone.",
  },
  action: { subscribe: "Subscribe", unsubscribe: "Unsubscribe", delete: "Erase permanently" },
  done: {
    subscribe: (count: number, shown: string) => `${shown} ${some(count, "contact is", "contacts are")} subscribed.`,
    unsubscribe: (count: number, shown: string) =>
      `${shown} ${some(count, "contact is", "contacts are")} unsubscribed.`,
    delete: (count: number, shown: string) => `${shown} ${some(count, "contact is", "contacts are")} erased.`,
  },
  failed: (count: number, shown: string) =>
    `${shown} ${some(count, "was", "were")} left as ${some(count, "it was", "they were")}.`,
  topic: "Topic",
  topicChoice: {
    in: (name: string) => `Opt in to ${name}`,
    out: (name: string) => `Opt out of ${name}`,
  },
  topicAsk: {
    in: (shown: string, name: string) => `Opt the selected contacts (${shown}) in to “${name}”?`,
    out: (shown: string, name: string) => `Opt the selected contacts (${shown}) out of “${name}”?`,
  },
  topicMeans: {
    in: "They will get email of this topic if they are subscribed, even if they have left it before. Do this only if they have asked for it.",
    out: "They no longer get email of this topic. Everything else stays as it is.",
  },
  topicAct: { in: "Opt in", out: "Opt out" },
  topicDone: {
    in: (count: number, shown: string, name: string) =>
      `${shown} ${some(count, "contact is", "contacts are")} opted in to “${name}”.`,
    out: (count: number, shown: string, name: string) =>
      `${shown} ${some(count, "contact is", "contacts are")} opted out of “${name}”.`,
  },
  segment: "Segment",
  addTo: (name: string) => `Add to ${name}`,
  removeFrom: (name: string) => `Remove from ${name}`,
  make: { segment: "New segment from these", campaign: "New campaign to these" },
  makeHelp: {
    segment: (shown: string) => `It contains the ${shown} selected contacts until somebody removes them.`,
    campaign: (shown: string) =>
      `This creates a segment of the ${shown} selected contacts, and a draft for it. Nothing is sent before you send it.`,
  },
  segmentName: "Segment name",
  makeAct: { segment: "Create segment", campaign: "Create both" },
  moveAsk: {
    add: (shown: string, name: string) => `Add the selected contacts (${shown}) to “${name}”?`,
    remove: (shown: string, name: string) => `Remove the selected contacts (${shown}) from “${name}”?`,
  },
  moveMeans: "It cannot be undone as a whole. Workflows that listen to the segment start for each contact who moves.",
  moveAct: { add: "Add to the segment", remove: "Remove from the segment" },
  added: (count: number, name: string) => `${count} ${some(count, "contact", "contacts")} added to ${name}.`,
  removed: (count: number, name: string) => `${count} ${some(count, "contact", "contacts")} removed from ${name}.`,
};

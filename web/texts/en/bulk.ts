// Changing people who are chosen, in English.

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const bulk = {
  title: "The chosen people",
  chosen: (count: number, shown: string) => `${shown} ${some(count, "person", "people")} chosen`,
  all: (shown: string) => `Choose all ${shown}`,
  none: "Clear the selection",
  tooMany: (most: string) => `At most ${most} people can be chosen one by one. Choose all of a list instead.`,
  open: { subscribe: "Subscribe", unsubscribe: "Unsubscribe", delete: "Erase…" },
  ask: {
    subscribe: (shown: string) => `Subscribe ${shown} people?`,
    unsubscribe: (shown: string) => `Unsubscribe ${shown} people?`,
    delete: (shown: string) => `Erase ${shown} people?`,
  },
  means: {
    subscribe:
      "They will get marketing mail again, also those who have unsubscribed, bounced or complained. Do this only if they have asked for it. It cannot be undone as a whole.",
    unsubscribe: "They no longer get marketing mail. Transactional mail is still sent. It cannot be undone as a whole.",
    delete:
      "Their mails, events and data are deleted with them, and queued mails for them are not sent. This cannot be undone.",
  },
  action: { subscribe: "Subscribe", unsubscribe: "Unsubscribe", delete: "Erase permanently" },
  done: {
    subscribe: (count: number, shown: string) => `${shown} ${some(count, "person is", "people are")} subscribed.`,
    unsubscribe: (count: number, shown: string) => `${shown} ${some(count, "person is", "people are")} unsubscribed.`,
    delete: (count: number, shown: string) => `${shown} ${some(count, "person is", "people are")} erased.`,
  },
  failed: (count: number, shown: string) =>
    `${shown} ${some(count, "was", "were")} left as ${some(count, "it was", "they were")}.`,
  segment: "Segment",
  addTo: (name: string) => `Add to ${name}`,
  removeFrom: (name: string) => `Remove from ${name}`,
  make: { segment: "New segment of these", campaign: "New campaign to these" },
  makeHelp: {
    segment: (shown: string) => `It contains the ${shown} chosen people until somebody removes them.`,
    campaign: (shown: string) =>
      `This creates a segment of the ${shown} chosen people, and a draft for it. Nobody gets anything before you send it.`,
  },
  segmentName: "Name of the segment",
  makeAct: { segment: "Create segment", campaign: "Create both" },
  membersTooMany: (most: string) => `Choose up to ${most} people one by one to change a segment.`,
  added: (count: number, name: string) => `${count} ${some(count, "person", "people")} added to ${name}.`,
  removed: (count: number, name: string) => `${count} ${some(count, "person", "people")} removed from ${name}.`,
};

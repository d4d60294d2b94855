// People in a workflow, and the test run, in English.

export const trial = {
  open: "Test",
  with: "Testing with",
  choose: "Choose a contact",
  at: (name: string) => `At “${name}”:`,
  nothingIsSent: "Nothing is sent.",
  end: "End test",
  failed: (reason: string) => `It fails: ${reason}`,
  obstacles: {
    disabled: "It is off, so nobody starts.",
    not_member: "The contact is not in the segment that the schedule starts.",
    entered_before: "This person was in it before and may enter only once.",
    still_inside: "This person is in it now and may enter again only after that.",
    key_running: "A run of this person with the same value is running.",
    key_failed: "The value that runs are told apart by takes too long to compute.",
    too_often: "It was started too often for this person within an hour.",
    no_contact: "The event belongs to nobody.",
  },
  faulty: "Fix its errors to test it.",
  start: "Manual start",
  last: (name: string, when: string) => `${name}, ${when}`,
  edited: (name: string) => `${name}, edited data`,
  without: (name: string) => `${name}, none so far`,
  dataOf: (name: string) => `Data of “${name}”`,
  data: "Event data",
  dataHelp: 'JSON, as an event brings it. { "value": 1, "persistent": false } is not stored with the contact.',
  useLast: "Use the last event",
  useData: "Test with this",
};

export const pastCheck = {
  open: "Test on the last 30 days",
  title: "What would the last 30 days have started?",
  events: (shown: string, name: string) => `${shown} events “${name}”`,
  people: (shown: string) => `of ${shown} people`,
  start: (shown: string) => `${shown} starts`,
  entering: {
    never: "Each person starts once.",
    "after-end": "Each event starts its person, unless the person is already in it.",
    always: "Each event starts its person.",
  },
  none: "No such event came in that time.",
  notEvent: "No event starts this workflow.",
  close: "Close",
};

export const people = {
  statuses: {
    RUNNING: "running",
    WAITING: "waiting",
    COMPLETED: "completed",
    EXITED: "exited",
    FAILED: "failed",
    CANCELLED: "stopped",
  },
  heads: { person: "Contact", at: "At", since: "Started", until: "Ended", goesOn: "Continues", state: "Status" },
  none: "Nobody is here.",
  more: "More",
  showTrace: (email: string) => `The path of ${email}`,
  stop: "Stop for this contact",
  stopped: (email: string) => `Stopped for ${email}.`,
  waitsFor: (name: string) => `waits for ${name}`,
  person: "Open contact",
  mail: "Open email",
  back: "Back to the step",
  of: (state: string, step: string) => `${state}: ${step}`,
  start: "Start a contact",
  startTitle: "Start a contact manually",
  startedOne: (name: string) => `${name} is in it.`,
  startOff: "It is off: turn it on first.",
  stepStates: {
    WAITING: "waits",
    COMPLETED: "done",
    SKIPPED: "skipped",
    FAILED: "failed",
    CANCELLED: "stopped",
  },
};

export const unstarted = {
  title: "Events that started nothing",
  none: "Every event has started something, as far as is known.",
  of: (shown: string, count: number) => (count === 1 ? "1 event started nothing." : `${shown} events started nothing.`),
  nobody: "nobody",
  reasons: {
    entered_before: "was in it before",
    still_inside: "was still in it",
    key_running: "a run with the same value was running",
    key_failed: "the value took too long to compute",
    too_often: "started too often within an hour",
    no_contact: "the event belongs to nobody",
  },
  mend: "To start with each event, set the trigger to “each time”.",
  more: "More",
};

export const version = {
  title: "Versions in use",
  text: "People continue with the version that they started with.",
  none: "Nobody has started yet.",
  name: (version: string) => `Version ${version}`,
  current: "as it is now",
  inside: (shown: string) => `${shown} inside`,
  draw: "Restore to the canvas",
  drawn: (version: string) => `Version ${version} is on the canvas. Save to keep it.`,
  close: "Close",
};

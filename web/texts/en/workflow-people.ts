// Who is in a workflow, who was, and who would be, in English.

export const trial = {
  open: "Try it",
  with: "Trying with",
  choose: "Choose somebody",
  at: (name: string) => `At “${name}”:`,
  nothingIsSent: "Nothing is sent.",
  end: "End the trial",
  failed: (reason: string) => `It fails: ${reason}`,
  obstacles: {
    off: "It is off, so nobody starts.",
    again: "This person was in it before and may enter only once.",
  },
  faulty: "Fix its faults to try it.",
  data: "Event data",
  dataHelp: '{ "plan": "pro" }',
};

export const pastCheck = {
  open: "Against the last 30 days",
  title: "What would the last 30 days have started?",
  events: (shown: string, name: string) => `${shown} events “${name}”`,
  people: (shown: string) => `of ${shown} people`,
  start: (shown: string) => `${shown} starts`,
  once: "Each person starts once.",
  again: "Each event starts its person, unless the person is already in it.",
  none: "No such event came in that time.",
  notEvent: "No event starts this workflow.",
  close: "Close",
};

export const people = {
  statuses: {
    inside: "inside",
    RUNNING: "on the way",
    WAITING: "waiting",
    COMPLETED: "completed",
    EXITED: "ended",
    FAILED: "failed",
    CANCELLED: "stopped",
  },
  heads: { person: "Person", at: "At", since: "Started", until: "Ended", goesOn: "Continues", state: "State" },
  none: "Nobody is here.",
  more: "More",
  showTrace: (email: string) => `The path of ${email}`,
  stop: "Stop it for this person",
  stopped: (email: string) => `Stopped for ${email}.`,
  waitsFor: (name: string) => `waits for ${name}`,
  person: "The person",
  mail: "The mail",
  back: "Back to the step",
  of: (state: string, step: string) => `${state}: ${step}`,
  start: "Start somebody",
  startTitle: "Start somebody by hand",
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

export const version = {
  title: "Versions with people",
  text: "People continue with the version that they started with.",
  none: "Nobody has started yet.",
  name: (version: string) => `Version ${version}`,
  current: "as it is now",
  inside: (shown: string) => `${shown} inside`,
  draw: "Restore to the canvas",
  drawn: (version: string) => `Version ${version} is on the canvas. Save to keep it.`,
  close: "Close",
};

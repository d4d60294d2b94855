// The history of a contact, in English.

type Words = Readonly<Record<string, string>>;
const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

const leftOutWhy: Words = {
  unsubscribed: "Unsubscribed before it was sent.",
  suppressed: "The address or its domain was suppressed before it was sent.",
  pending: "The subscription was not confirmed when it was sent.",
  erased: "Was being erased.",
  joinedLater: "Joined after it was sent.",
  topic: "Had left the topic of the email.",
  paused: "Had paused marketing email.",
  merged: "Was merged with another recipient.",
  notInAudience: "Was not in its audience when it was sent.",
  notRepeated: "It went only to people whom an earlier campaign had not reached.",
};
const events: Words = {
  "email.delivery": "Delivered:",
  "email.open": "Opened",
  "email.click": "Clicked in",
  "email.bounce": "Bounced:",
  "email.complaint": "Marked as spam:",
};
const workflowEnded: Readonly<Record<string, (when: string) => string>> = {
  COMPLETED: (when) => `finished ${when}`,
  EXITED: (when) => `left ${when}`,
  FAILED: (when) => `failed ${when}`,
  CANCELLED: (when) => `cancelled ${when}`,
};

export const past = {
  title: "History",
  kinds: {
    ALL: "Everything",
    CAMPAIGN: "Campaigns",
    MAIL: "Emails",
    EVENT: "Events",
    CONSENT: "Consent",
    WORKFLOW: "Workflows",
  },
  today: (day: string) => `Today, ${day}`,
  more: "Show more",
  nothing: "Nothing of this kind has happened yet.",
  created: (when: string) => `Known here since ${when}.`,
  mail: {
    QUEUED: "is waiting",
    SENDING: "is being sent",
    SENT: "was sent",
    PERHAPS_DELIVERED: "was perhaps delivered",
    DELIVERED: "was delivered",
    FAILED: "failed",
    SKIPPED: "was not sent",
    CANCELLED: "was cancelled",
    BOUNCED: "bounced",
    COMPLAINED: "was marked as spam",
    RECEIVED: "came from this contact",
  },
  mailHeld: "is held back",
  held: {
    WORKSPACE_DISABLED: "The workspace is disabled.",
    CAMPAIGN_PAUSED: "Its campaign is paused.",
    CAMPAIGN_BLOCKED: "Its campaign cannot continue at the moment.",
    MARKETING_STOPPED: "Marketing email is stopped: too many bounces or complaints.",
    CLOCK_IN_DOUBT: "The server’s clock is in doubt.",
    OPERATOR: "The operator of this server has put it on hold.",
  },
  byCampaign: (name: string) => `Campaign ${name}`,
  byWorkflow: (name: string) => `Workflow ${name}`,
  byTemplate: (name: string) => `Template ${name}`,
  opens: (count: number, shown: string) => some(count, "opened", `opened ${shown} times`),
  clicks: (count: number, shown: string) => some(count, "clicked", `clicked ${shown} times`),
  events,
  long: "The data is too long to be shown here.",
  topics: {
    "topic.joined": (topic: string) => `Joined the topic “${topic}”`,
    "topic.left": (topic: string) => `Left the topic “${topic}”`,
  },
  paused: (day: string) => `Paused marketing email until ${day}`,
  resumed: "Gets marketing email again after a pause",
  entered: (segment: string) => `Joined ${segment}`,
  left: (segment: string) => `Left ${segment}`,
  leftOut: "was not sent",
  leftOutWhy,
  pending: "is queued",
  cancelledBy: (name: string | null) => (name === null ? "The campaign was cancelled." : `Cancelled by ${name}.`),
  matchesNow: { yes: "Matches its audience now.", no: "Does not match its audience now." },
  itsMail: "Open email",
  subscribed: "Subscribed",
  unsubscribed: "Unsubscribed",
  consentWhy: { bounce: "An email bounced permanently.", complaint: "An email was marked as spam." },
  by: (name: string) => `By ${name}.`,
  byLink: "By the link in",
  thatMail: "this email",
  via: {
    import: (file: string | null, day: string) =>
      file === null ? `By an import of ${day}.` : `By the import of “${file}” of ${day}.`,
    undo: (_: string | null, day: string) => `By undoing an import on ${day}.`,
    bulk: (_: string | null, day: string) => `By a bulk change of ${day}.`,
    key: (name: string | null) =>
      name === null ? "By a program with an API key." : `By a program with the API key “${name}”.`,
    "public-key": (name: string | null) =>
      name === null ? "By a website with a public key." : `By a website with the public key of “${name}”.`,
    form: (name: string | null) => (name === null ? "By a form." : `By the form “${name}”.`),
    page: () => "By the contact, on a recipient page.",
  },
  begunBy: (name: string) => `Started by ${name}.`,
  byNobodyKnown: "Who did it is not recorded.",
  workflow: "Started",
  startedBy: (event: string) => `by “${event}”`,
  startedByHand: "manually",
  waitsFor: (event: string) => `waits for “${event}”`,
  workflowEnded,
};

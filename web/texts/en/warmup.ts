// The warm-up of a sender domain, in English.

export const warmup = {
  title: "Warm-up",
  titleOfWay: (way: string) => `Warm-up of ${way}`,
  states: {
    PLANNED: "begins with the first campaign",
    RUNNING: "under way",
    PAUSED: "paused",
    HALTED: "halted",
    DONE: "done",
    SKIPPED: "ended",
  },
  planned: (first: string) =>
    `Mailbox providers do not know this domain yet. Marketing email will reach each of them little by little: ${first} on the first day, then more each day. Transactional email never waits.`,
  day: (day: string, days: string, allowed: string) =>
    `Day ${day} of ${days}: up to ${allowed} emails to each mailbox provider. Marketing email waits its turn, the most engaged people first; transactional email never waits.`,
  next: "The next day begins",
  notYet: "A day begins with its first email.",
  paused: "Mailbox providers get no marketing email until the warm-up is resumed.",
  halted: "The warm-up has halted.",
  haltedText:
    "Remove the addresses that bounced, and check whom you send to and how they signed up. Then resume it. Mailbox providers get no marketing email until then.",
  over: "Marketing email leaves at full pace.",
  columns: { provider: "Provider", sent: "Sent today", waiting: "Waiting", done: "Done" },
  of: (sent: string, allowed: string) => `${sent} of ${allowed}`,
  nobody: "No mailbox provider has got any email today, and none waits.",
  done: "Everything that waits is expected to be sent by",
  actions: {
    label: "Warm-up actions",
    plan: "Change the plan…",
    pause: "Pause",
    resume: "Resume",
    skip: "End the warm-up…",
    never: "This domain is warm already…",
    restart: "Start again from day 1",
    start: "Start a warm-up…",
  },
  skipTitle: (domain: string) => `Send from ${domain} at full pace?`,
  skipTitleOfWay: (way: string) => `Send by ${way} at full pace?`,
  skipText:
    "Everything that waits leaves at once. Providers that do not know the domain may reject its email or put it in spam, and remember that for months. Choose this if the domain has already sent as much elsewhere.",
  skip: "Send at full pace",
  reason: "Why no warm-up is needed",
  reasonHelp: "Such as: it has sent 40,000 a week by Mailchimp. It is kept in the audit log.",
  startTitle: (way: string) => `Start a warm-up of ${way}?`,
  startText:
    "For a relay with an address of its own that mailbox providers do not know: marketing email that leaves by it is sent little by little, 50 a day to each provider at first. Services such as Amazon SES need none.",
  start: "Start the warm-up",
  planTitle: "Warm-up plan",
  days: "Emails a day",
  daysHelp:
    "For each mailbox provider, from the first day on, separated by spaces or commas. After the last day, nothing waits.",
  own: "Providers with a plan of their own",
  ownHelp: "Leave it empty to use the plan above.",
  faulty: "Enter whole numbers from 1 to 1,000,000, at most 90.",
  save: "Save plan",
};

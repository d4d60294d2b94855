// Outcomes of emails, in English: refusals with advice, reasons to wait, and events.

type Refusal = {
  /** For a row. */
  readonly brief: string;
  readonly title: string;
  readonly text: (domain: string) => string;
  readonly todo: readonly string[];
};

const LATER = "Send it again in a few hours. Posthorn has used up all attempts.";

export const reasons = {
  NO_MAILBOX: {
    brief: "No such mailbox",
    title: "The mailbox does not exist.",
    text: (domain) => `${domain} has no such mailbox.`,
    todo: [
      "Check the email address for typos, and ask its owner for the right one.",
      "Further emails fail in the same way until it is corrected.",
    ],
  },
  NO_DOMAIN: {
    brief: "No such domain",
    title: "The domain does not exist, or accepts no email.",
    text: (domain) => `The DNS has no mail server for ${domain}.`,
    todo: ["Check the part after the @ for typos, and ask for the right email address."],
  },
  FULL: {
    brief: "Mailbox full",
    title: "The mailbox is full.",
    text: (domain) => `The email address exists at ${domain}, but the mailbox is full.`,
    todo: ["Send it again in a few days, when its owner may have deleted some email."],
  },
  TOO_LARGE: {
    brief: "Too large",
    title: "The email is too large for the recipient’s server.",
    text: (domain) => `${domain} accepts smaller emails only.`,
    todo: ["Send smaller attachments, or a link instead."],
  },
  SPAM: {
    brief: "Refused as spam",
    title: "It was refused as spam.",
    text: (domain) => `The content or the sender looked like spam to ${domain}.`,
    todo: [
      "Change the text first: the same text will be refused again.",
      "Check SPF, DKIM and DMARC of the sender’s domain.",
    ],
  },
  LISTED: {
    brief: "Sender on a blocklist",
    title: "The sending server is on a blocklist.",
    text: (domain) => `${domain} accepts no email from this IP address.`,
    todo: ["Ask the operator of this server: the blocklist named in the reply says how to be removed from it."],
  },
  UNPROVEN: {
    brief: "Sender not authenticated",
    title: "The sender could not be authenticated.",
    text: (domain) => `SPF, DKIM or DMARC failed at ${domain}.`,
    todo: ["Check the DNS records of the sender’s domain, then send it again."],
  },
  TOO_MUCH: {
    brief: "Too much email",
    title: "Too much email came at once.",
    text: (domain) => `${domain} limits how much email it accepts.`,
    todo: [LATER],
  },
  NO_ANSWER: {
    brief: "No answer",
    title: "The mail server did not answer.",
    text: (domain) => `No mail server of ${domain} could be reached.`,
    todo: [LATER],
  },
  NOT_NOW: {
    brief: "Not now",
    title: "The mail server asked Posthorn to wait.",
    text: (domain) => `${domain} did not accept it at that time.`,
    todo: [LATER],
  },
  REFUSED: {
    brief: "Refused",
    title: "It was refused.",
    text: (domain) => `Posthorn does not recognise the reason that ${domain} gave. The reply is below.`,
    todo: ["Read the reply: it often has a link that explains it."],
  },
} satisfies Readonly<Record<string, Refusal>>;

export const held = {
  CAMPAIGN_PAUSED: { title: "Its campaign is paused.", text: "It is sent when the campaign is resumed." },
  CAMPAIGN_BLOCKED: {
    title: "Its campaign cannot continue.",
    text: "The campaign says why. It is sent once that is fixed.",
  },
  MARKETING_STOPPED: {
    title: "Marketing email is stopped.",
    text: "Too many emails bounced or were marked as spam. It is sent when marketing email is allowed again.",
  },
  CLOCK_IN_DOUBT: {
    title: "The server’s clock is in doubt.",
    text: "It jumped ahead, so nobody knows whether this email is due. It is sent when the clock is right again.",
  },
  WORKSPACE_DISABLED: {
    title: "The workspace is disabled.",
    text: "It is sent when an owner enables the workspace.",
  },
  OPERATOR: {
    title: "The operator of this server has put it on hold.",
    text: "It is sent when the operator releases it. Ask them.",
  },
  PROVIDER_PACE: {
    title: "Its mailbox provider is sent less email at present.",
    text: "It asked for less, so email to it leaves little by little. Nothing needs to be done.",
  },
};

export const past = {
  accepted: "Accepted",
  acceptedBy: {
    TRANSACTIONAL: "Sent through the API or by SMTP.",
    CAMPAIGN: (name: string) => (name === "" ? "Sent by a campaign." : `Sent by the campaign “${name}”.`),
    WORKFLOW: (name: string) => (name === "" ? "Sent by a workflow." : `Sent by the workflow “${name}”.`),
    INBOUND: "Inbound email.",
  },
  withKey: (name: string, way: string) => `${name === "" ? "With a key" : `With the key “${name}”`}, by ${way}.`,
  byPerson: (name: string, way: string) => `By ${name}, by ${way}.`,
  request: (id: string) => `request ${id}`,
  repeats: "Repeats an earlier email.",
  tried: (number: number, reply: string, took: string) =>
    `attempt ${number}: ${reply}${took === "" ? "" : ` (${took})`}`,
  later: (number: number) => `Deferred at attempt ${number}`,
  unanswered: (number: number) => `Sent, but not confirmed, at attempt ${number}`,
  delayed: "Deferred by a later server",
  failed: (number: number) => `Refused at attempt ${number}`,
  report: "Bounce report",
  notSent: "Not sent",
  sent: "Sent to the next mail server",
  sentTo: (host: string) => `Sent to ${host}`,
  to: (address: string) => `It went to ${address}.`,
  refusedBy: (host: string, address: string) => `${host} was asked to accept it for ${address}.`,
  webhooks: {
    delivered: "Webhook delivered",
    later: "Webhook to be retried",
    failed: "Webhook failed",
    underWay: "Webhook called",
  },
  webhookOf: (workflow: string, host: string) => `The workflow “${workflow}” called ${host}.`,
  delivered: "Delivered",
  deliveredText: "The next mail server reported that it arrived.",
  hardBounce: "Bounced permanently",
  hardBounceText: "The contact was unsubscribed and gets no more marketing email. Transactional email is still sent.",
  softBounce: "Bounced temporarily",
  softBounceText: "The contact stays subscribed: another email may get through.",
  complained: "Marked as spam",
  complainedText: "The contact was unsubscribed.",
  opened: (times: number) => (times === 1 ? "Opened by a person" : `Opened by a person, ${times} times`),
  clicked: (times: number) => (times === 1 ? "Clicked by a person" : `Clicked by a person, ${times} times`),
  machineOpened: "Opened by a bot",
  machineOpenedText: "A program fetched the images. Not counted.",
  machineClicked: "Clicked by a bot",
  machineClickedText: "A scanner checked the link. Not counted.",
  unsubscribed: "Unsubscribed through this email",
  unsubscribedText: "The reader used the unsubscribe link.",
  leftTopic: "Left its topic through this email",
  leftTopicText: (topic: string) => `The reader does not want email of the topic ${topic} any more.`,
  skipped: "Not sent",
  skippedText: "The recipient was no longer subscribed when it was about to be sent.",
  cancelled: "Cancelled",
  cancelledBy: {
    PERSON: (name: string) => `By ${name}. It will not be sent.`,
    KEY: (name: string) => `${name === "" ? "With an API key" : `With the API key “${name}”`}. It will not be sent.`,
    COMMAND_LINE: () => "By the operator of this server. It will not be sent.",
  },
  resent: "Sent again",
  received: "Received",
  receivedText: (from: string) => `From ${from}.`,
};

export const move = {
  name: "Change the time",
  time: "Send at",
  save: "Save",
  noTime: "Choose a time in the future.",
  all: "This applies to all recipients of the message.",
  done: "Time changed.",
  now: "Send now",
  ask: "Send this email now?",
  text: (to: string) => `${to} gets it at once.`,
  sent: "It is being sent.",
};

// Mailbox providers with a reduced rate, in English.
import { PROVIDER_NAMES } from "../provider-names.ts";

export const brakes = {
  /** For other servers, the domain of the addresses. */
  provider: (mailbox: string) => PROVIDER_NAMES[mailbox] ?? mailbox,
  SLOWED: (provider: string, perHour: string) => `${provider} is sent at most ${perHour} emails an hour.`,
  PAUSED: (provider: string) => `${provider} takes no email because of its opinion of the sender.`,
  brief: {
    SLOWED: (provider: string) => `${provider} is sent less`,
    PAUSED: (provider: string) => `${provider} takes no email`,
  },
  perHour: (count: string) => `${count} an hour at most`,
  pausedUntil: "paused until",
  askedAgain: "It is asked again",
  onlyMarketing: "Only marketing email waits, because only reports have asked for it.",
  said: "It said:",
  since: "Since",
  waiting: (count: string) => (count === "1" ? "1 email waits" : `${count} emails wait`),
  way: (name: string) => `by the sending route ${name}`,
  ofCampaign: (count: string) =>
    count === "1"
      ? "1 email of this campaign waits, because its mailbox provider asked for less."
      : `${count} emails of this campaign wait, because their mailbox providers asked for less.`,
  end: "Send at full pace",
  endQuestion: (provider: string) => `Send to ${provider} at full pace again?`,
  endText: "If it still asks for less, it is sent less again, and may think worse of the sender.",
  done: (provider: string) => `Email to ${provider} leaves at full pace.`,
};

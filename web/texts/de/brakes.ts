// Mailbox providers with a reduced rate, in German.
import type { brakes as english } from "../en/brakes.ts";
import { PROVIDER_NAMES } from "../provider-names.ts";

export const brakes: typeof english = {
  provider: (mailbox) => PROVIDER_NAMES[mailbox] ?? mailbox,
  SLOWED: (provider, perHour) => `${provider} bekommt höchstens ${perHour} Mails in der Stunde.`,
  PAUSED: (provider) => `${provider} nimmt keine Mails an, weil er den Absender schlecht einschätzt.`,
  brief: {
    SLOWED: (provider) => `${provider} bekommt weniger`,
    PAUSED: (provider) => `${provider} nimmt keine Mails an`,
  },
  perHour: (count) => `höchstens ${count} in der Stunde`,
  pausedUntil: "pausiert bis",
  askedAgain: "Er wird wieder gefragt",
  onlyMarketing: "Nur Marketing-Mails warten, weil nur Berichte darum gebeten haben.",
  said: "Er sagte:",
  since: "Seit",
  waiting: (count) => (count === "1" ? "1 Mail wartet" : `${count} Mails warten`),
  way: (name) => `über den Versandweg ${name}`,
  ofCampaign: (count) =>
    count === "1"
      ? "1 Mail dieser Kampagne wartet, weil ihr Mailanbieter um weniger gebeten hat."
      : `${count} Mails dieser Kampagne warten, weil ihre Mailanbieter um weniger gebeten haben.`,
  end: "Mit vollem Tempo senden",
  endQuestion: (provider) => `Wieder mit vollem Tempo an ${provider} senden?`,
  endText:
    "Bittet er noch immer um weniger, bekommt er wieder weniger und schätzt den Absender vielleicht schlechter ein.",
  done: (provider) => `Mails an ${provider} gehen mit vollem Tempo hinaus.`,
};

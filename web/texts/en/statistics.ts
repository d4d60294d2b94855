// Statistics, in English.
import { PROVIDER_NAMES } from "../provider-names.ts";

const PROVIDERS: Readonly<Record<string, string>> = {
  ...PROVIDER_NAMES,
  other: "Own domains and others",
  TRANSACTIONAL: "Transactional",
  CAMPAIGN: "Campaigns",
  WORKFLOW: "Workflows",
};

export const statistics = {
  title: "Statistics",
  days: "Days",
  lastDays: (days: string) => `${days} d`,
  whole: "Show all",
  overTime: "Over time",
  what: {
    accepted: "Accepted",
    sent: "Sent",
    delivered: "Delivered",
    opened: "Opened",
    clicked: "Clicked",
    bounced: "Bounced",
    complained: "Complained",
  },
  limits: "Limits of Gmail and Yahoo",
  rate: { complained: "marked as spam", bounced: "bounced" },
  mails: (count: string) => (count === "1" ? "1 email" : `${count} emails`),
  marks: {
    complained: "Gmail and Yahoo require less than 0.1%, and never 0.3%.",
    bounced: "Up to 2% is normal. From 5%, relays and providers block a sender.",
  },
  verdict: {
    complained: {
      ok: "Within their limits.",
      warn: "Above what they recommend. Write only to people who want your email.",
      bad: "Over the limit. Email goes to spam or is refused until the rate has been below it for a week.",
    },
    bounced: {
      ok: "Normal.",
      warn: "More than usual. Check where these email addresses come from.",
      bad: "Too many. Stop sending to old or bought lists.",
    },
  },
  few: "With fewer than 100 emails a rate says little.",
  apart: "Breakdown",
  by: {
    provider: "Mailbox provider",
    domain: "Sender domain",
    template: "Template",
    campaign: "Campaign",
    tag: "Tag",
    way: "Sending route",
    sourceType: "Type",
  },
  one: {
    provider: "Provider",
    domain: "Domain",
    template: "Template",
    campaign: "Campaign",
    tag: "Tag",
    way: "Sending route",
    sourceType: "Type",
  },
  others: "All others",
  named: (by: string, group: string) =>
    PROVIDERS[group] ?? (by === "template" || by === "campaign" ? `Deleted, …${group.slice(-6)}` : group),
  nothing: {
    provider: "No email in these days.",
    domain: "No email in these days.",
    template: "No email was sent from a template in these days.",
    campaign: "No campaign was sent in these days.",
    tag: "No email with a tag in these days.",
    way: "No sending route took or refused an email in these days.",
    sourceType: "No email in these days.",
  },
  note: "Each number counts what happened in these days and opens those emails. A name opens the emails that were accepted in these days.",
  noDeliveries: "Nothing reports deliveries here: sent means that the relay accepted the email.",
  ofProviders: "Providers are determined by the domain of the email address.",
};

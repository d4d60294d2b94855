// Problems that need attention, by kind, in English.
import type { components } from "../../api.gen.ts";

/** The texts of a paused provider are in brakes.ts. */
type NeedKind = Exclude<components["schemas"]["Overview"]["attention"][number]["kind"], "PROVIDER_PAUSED">;

export const needs = {
  title: "Needs attention",
  nothing: "All clear.",
  /** The links of the problems. */
  see: {
    server: "See the server",
    bounces: "See the bounces",
    complaints: "See the complaints",
    warmup: "See the warm-up",
    change: "See the change",
    why: "Read why",
    mails: "See its emails",
    webhook: "See the webhook",
    contact: "See the contact",
  },
  kinds: {
    CLOCK_IN_DOUBT: {
      what: "The server’s clock is in doubt.",
      why: "It jumped more than a day ahead. Nothing is deleted by age and no scheduled email leaves until it has run for an hour without another jump, or the operator accepts it: posthorn clock accept.",
    },
    CLOCK_BEHIND: {
      what: "The server’s clock is behind the latest time it has seen.",
      why: "It is wrong now, or it was wrong then. Email gets the time of now, and scheduled email leaves by it. Set the clock right; if it is, this is over after an hour, or with posthorn clock accept.",
    },
    SENDING_HELD: {
      what: "Sending is held.",
      why: "After a restore, or with serve --hold, no email is sent until posthorn release.",
    },
    RELAY_AWAY: { what: "The relay does not answer.", why: "Email waits and is sent once it answers." },
    WAY_AWAY: {
      what: (name: string) => `The sending route ${name} cannot be used.`,
      why: "Email is sent by the others.",
    },
    CERTIFICATE: {
      what: (ports: string) => `The certificate of ${ports} is not renewed.`,
      why: "It is in its last days. Renew it, or email apps and browsers will refuse this server.",
      and: " and ",
    },
    WARMUP_HALTED: { what: (domain: string) => `The warm-up of ${domain} has halted.` },
    MARKETING_STOPPED: { what: "Marketing email is stopped." },
    RATE_HIGH: {
      what: {
        BOUNCE_RATE: (rate: string, limit: string) => `The bounce rate is ${rate}; the limit is ${limit}.`,
        COMPLAINT_RATE: (rate: string, limit: string) => `The complaint rate is ${rate}; the limit is ${limit}.`,
      },
      why: "Email only people who asked for it.",
      stops: (stop: string) => `At ${stop} marketing email stops. Email only people who asked for it.`,
    },
    DOMAIN_FAILING: { what: (domain: string) => `The DKIM record of ${domain} is gone.` },
    WAY_REFUSES: {
      what: (way: string, domain: string) => `The sending route ${way} does not take email of ${domain}.`,
    },
    DOMAIN_CHANGED: {
      what: {
        SPF: (domain: string) => `The SPF record of ${domain} has changed.`,
        DMARC: (domain: string) => `The DMARC record of ${domain} has changed.`,
        RETURN_PATH: (domain: string) => `The MX record of ${domain} has changed: bounces do not arrive.`,
        INBOUND: (domain: string) => `The MX record of ${domain} has changed: email does not arrive here.`,
        BLOCKLIST: (domain: string) => `${domain} is on a blocklist.`,
      },
    },
    LINK_HOST_FAILING: {
      what: (host: string) => `${host} does not lead here any more.`,
      why: "Links of new emails name the host of the server until it does again.",
    },
    ALL_REFUSED: {
      what: (count: string) => `The last ${count} emails were all refused.`,
      why: "Since then none has been taken. The relay’s answers say why.",
    },
    MAILS_FAILED: {
      what: (count: number) =>
        count === 1 ? "1 email failed in the last 24 hours" : `${count} emails failed in the last 24 hours`,
    },
    CAMPAIGN_HELD: { what: (name: string) => `“${name}” is held.` },
    CAMPAIGN_FAILED: {
      what: (name: string) => `“${name}” failed for everybody.`,
      why: "No email was accepted. Fix the cause, then send it again from the results.",
    },
    WEBHOOKS_FAILED: {
      what: (count: number, isLowerBound: boolean) =>
        count === 1 && !isLowerBound ? "1 webhook failed" : `${count}${isLowerBound ? " or more" : ""} webhooks failed`,
    },
    WEBHOOK_OFF: { what: (name: string) => `The webhook ${name} is off.`, why: "No call got through for three days." },
    NOTE: { what: (from: string, email: string) => `${from} wrote to you about ${email}:`, aKey: "A program" },
    BACKUP_MISSING: {
      what: {
        FAILED: "The last backup failed.",
        NONE: "No backup has been made yet.",
        LATE: "No backup was made when it was due.",
      },
      why: "If the disk breaks, everything since the last backup is lost.",
    },
    SEEN_FROM_OUTSIDE: {
      what: {
        ADDRESS: (name: string) => `${name} has no address in the DNS.`,
        REVERSE_NAME: (address: string, name: string) => `The reverse name of ${address} should be ${name}.`,
        RETURN_PATH: (domain: string) => `Bounces to ${domain} do not arrive.`,
        CERTIFICATE: (place: string) => `The certificate of ${place} is a problem.`,
        BLOCKLIST: (address: string, list: string) => `${address} is on the blocklist ${list}.`,
        RELEASE: (name: string) => `A newer ${name} is out.`,
      },
      found: {
        ADDRESS: (found: string) => found,
        REVERSE_NAME: (found: string) => `It is ${found}.`,
        RETURN_PATH: (found: string) => `Its MX record leads to ${found}.`,
        CERTIFICATE: (found: string) => found,
        BLOCKLIST: (found: string) => `The list answers ${found}.`,
        RELEASE: (found: string) => `It is ${found}. Read its notes, then run: posthorn upgrade`,
      },
      why: {
        ADDRESS: "Links in emails lead nowhere.",
        REVERSE_NAME: "It has none, so large mailbox providers refuse email from it.",
        RETURN_PATH: "It has no MX record.",
        CERTIFICATE: "",
        BLOCKLIST: "",
        RELEASE: "",
      },
      endsAt: (moment: string) => `It ends on ${moment}.`,
    },
    MAILBOX_AWAY: { what: (name: string) => `The bounce mailbox ${name} cannot be read.` },
    INBOUND_UNREAD: {
      what: (count: string) =>
        count === "1"
          ? "1 message from outside could not be read."
          : `${count} messages from outside could not be read.`,
      why: "Bounces are read again later, and email is kept unread. The log of the server says why.",
    },
    DISK_SHORT: {
      what: (free: string) => `The disk is nearly full: ${free} are free.`,
      why: "When it is full, no email is accepted. Make room, or keep email for fewer days.",
    },
  } satisfies Readonly<Record<NeedKind, object>>,
};

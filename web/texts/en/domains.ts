// Sender domains, in English.

export const domains = {
  add: "Add a domain",
  all: "All domains",
  domain: "Domain",
  domainHelp: "The part of the sender’s email address after the @. A subdomain has its own reputation.",
  empty: {
    title: "Verify a domain",
    text: "You can send only from domains that are verified as yours. Add one, publish its DNS records, and watch them turn green here.",
  },
  conditions: {
    verified: "verified",
    forced: "verified without a check",
    failing: "DKIM is missing",
    waiting: "not verified yet",
  },
  found: (found: number, all: number) => `${found} of ${all} records`,
  isVerified: (domain: string) => `${domain} is verified. You can send from it.`,
  watches: (seconds: number) => `Checked every ${seconds} seconds while this page is open.`,
  watchesHourly: "The server checks every hour.",
  lastLook: (seconds: number) =>
    seconds === 1 ? "Last checked 1 second ago." : `Last checked ${seconds} seconds ago.`,
  lastLookAt: (ago: string) => `Last checked ${ago}.`,
  noLook: "Not checked yet.",
  zone: "Zone file",
  mailIt: "Email my admin",
  letter: {
    subject: (domain: string) => `DNS records for ${domain}`,
    please: (domain: string) => `Hello, please publish these DNS records, so that email can be sent from ${domain}:`,
    type: "Type",
    name: "Name",
    value: "Value",
    instead: "Instead of",
    lookups:
      "An SPF record may need at most 10 DNS lookups, and this one needs more: first remove an include that is no longer used.",
    thanks: "Posthorn will find them within an hour. Thank you!",
  },
  means: {
    waiting: "Email from this domain is refused until the DKIM record is found.",
    waitingText:
      "Then it is accepted at once. SPF and DMARC are recommended: they decide where your email lands, not whether it is sent.",
    forced: "This domain was marked as verified without a check of its DNS.",
    forcedText: "Email is sent from it. Publish the records below, so that receivers can check its signature.",
    failing: "The DKIM record is gone.",
    failingText: (until: string) => `Email is still sent until ${until}. Publish the record again before then.`,
    stopped: "Email from this domain waits or fails.",
    stoppedText:
      "The DKIM record has been gone for too long. Sending resumes automatically once the record is found again.",
    service: (name: string) => `${name} has not verified this domain yet.`,
  },
  purposes: { DKIM: "DKIM", SPF: "SPF", DMARC: "DMARC", RETURN_PATH: "Return path", INBOUND: "Inbound" },
  whatFor: {
    DKIM: "Posthorn’s signature. This is the only record required for sending.",
    SPF: "Says which servers may send for you.",
    DMARC: "Says what receivers do with email that only claims to be yours.",
    RETURN_PATH: "Brings bounces back to this server.",
    INBOUND:
      "Routes all email for this domain to this server. Leave it out if people have mailboxes at this domain, or if no email is to arrive here.",
  },
  without: {
    DKIM: "Without it, no email is sent from the domain.",
    SPF: "Without it, more email lands in spam. A name has one SPF record only: add to the one that is there.",
    DMARC: "Without it, large mailbox providers reject email or put it in spam.",
    RETURN_PATH: "Without it, bounces do not arrive, and email keeps going to addresses that do not exist.",
    INBOUND: "Without it, email to the domain does not arrive here; sending works.",
  },
  states: {
    OK: "found",
    WRONG: "wrong",
    MISSING: "not found yet",
    UNKNOWN: "no answer yet",
  },
  optional: "optional",
  type: "Type",
  name: "Name",
  value: "value",
  until: "Needed until",
  orShort: "or, if the provider appends the domain,",
  copyName: "Copy name",
  copyValue: "Copy value",
  change: "You have the first. Change it to the second:",
  merge: (count: number) => `You have ${count} records. Replace them with the last line:`,
  unknown: (name: string) =>
    `The name servers have not answered for ${name} yet. Nothing is wrong with what you typed; new names may take an hour.`,
  oneSpf: "Keep one record only: two SPF records count as none.",
  placeholders: {
    spf: "Replace <…> with what your relay requires; its documentation calls it SPF or sender authentication.",
    host: "The server does not know its own name: set smtp.hostname in its configuration to complete the value.",
  },
  done: "Records that were found",
  foundSince: "found",
  rotate: {
    action: "Replace the DKIM key…",
    title: (domain: string) => `Replace the DKIM key of ${domain}?`,
    text: "A second record appears here. Publish it beside the first. The new key signs once it is found, and you can remove the old record seven days later. No email is delayed.",
    underWay: "The key is being replaced already.",
  },
  remove: {
    action: "Remove the domain…",
    title: (domain: string) => `Remove ${domain}?`,
    text: "It sends nothing more: queued email fails. Its DKIM keys are deleted; if you add it again, it gets new ones.",
  },
};

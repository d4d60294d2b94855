// Suppressions, in English.

export const suppressions = {
  /** The suppression of a person. */
  reason: {
    bounce: "Bounced",
    complaint: "Complained",
    "soft-bounces": "Soft bounces",
    manual: "Suppressed by hand",
    import: "Suppressed by an import",
    erased: "Erased person",
  },
  card: {
    why: {
      bounce: "Marketing email: no, an email bounced permanently",
      complaint: "Marketing email: no, an email was marked as spam",
      "soft-bounces": "Marketing email: no, emails bounced several times in a row",
      manual: "Marketing email: no, somebody suppressed the address",
      import: "Marketing email: no, the address was on an imported list",
      erased: "Marketing email: no, the person was erased",
    },
    /** The cause of a suppression, on the person's page. */
    by: {
      transactional: "Transactional email: no",
      domain: (domain: string) => `Marketing email: no, the domain ${domain} is suppressed`,
      all: (what: string) => `${what} is suppressed for all email`,
      marketing: (what: string) => `${what} is suppressed for marketing email`,
      until: (day: string) => `until ${day}`,
    },
  },
};

// The test email, in English.

export const testMail = {
  title: "Send a test email",
  to: "To",
  toHelp:
    "Try bounced@simulator.test or opened@simulator.test: such emails never leave this server and end the way the address says.",
  from: "From",
  subject: "Subject",
  itWorks: "It works",
  body: '<p>Hello {{ name ?? "there" }}, this is a test email from Posthorn.</p>',
  send: "Send",
  sent: "The email is queued.",
  follow: "Follow it",
  noSender: "No domain of this workspace is verified yet, so it cannot send. Verify one first.",
  toDomains: "To the domains",
};

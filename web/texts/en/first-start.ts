// The steps of a new installation, in English.

export const firstStart = {
  title: "Set up this server",
  owner: "First owner",
  done: "done",
  later: "Later",
  continue: "Continue",
  leave: "To the overview",
  toOverview: "Go to the overview",
  steps: {
    address: {
      name: "Server address",
      title: "The address of this server",
      text: "Links in emails lead there, and browsers keep your session for it.",
    },
    way: {
      name: "Sending route",
      title: "The sending route",
      text: "Posthorn hands email to a relay or to Amazon SES. Until then it keeps all of it here, and nothing can leave by accident.",
    },
    domain: {
      name: "Domain",
      title: "Your sender domain",
      text: "A few DNS records prove that you may send from it. They are looked up while this page is open.",
    },
    next: {
      name: "What is next",
      title: "What is next",
      text: "The overview keeps this list. You find these steps there, too.",
    },
  },
  address: {
    configured: "Configured",
    browser: "This browser",
    same: "That is where you are.",
    differs: "You are at another address. Links in emails lead to the configured one.",
    unset: "Perhaps only this machine can reach it. Email leaves from a server with an address that recipients reach.",
    elsewhere: "It is set there: change it there, and restart the server.",
    label: "Server address",
    help: "With https, as recipients and your team open it.",
    save: "Use this address",
  },
  way: {
    configured: "Configured",
    kind: "How email leaves",
    kinds: {
      smtp: "The server of a provider or of your own. Posthorn connects and logs in before it saves this.",
      ses: "Without a key here, it is taken from the usual place for AWS programs.",
      capture:
        "Email is kept and shown here, and never leaves, not even later. The domain example.test is there to try things out.",
    },
    save: { smtp: "Try and use this relay", ses: "Try and use Amazon SES", capture: "Keep email here" },
    change: "Change the route",
    elsewhere: "It is set there. Change it there, and restart the server.",
    needsAddress: "Links in emails lead to the address of this server. Set it first.",
    toAddress: "To the address",
    more: "OAuth 2.0, Microsoft Graph, a password from a file:",
    guide: "All settings",
  },
  test: {
    title: "A test email",
    needsDomain: "It needs a sender: verify a domain first.",
    toDomain: "To the domain",
    captured: "It went through every step, and is kept here instead of leaving.",
    taken: "The relay accepted it. Check your mailbox.",
  },
  domain: { more: "All about this domain" },
};

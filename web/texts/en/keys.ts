// Keys, in English.

export const keys = {
  what: "A program needs a key to send. Give each program its own, so that you can revoke one without stopping the others.",
  make: "Create a key",
  closed: "Your role does not see keys",
  ask: "Ask an owner, admin or developer for a key.",
  count: (count: number, shown: string) => (count === 1 ? "1 key" : `${shown} keys`),
  inUse: "Keys in use",
  name: "Name",
  nameHelp: "The program that will use it.",
  unnamed: "without a name",
  id: "ID",
  may: "Permissions",
  mayHelp: {
    full: "It can do everything in this workspace.",
    send: "It sends email and tracks events, and sees nothing but its own email.",
    read: "It reads everything, and changes and sends nothing.",
  },
  permissions: { full: "Full access", send: "Sending only", read: "Read only" },
  scope: "Domains",
  scopeHelp:
    "If you select domains, it can only send from these and manage nothing. If you select none, it can use all of them.",
  end: "Expires on",
  endHelp: "From this day on (UTC) its keys are refused. Empty: never.",
  addresses: "Only from these IP addresses",
  addressesHelp: "Addresses or networks, separated by commas. Empty: from anywhere.",
  noAddresses: "Enter IP addresses or networks, such as 203.0.113.7 or 10.0.0.0/8.",
  until: "until",
  from: (addresses: string) => `from ${addresses}`,
  actions: (name: string) => `Actions for ${name}`,
  events: "Events that public keys may track",
  eventsHelp: "Of all key sets of the workspace. Names, separated by commas; if empty, any event.",
  made: "Created",
  used: "Last used",
  unused: "not yet",
  lastOne: "This is the last key that may manage the workspace. Create another one first.",
  empty: {
    title: "Create a first key",
    text: "Programs send with a key. It is shown once, and only its hash is stored.",
  },
  fresh: {
    title: "Your new keys",
    once: "Copy them now.",
    onceText: "Only their hashes are stored: they cannot be shown again.",
    secret: "Secret key: for your server, never in a browser",
    public: "Public key: for forms on web pages; tracks events, cannot send",
    try: "Try it",
    call: "API call",
    subject: "It works",
    body: "<p>Hello from Posthorn.</p>",
    noSender: "Nothing can be sent yet: add your sender domain and publish its DKIM record first.",
    done: "I have copied them",
  },
  change: {
    action: "Edit…",
    title: (name: string) => `Edit “${name}”`,
    confirm: "Save",
  },
  rotate: {
    action: "Replace the secret key…",
    title: (name: string) => `Replace the secret key of “${name}”`,
    text: "You get a new secret key. The public key stays as it is.",
    overlap: "The old one still works",
    overlaps: { "0": "Not at all", "24": "For 24 hours", "72": "For 72 hours" },
    confirm: "Replace",
    once: "Copy it now.",
    done: "I have copied it",
  },
  revoke: {
    action: "Revoke…",
    title: (name: string) => `Revoke “${name}”?`,
    text: "Programs that use these keys are refused from now on, by API and by SMTP. Email that was accepted from them is still sent. This cannot be undone.",
    confirm: "Revoke",
    done: (name: string) => `“${name}” is revoked.`,
  },
  revoked: "Revoked keys",
  revokedOn: "Revoked",
  never: "never",
  scheduled: {
    waiting: (shown: string, count: number) =>
      count === 1
        ? "1 email that was scheduled with this key is still waiting for its time."
        : `${shown} emails that were scheduled with this key are still waiting for their time.`,
    look: "Show them",
    cancelAsWell: "Cancel them as well",
    cancelHelp:
      "Choose this if somebody else may have the key. Otherwise they are sent at their time; you can still cancel them later.",
    campaigns: "These scheduled campaigns were last changed with the key and stay scheduled:",
    show: "Show scheduled email",
    action: "Cancel scheduled email…",
    title: (name: string) => `Cancel the scheduled email of “${name}”?`,
    confirm: "Cancel the emails",
    leave: "Keep them",
    none: "No scheduled email of this key is waiting any more.",
    forGood: "They are never sent then. This cannot be undone.",
    cancelled: (shown: string, count: number) =>
      count === 1 ? "1 scheduled email is cancelled." : `${shown} scheduled emails are cancelled.`,
    left: (shown: string, count: number) =>
      count === 1
        ? "1 was just being sent and could not be cancelled."
        : `${shown} were just being sent and could not be cancelled.`,
  },
};

// Keys, in English.

export const keys = {
  what: "A program needs a key to send. Give each program its own, so that you can revoke one without stopping the others.",
  make: "Create a key",
  closed: "Your role does not see keys",
  ask: "Ask an owner, admin or developer for a key.",
  inUse: "Keys in use",
  name: "Name",
  nameHelp: "The program that will use it.",
  unnamed: "without a name",
  id: "id",
  scope: "Domains",
  scopeHelp:
    "If you select domains, it can only send from these and manage nothing. If you select none, it can do everything in this workspace.",
  allDomains: "all, with full access",
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
    public: "Public key: for forms on web pages; records events, cannot send",
    try: "Try it",
    call: "the call",
    subject: "It works",
    body: "<p>Hello from Posthorn.</p>",
    done: "I have copied them",
  },
  revoke: {
    act: "Revoke…",
    title: (name: string) => `Revoke “${name}”?`,
    text: "Programs that use these keys are refused from now on, by API and by SMTP. Mail that was accepted from them is still sent. This cannot be undone.",
    confirm: "Revoke",
    done: (name: string) => `“${name}” is revoked.`,
  },
};

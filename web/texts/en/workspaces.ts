// All workspaces of this server, in English.

export const workspaces = {
  title: "Workspaces",
  name: "Name",
  created: "Created",
  enabled: "enabled",
  disabled: "disabled since",
  here: "open here",
  open: "Open",
  actions: (name: string) => `Actions for ${name}`,
  make: {
    action: "New workspace",
    title: "New workspace",
    text: "A workspace has its own contacts, email, keys and domains: one for each brand or customer.",
    example: "Second shop",
    submit: "Create",
  },
  made: {
    title: (name: string) => `${name} is ready`,
    open: "Open the workspace",
  },
  rename: { action: "Rename…", title: (name: string) => `Rename ${name}`, submit: "Rename", done: "Renamed." },
  disable: {
    action: "Disable…",
    title: (name: string) => `Disable ${name}?`,
    text: "Its keys and users are refused from now on. Queued email is held until you enable it again. Nothing is deleted.",
    submit: "Disable",
    done: (name: string) => `${name} is disabled.`,
  },
  enable: { action: "Enable", done: (name: string) => `${name} is enabled. Held email is sent now.` },
  deleteText: "A workspace can be deleted only on the server:",
  deleteCommand: "command",
};

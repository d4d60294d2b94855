// All workspaces of this server, in English.

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const workspaces = {
  title: "Workspaces",
  name: "Name",
  created: "Created",
  enabled: "enabled",
  disabled: "disabled since",
  here: "open here",
  open: "Open",
  close: "Close",
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
  export: {
    action: "Export…",
    title: (name: string) => `Export ${name}`,
    text: "One file with everything in it: contacts and their consent, templates, campaigns, workflows, email. Keep it as safe as a backup, for it is not encrypted. Secrets stay here.",
    enabled:
      "This workspace is enabled and goes on working. To move it, disable it first: otherwise both would send what waits.",
    disabled: "This workspace is disabled, so the file can move it. Delete it here once it works elsewhere.",
    since: "Events and email since",
    sinceHelp: "Empty takes all of them. Email of campaigns always goes along, and so does everything else.",
    submit: "Download",
    done: "The download has begun.",
  },
  import: {
    action: "Import",
    title: "Import a workspace",
    text: "It comes in as a whole or not at all, and disabled: nothing is sent until you enable it.",
    file: "File",
    fileHelp: "Written by an export of Posthorn, here or elsewhere.",
    missing: "Choose a file.",
    tooLarge: (size: string, limit: string, command: string) =>
      `The file has ${size}, and at most ${limit} can be uploaded (limits.import_bytes). Import it on the server: ${command}`,
    newName: "Name here",
    nameHelp: "Empty keeps the name that it has.",
    submit: "Import",
    stop: "Stop",
    sending: (percent: string) => `${percent} sent`,
    taking:
      "All of it has been sent. A large workspace takes minutes to come in. You can close this: it appears in the list once it is whole.",
    broken:
      "The connection broke. If all of the file had been sent, the workspace may still come in: look at the list in some minutes.",
  },
  arrived: {
    title: (name: string) => `${name} is here, disabled`,
    tables: {
      contacts: "Contacts",
      suppressions: "Suppressions",
      segments: "Segments",
      templates: "Templates",
      campaigns: "Campaigns",
      workflows: "Workflows",
      forms: "Forms",
      emails: "Emails",
      events: "Events",
    },
    held: (emails: number, executions: number, shown: { readonly emails: string; readonly executions: string }) =>
      `${shown.emails} queued ${some(emails, "email", "emails")} and ${shown.executions} ${some(executions, "execution of a workflow", "executions of workflows")} wait until you enable it. Then they go on.`,
    nothingHeld: "Nothing in it waits to be sent.",
    hashes: (count: number, shown: string) =>
      `${shown} ${some(count, "erased person is", "erased people are")} recognized only by a server with the key of the one they were erased on.`,
    next: "It has no keys and no members yet. Verify its domains before you enable it, or what waits fails. On the server:",
    domains: "command",
  },
  deleteText: "A workspace can be deleted only on the server:",
  deleteCommand: "command",
};

// Permissions of people: those that routes name, and the roles that have them.

/** Each permission with its description, for readers of /docs. */
export const PERMISSIONS = {
  read: "see everything in the workspace except secrets",
  "mail.send": "send emails and cancel queued ones",
  "people.write":
    "add and change contacts, suppress addresses, record events, and download the proof of consent of one contact",
  "people.bulk": "import and export contacts and suppressions, erase contacts, and change many at once",
  "templates.write": "write templates, and send test copies to members",
  "campaigns.write": "write segments, topics, forms and campaigns, and send test copies to members",
  "campaigns.send": "send, pause, resume and cancel campaigns, and set the postal address below them",
  "workflows.write": "write and enable workflows",
  "workflows.run": "start and cancel executions, and try their steps again",
  domains: "add, check and remove sender domains",
  keys: "create and revoke keys, and see the webhook secret",
  workspace: "change settings of the workspace, its members and invitations, and see its audit log",
  installation: "manage users, owners, workspaces and sending routes, and see this server",
} as const;

export type Permission = keyof typeof PERMISSIONS;

const EDITOR = ["read", "templates.write", "campaigns.write"] as const;
const SUPPORT = ["read", "mail.send", "people.write"] as const;
const WORKFLOWS = ["workflows.write", "workflows.run"] as const;
const MARKETER = [...EDITOR, ...SUPPORT, ...WORKFLOWS, "people.bulk", "campaigns.send"] as const;
const DEVELOPER = [...SUPPORT, ...WORKFLOWS, "templates.write", "domains", "keys"] as const;
const ADMIN = [...MARKETER, ...DEVELOPER, "workspace"] as const;

/** The permissions of roles. An owner has all of them in every workspace; the other roles belong to one. */
export const ROLES = {
  OWNER: new Set<Permission>([...ADMIN, "installation"]),
  ADMIN: new Set<Permission>(ADMIN),
  DEVELOPER: new Set<Permission>(DEVELOPER),
  MARKETER: new Set<Permission>(MARKETER),
  EDITOR: new Set<Permission>(EDITOR),
  SUPPORT: new Set<Permission>(SUPPORT),
} as const satisfies Readonly<Record<string, ReadonlySet<Permission>>>;

export type Role = keyof typeof ROLES;

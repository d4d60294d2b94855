// The permissions of each role. A test compares them with the server's.
export const ROLES = ["OWNER", "ADMIN", "DEVELOPER", "MARKETER", "EDITOR", "SUPPORT"] as const;
export type TeamRole = (typeof ROLES)[number];

/** From the most common to the rarest permission. */
export const PERMISSIONS_BY_ROLE = {
  read: ROLES,
  "mail.send": ["OWNER", "ADMIN", "DEVELOPER", "MARKETER", "SUPPORT"],
  "people.write": ["OWNER", "ADMIN", "DEVELOPER", "MARKETER", "SUPPORT"],
  "templates.write": ["OWNER", "ADMIN", "DEVELOPER", "MARKETER", "EDITOR"],
  "campaigns.write": ["OWNER", "ADMIN", "MARKETER", "EDITOR"],
  "workflows.write": ["OWNER", "ADMIN", "DEVELOPER", "MARKETER"],
  "workflows.run": ["OWNER", "ADMIN", "DEVELOPER", "MARKETER"],
  "people.bulk": ["OWNER", "ADMIN", "MARKETER"],
  "campaigns.send": ["OWNER", "ADMIN", "MARKETER"],
  domains: ["OWNER", "ADMIN", "DEVELOPER"],
  keys: ["OWNER", "ADMIN", "DEVELOPER"],
  workspace: ["OWNER", "ADMIN"],
  installation: ["OWNER"],
} as const satisfies Readonly<Record<string, readonly TeamRole[]>>;

export const PERMISSIONS = Object.keys(PERMISSIONS_BY_ROLE) as readonly (keyof typeof PERMISSIONS_BY_ROLE)[];

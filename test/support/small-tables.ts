// Tables that a statement may read as a whole, with the reason.

/** However many mails and contacts there are, these have few rows. */
export const SMALL: Readonly<Record<string, string>> = {
  installation: "has one row",
  workspaces: "has a row a customer of the server",
  users: "has a row a colleague",
  memberships: "has a row a colleague and workspace",
  invitations: "has a row an invitation, for seven days",
  key_sets: "has a row a key",
  backups: "has a row a backup, for a year",
  turns: "has a row a workspace and queue",
  domains: "has a row a sender domain",
  segments: "has at most 200 a workspace",
  workflows: "has at most 200 a workspace",
  contact_jobs: "has a row an import or bulk change, for a month",
  contact_counts: "has two rows a workspace",
  mail_facts: "has what is counted within two seconds",
  way_rules: "has a row a rule that there is or was",
  hops: "has a row a mail server that emails were handed to",
  ways: "has at most ten, and a row a paused one",
  troubles: "has a row a thing that is wrong now",
  link_hosts: "has at most six rows a workspace",
  watch_looks: "has four rows",
  brakes: "has a row a workspace and mailbox provider that asks for less mail",
  warmups: "has a row a sender domain and way out",
  streams: "has a row a sender domain and mailbox provider for which mail waits",
  segments_to_empty: "has a row a segment that is being deleted",
};

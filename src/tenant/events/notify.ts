// News for open pages: that something in a workspace has changed, and in which topic, but never what. They are sent as
// signals.
import type { Tx } from "../../store/store.ts";

export const TOPICS = [
  "mails",
  "contacts",
  "segments",
  "topics",
  "forms",
  "templates",
  "campaigns",
  "workflows",
  "events",
  "webhooks",
  "domains",
  "keys",
  "workspace",
  "team",
] as const;
export type NewsChannel = (typeof TOPICS)[number];

export function isTopic(name: string): name is NewsChannel {
  return (TOPICS as readonly string[]).includes(name);
}

/** Sent once the change is durable. */
export function notifyChange(tx: Tx, topic: NewsChannel, workspace: number): void {
  tx.signal(`news ${topic} ${workspace}`);
}

export type ChannelNews = { readonly topic: NewsChannel; readonly workspace: number };

/** The news in a signal; null for signals to loops. */
export function newsOf(signal: string): ChannelNews | null {
  const [kind, topic = "", workspace] = signal.split(" ");
  return kind === "news" && isTopic(topic) ? { topic, workspace: Number(workspace) } : null;
}

const OF_PATH: Readonly<Record<string, NewsChannel>> = {
  emails: "mails",
  members: "team",
  invitations: "team",
  suppressions: "contacts",
};

/** The topic that a call changes: `/templates/:id` changes templates. */
export function notifyChangeAt(tx: Tx, path: string, workspace: number): void {
  const place = path.split("/")[1] ?? "";
  const topic = OF_PATH[place] ?? place;
  if (isTopic(topic)) notifyChange(tx, topic, workspace);
}

/** The topics that an event changes: `email.sent` mails, `segment.entry` segments; each the events. */
export function tellEvent(tx: Tx, name: string, workspace: number): void {
  notifyChange(tx, "events", workspace);
  const [kind] = name.split(".", 1);
  if (kind === "email") notifyChange(tx, "mails", workspace);
  else if (kind === "contact" || kind === "topic") notifyChange(tx, "contacts", workspace);
  else if (kind === "segment") notifyChange(tx, "segments", workspace);
}

// News for open pages: that something in a workspace has changed, and in which channel, but never what. They are sent
// as signals.
import type { Tx } from "../../store/store.ts";

export const CHANNELS = [
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
export type NewsChannel = (typeof CHANNELS)[number];

export function isChannel(name: string): name is NewsChannel {
  return (CHANNELS as readonly string[]).includes(name);
}

/** Sent once the change is durable. */
export function notifyChange(tx: Tx, channel: NewsChannel, workspace: number): void {
  tx.signal(`news ${channel} ${workspace}`);
}

export type ChannelNews = { readonly channel: NewsChannel; readonly workspace: number };

/** The news in a signal; null for signals to loops. */
export function newsOf(signal: string): ChannelNews | null {
  const [kind, channel = "", workspace] = signal.split(" ");
  return kind === "news" && isChannel(channel) ? { channel, workspace: Number(workspace) } : null;
}

const OF_PATH: Readonly<Record<string, NewsChannel>> = {
  emails: "mails",
  members: "team",
  invitations: "team",
  suppressions: "contacts",
};

/** The channel that a call changes: `/templates/:id` changes templates. */
export function notifyChangeAt(tx: Tx, path: string, workspace: number): void {
  const place = path.split("/")[1] ?? "";
  const channel = OF_PATH[place] ?? place;
  if (isChannel(channel)) notifyChange(tx, channel, workspace);
}

// Change notices from the server: they name the changed channel, not the record. The tabs of a browser share one
// connection.
import { useEffect } from "react";
import { isAnswering } from "../base/connection.ts";
import { queries } from "./queries.ts";
import { signal } from "../base/signal.ts";

/** Queries whose key starts with the channel are refetched. */
export const CHANNELS = [
  ...(["mails", "contacts", "segments", "topics", "forms", "templates", "campaigns", "workflows", "events"] as const),
  ...(["webhooks", "domains", "keys", "workspace", "team"] as const),
] as const;
export type LiveChannel = (typeof CHANNELS)[number];

/** A message between tabs: a changed channel, the connection's state, or the question for it. `opened`: just now. */
type Notice = LiveChannel | "opened" | "up" | "down" | "is it up?";

/** True while the connection is up. */
export const isLive = signal(false);

const RECONNECT_MS = 5_000;
let wasUp = false;

/** Query keys that depend on several channels. */
export const OVERVIEW = "overview";
export const FIELDS = "contact fields";

/** Refetched after a notice of these channels, but not after each one: mails and contacts change all day. */
const DERIVED: Readonly<Record<string, readonly LiveChannel[]>> = {
  [OVERVIEW]: ["mails", "campaigns", "webhooks", "domains", "workspace", "team", "contacts"],
  [FIELDS]: ["contacts"],
};
const REST_MS = 5_000;
/** Keys that were refetched less than 5 s ago; true = refetch again. */
const resting = new Map<string, boolean>();

function derive(key: string): void {
  if (resting.has(key)) return void resting.set(key, true);
  const isFresh = Date.now() - (queries.getQueryState([key])?.dataUpdatedAt ?? 0) < REST_MS;
  if (!isFresh) void queries.invalidateQueries({ queryKey: [key] });
  resting.set(key, isFresh);
  setTimeout(() => {
    const isDue = resting.get(key) === true;
    resting.delete(key);
    if (isDue) void queries.invalidateQueries({ queryKey: [key] });
  }, REST_MS);
}

function invalidate(notice: Notice): void {
  if (notice === "is it up?") return;
  isLive.set(notice !== "down");
  if (notice === "opened") return catchUp();
  if (notice === "up") wasUp = true;
  if (notice === "up" || notice === "down") return;
  void queries.invalidateQueries({ queryKey: [notice] });
  for (const [key, channels] of Object.entries(DERIVED)) if (channels.includes(notice)) derive(key);
}

/** Refetches all: changes during a lost connection are not sent again. */
function catchUp(): void {
  for (const channel of CHANNELS) void queries.invalidateQueries({ queryKey: [channel] });
  // On the first connection, these keys were fetched just before.
  if (wasUp) {
    Object.keys(DERIVED).forEach(derive);
    // A server that is back may have a new version.
    void isAnswering();
  }
  wasUp = true;
}

/** Listens for all tabs until aborted. */
async function listen(workspace: string, tell: (notice: Notice) => void, stop: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ channels: CHANNELS.join(","), workspace });
  while (!stop.aborted) {
    await connection(`/app/-/live?${query}`, tell, stop);
    tell("down");
    await pause(RECONNECT_MS, stop);
  }
}

/** Resolves when the connection is lost. */
function connection(address: string, tell: (notice: Notice) => void, stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const source = new EventSource(address);
  const end = () => (source.close(), resolve());
  source.onopen = () => tell("opened");
  source.onmessage = ({ data }) => tell((JSON.parse(data as string) as { channel: LiveChannel }).channel);
  source.onerror = end;
  stop.addEventListener("abort", end);
  return promise;
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  stop.addEventListener("abort", () => (clearTimeout(timer), resolve()));
  return promise;
}

/** The tab that holds the lock listens for all; without locks (plain HTTP) each tab does. */
function share(workspace: string, stop: AbortSignal): void {
  const name = `posthorn live ${workspace}`;
  const channel = new BroadcastChannel(name);
  let isUp = false;
  channel.onmessage = ({ data }) => {
    if (data === "is it up?" && isUp) channel.postMessage("up");
    invalidate(data as Notice);
  };
  stop.addEventListener("abort", () => channel.close());
  const tell = (notice: Notice) => {
    if (stop.aborted) return;
    isUp = notice !== "down";
    invalidate(notice);
    channel.postMessage(notice);
  };
  channel.postMessage("is it up?" satisfies Notice);
  const work = () => listen(workspace, tell, stop);
  if (!("locks" in navigator)) return void work();
  navigator.locks.request(name, { signal: stop }, work).catch(() => undefined);
}

/** Refetches the queries of the page after changes, while mounted. */
export function useLive(workspace: string | undefined): void {
  useEffect(() => {
    if (workspace === undefined) return;
    const stop = new AbortController();
    share(workspace, stop.signal);
    return () => stop.abort();
  }, [workspace]);
}

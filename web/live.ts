// News from the server: that something of a topic has changed, never what. One connection a browser, shared by its
// tabs.
import { useEffect } from "react";
import { queries } from "./queries.ts";
import { signal } from "./signal.ts";

/** What one can hear of; queries whose key begins with it are asked again. */
export const TOPICS = [
  ...(["mails", "contacts", "segments", "templates", "campaigns", "workflows", "events"] as const),
  ...(["webhooks", "domains", "keys", "workspace", "team"] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

/** Between tabs: a topic that has changed, that news can come or no longer can, or the question whether they can. */
type Notice = Topic | "up" | "down" | "is it up?";

/** Whether news can come. */
export const isLive = signal(false);

const AGAIN_MS = 5_000;

function heard(notice: Notice): void {
  if (notice === "is it up?") return;
  isLive.set(notice !== "down");
  if (notice !== "up" && notice !== "down") void queries.invalidateQueries({ queryKey: [notice] });
}

/** Listens on behalf of all tabs, until the signal says stop. */
async function listen(workspace: string, tell: (notice: Notice) => void, stop: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ topics: TOPICS.join(","), workspace });
  while (!stop.aborted) {
    await connection(`/app/-/live?${query}`, tell, stop);
    tell("down");
    await pause(AGAIN_MS, stop);
  }
}

/** Until the connection is lost. */
function connection(address: string, tell: (notice: Notice) => void, stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const source = new EventSource(address);
  const end = () => (source.close(), resolve());
  source.onopen = () => {
    tell("up");
    // What happened while nobody listened is not told again.
    TOPICS.forEach(tell);
  };
  source.onmessage = ({ data }) => tell((JSON.parse(data as string) as { topic: Topic }).topic);
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

/** Of the tabs on one workspace, the one that holds the lock listens; without locks (plain HTTP) each does. */
function share(workspace: string, stop: AbortSignal): void {
  const name = `posthorn live ${workspace}`;
  const channel = new BroadcastChannel(name);
  let isUp = false;
  channel.onmessage = ({ data }) => {
    if (data === "is it up?" && isUp) channel.postMessage("up");
    heard(data as Notice);
  };
  stop.addEventListener("abort", () => channel.close());
  const tell = (notice: Notice) => {
    if (stop.aborted) return;
    isUp = notice !== "down";
    heard(notice);
    channel.postMessage(notice);
  };
  channel.postMessage("is it up?" satisfies Notice);
  const work = () => listen(workspace, tell, stop);
  if (!("locks" in navigator)) return void work();
  navigator.locks.request(name, { signal: stop }, work).catch(() => undefined);
}

/** Keeps what is on the screen up to date. */
export function useLive(workspace: string | undefined): void {
  useEffect(() => {
    if (workspace === undefined) return;
    const stop = new AbortController();
    share(workspace, stop.signal);
    return () => stop.abort();
  }, [workspace]);
}

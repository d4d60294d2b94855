// News from the server: that something of a topic has changed, never what. One connection a browser, shared by its tabs.
import { useEffect } from "react";
import { calledWorkspace } from "./api.ts";
import { queries } from "./queries.ts";
import { signal } from "./signal.ts";

/** What one can hear of; queries whose key begins with it are asked again. */
export const TOPICS = [
  ...(["mails", "contacts", "segments", "templates", "campaigns", "workflows"] as const),
  ...(["webhooks", "domains", "keys", "workspace", "team"] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

type News = { readonly workspace: string | null; readonly topic: Topic | "up" | "down" };

/** Whether news can come. */
export const isLive = signal(false);

const AGAIN_MS = 5_000;

function heard({ workspace, topic }: News): void {
  if (topic === "up" || topic === "down") return isLive.set(topic === "up");
  isLive.set(true);
  if (workspace === calledWorkspace.get()) void queries.invalidateQueries({ queryKey: [topic] });
}

/** Listens on behalf of all tabs, until the signal says stop. */
async function listen(workspace: string, tell: (news: News) => void, stop: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ topics: TOPICS.join(","), workspace });
  while (!stop.aborted) {
    await connection(`/app/-/live?${query}`, (topic) => tell({ workspace, topic }), stop);
    tell({ workspace, topic: "down" });
    await pause(AGAIN_MS, stop);
  }
}

/** Until the connection is lost. */
function connection(address: string, tell: (topic: News["topic"]) => void, stop: AbortSignal): Promise<void> {
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
  const channel = new BroadcastChannel("posthorn live");
  channel.onmessage = ({ data }) => heard(data as News);
  stop.addEventListener("abort", () => channel.close());
  const tell = (news: News) => {
    if (stop.aborted) return;
    heard(news);
    channel.postMessage(news);
  };
  const work = () => listen(workspace, tell, stop);
  if (!("locks" in navigator)) return void work();
  navigator.locks.request(`posthorn live ${workspace}`, { signal: stop }, work).catch(() => undefined);
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

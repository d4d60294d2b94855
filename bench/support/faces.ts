// Open faces, each somebody's browser on the list of mails: a stream of news, and what the page asks for whenever mails have changed.
import { answerTasks } from "./child.ts";
import { latencies } from "./statistics.ts";

export type FacesTask =
  | { readonly kind: "enter"; readonly url: string; readonly link: string; readonly faces: number }
  | { readonly kind: "open" | "close" };

export type FacesResult = { readonly refreshes: number; readonly p99Ms: number };

const OWNER = { name: "Eva Moser", email: "eva@example.test", password: "brass horn on warm paper" };
/** What the screen of mails asks again when mails have changed. */
const SHOWN = ["/emails?limit=50", "/queue"];

class Face {
  readonly tookMs: number[] = [];
  fault: unknown = null;
  #stop = new AbortController();

  constructor(
    readonly url: string,
    readonly headers: Record<string, string>,
  ) {}

  /** Resolves when the stream has begun. */
  async open(): Promise<void> {
    this.tookMs.length = 0;
    this.#stop = new AbortController();
    const address = `${this.url}/app/-/live?topics=mails`;
    const reply = await fetch(address, { headers: this.headers, signal: this.#stop.signal });
    if (!reply.ok || !reply.body) throw new Error(`${reply.status} for news: ${await reply.text()}`);
    void this.#follow(reply.body).catch((error) => {
      if (!this.#stop.signal.aborted) this.fault = error;
    });
  }

  close(): void {
    this.#stop.abort();
  }

  /** As the page does: of news that come while it asks, one more question follows. */
  async #follow(news: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of news as unknown as AsyncIterable<Uint8Array>)
      if (new TextDecoder().decode(chunk).includes("data:")) await this.#refresh();
  }

  async #refresh(): Promise<void> {
    await Promise.all(
      SHOWN.map(async (path) => {
        const askedMs = performance.now();
        const reply = await fetch(this.url + path, { headers: this.headers, signal: this.#stop.signal });
        const text = await reply.text();
        if (!reply.ok) throw new Error(`${reply.status} for ${path}: ${text}`);
        this.tookMs.push(performance.now() - askedMs);
      }),
    );
  }
}

let faces: Face[] = [];

async function enter(url: string, token: string, count: number): Promise<void> {
  const from = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const call = async (path: string, body: object) => {
    const reply = await fetch(url + path, { method: "POST", headers: from, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${reply.status} for ${path}: ${await reply.text()}`);
    const [cookie = ""] = (reply.headers.get("set-cookie") ?? "").split(";");
    const me = (await reply.json()) as { workspaces: { id: string }[] };
    return { ...from, cookie, "x-workspace": me.workspaces[0]?.id ?? "" };
  };
  await call("/links/accept", { token, ...OWNER });
  for (let n = 0; n < count; n++) faces.push(new Face(url, await call("/session", OWNER)));
}

/** @throws the fault of a face that could not go on: such a run is void */
function result(): FacesResult {
  for (const { fault } of faces) if (fault) throw fault;
  const tookMs = faces.flatMap((face) => face.tookMs);
  return { refreshes: tookMs.length / SHOWN.length, p99Ms: latencies(tookMs).p99 };
}

answerTasks(async (task: FacesTask) => {
  if (task.kind === "enter") return enter(task.url, task.link, task.faces);
  if (task.kind === "open") return Promise.all(faces.map((face) => face.open())).then(() => null);
  faces.forEach((face) => face.close());
  return result();
});

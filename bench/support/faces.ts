// Open faces, each somebody's browser on the list of mails: a stream of news, and what the page asks for whenever mails
// have changed.
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

const faces: Face[] = [];

type Headers = Readonly<Record<string, string>>;

/** A person may have ten streams, so the faces are those of several. */
const FACES_OF_ONE = 10;
const FROM_OUR_PAGE: Headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

async function call(address: string, body: object, headers = FROM_OUR_PAGE) {
  const reply = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${reply.status} for ${address}: ${await reply.text()}`);
  const [cookie = ""] = (reply.headers.get("set-cookie") ?? "").split(";");
  return { cookie, answer: (await reply.json()) as { workspaces?: { id: string }[]; link?: string } };
}

async function enter(url: string, token: string, count: number): Promise<void> {
  const { cookie, answer } = await call(`${url}/links/accept`, { token, ...OWNER });
  const owner = { ...FROM_OUR_PAGE, cookie, "x-workspace": answer.workspaces?.[0]?.id ?? "" };
  for (let n = 0; n < count; n += FACES_OF_ONE) {
    const headers = n === 0 ? owner : await invited(url, owner, n);
    faces.push(...Array.from({ length: Math.min(FACES_OF_ONE, count - n) }, () => new Face(url, headers)));
  }
}

async function invited(url: string, owner: Headers, n: number): Promise<Headers> {
  const invitation = { email: `face.${n}@example.test`, role: "SUPPORT", mail: false };
  const token = (await call(`${url}/invitations`, invitation, owner)).answer.link?.split("#")[1] ?? "";
  const entry = { token, name: "Support", password: OWNER.password };
  return { ...owner, cookie: (await call(`${url}/links/accept`, entry)).cookie };
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

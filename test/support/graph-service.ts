// A stand-in for Microsoft Graph: one mailbox with folders, as the documentation describes what is asked of it here.

type Kept = { readonly number: number; readonly id: string; readonly raw: Buffer; readonly at: string; folder: string };

export class GraphService implements AsyncDisposable {
  /** Method and path of each request, below the mailbox. */
  readonly asked: string[] = [];
  /** The raw messages that were sent. */
  readonly sent: Buffer[] = [];
  readonly folders = new Map([["inbox", "Inbox"]]);
  /** The access token that it takes; null = any. */
  token: string | null = null;
  /** Answers in its place; null = as usual. */
  instead: (request: string) => Response | Promise<Response> | null = () => null;
  /** How many changes a page has. */
  pageSize = 10;
  #messages: Kept[] = [];
  #delivered = 0;
  readonly #server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.#answer(request) });

  get url(): string {
    return this.#server.url.origin;
  }

  deliver(text: string, at = "2026-03-01T09:01:00Z", folder = "inbox"): void {
    const raw = Buffer.from(text.replace(/\r?\n/g, "\r\n"));
    const number = ++this.#delivered;
    this.#messages.push({ number, id: `m${number}=`, raw, at, folder });
  }

  subjects(folder = "Inbox"): string[] {
    const there = this.#messages.filter((one) => this.folders.get(one.folder) === folder);
    return there.map(({ raw }) => /^Subject: (.*)$/m.exec(raw.toString())?.[1]?.trim() ?? "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = decodeURIComponent(url.pathname).replace(/^\/v1\.0\/users\/[^/]+/, "");
    const what = `${request.method} ${path}`;
    this.asked.push(what);
    const instead = this.instead(what);
    if (instead !== null) return instead;
    const given = request.headers.get("authorization")?.replace("Bearer ", "");
    if (this.token !== null && given !== this.token) return challenged();
    if (path === "/sendMail") return this.#send(Buffer.from(await request.text(), "base64"));
    if (path === "/mailFolders/inbox") return Response.json({ id: "inbox" });
    if (path === "/mailFolders") return this.#folder(request, url);
    if (path.endsWith("/delta")) return this.#changes(url);
    const [, id = "", rest = ""] = /^\/messages\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const message = this.#messages.find((one) => one.id === id);
    if (!message) return refusedByGraph(404, "ErrorItemNotFound", "The specified object was not found in the store.");
    if (rest === "/$value") return new Response(new Uint8Array(message.raw));
    if (request.method === "DELETE") this.#messages = this.#messages.filter((one) => one !== message);
    else message.folder = ((await request.json()) as { destinationId: string }).destinationId;
    return new Response(null, { status: request.method === "DELETE" ? 204 : 201 });
  }

  #send(raw: Buffer): Response {
    this.sent.push(raw);
    return new Response(null, { status: 202 });
  }

  async #folder(request: Request, url: URL): Promise<Response> {
    if (request.method === "POST") {
      const { displayName } = (await request.json()) as { displayName: string };
      const id = `folder-${this.folders.size}`;
      this.folders.set(id, displayName);
      return Response.json({ id }, { status: 201 });
    }
    const name = /displayName eq '(.*)'$/.exec(url.searchParams.get("$filter") ?? "")?.[1];
    return Response.json({ value: [...this.folders].filter(([, one]) => one === name).map(([id]) => ({ id })) });
  }

  /** By the number of the message that the last page has ended with. */
  #changes(url: URL): Response {
    const since = /receivedDateTime gt (\S+)/.exec(url.searchParams.get("$filter") ?? "")?.[1] ?? "";
    const from = Number(url.searchParams.get("$deltatoken") ?? url.searchParams.get("$skiptoken") ?? 0);
    const all = this.#messages.filter(({ number, folder, at }) => number > from && folder === "inbox" && at > since);
    const page = all.slice(0, this.pageSize);
    const hasMore = all.length > page.length;
    const to = hasMore ? page.at(-1)?.number : this.#delivered;
    const link = `${this.url}${url.pathname}?${hasMore ? "$skiptoken" : "$deltatoken"}=${to}`;
    const value = page.map(({ id, at: receivedDateTime }) => ({ id, receivedDateTime }));
    return Response.json({ value, [hasMore ? "@odata.nextLink" : "@odata.deltaLink"]: link });
  }
}

/** As Graph refuses. */
export function refusedByGraph(status: number, code: string, message: string, headers = {}): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}

/** As Graph asks for another token (continuous access evaluation). */
export function challenged(): Response {
  const words =
    'Bearer realm="", authorization_uri="https://login.example/authorize", error="insufficient_claims", claims="eyJ9"';
  const headers = { "www-authenticate": words };
  return refusedByGraph(
    401,
    "InvalidAuthenticationToken",
    "Continuous access evaluation resulted in challenge.",
    headers,
  );
}

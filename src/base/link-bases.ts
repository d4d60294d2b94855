// Where links in mails lead: the host of this installation, or a workspace's own host. In memory, since each mail and
// each request needs it; the hosts room keeps it as the store has it (src/operator/hosts).

/** A host that leads here and belongs to one workspace. `isUsed`: new links name it. */
export type LinkHost = {
  readonly host: string;
  readonly workspace: number;
  readonly workspaceId: string;
  readonly isUsed: boolean;
};

/** Paths for recipients and their mail programs; a host of a workspace serves nothing else. */
const FOR_RECIPIENTS = /^\/(?:unsubscribe|subscribe|manage|o|c|f|i)\/./;
/** The path by which a host shows that it leads to this installation. */
export const HOST_PROOF = "/.well-known/posthorn-host/";

/** A port, and the dot at the end of a complete name. */
const PORT = /\.?(?::\d+)?$/;

const PORT_OF_ORIGIN = /:\d+$/;

export class LinkBases {
  readonly #own: () => string;
  #hosts: ReadonlyMap<string, LinkHost> = new Map();
  /** The host that new links name, by workspace. */
  #used: ReadonlyMap<number, string> = new Map();

  /** `own`: scheme, host and port of the installation, asked each time. */
  constructor(own: () => string) {
    this.#own = own;
  }

  get own(): string {
    return this.#own();
  }

  get hosts(): readonly LinkHost[] {
    return [...this.#hosts.values()];
  }

  replace(hosts: readonly LinkHost[]): void {
    this.#hosts = new Map(hosts.map((one) => [one.host, one]));
    this.#used = new Map(hosts.filter(({ isUsed }) => isUsed).map((one) => [one.workspace, one.host]));
  }

  /** The base of a workspace's links, without a slash at the end. */
  of(workspace: number): string {
    const host = this.#used.get(workspace);
    return host === undefined ? this.own : this.at(host);
  }

  hostOf(workspace: number): string {
    return new URL(this.of(workspace)).host;
  }

  /**
   * The base of links at that host: the scheme and the port are the installation's. Each mail asks, so no URL is read.
   */
  at(host: string): string {
    const { own } = this;
    return `${own.slice(0, own.indexOf("//"))}//${host}${PORT_OF_ORIGIN.exec(own)?.[0] ?? ""}`;
  }

  /** The entry of the host; null = it belongs to no workspace, and serves everything. */
  named(host: string | null): LinkHost | null {
    if (this.#hosts.size === 0 || host === null) return null;
    const found = this.#hosts.get(host.toLowerCase().replace(PORT, ""));
    // Owners may have moved the installation to this host a moment ago.
    return found === undefined || this.at(found.host) === this.own ? null : found;
  }

  requestHost({ headers }: Request): LinkHost | null {
    return this.#hosts.size === 0 ? null : this.named(headers.get("host"));
  }

  /** Whether the host of the request serves things of that workspace. */
  admits(request: Request, workspace: number): boolean {
    const host = this.requestHost(request);
    return host === null || host.workspace === workspace;
  }

  /** Whether the host of the request serves its path, before the owner of the thing there is looked up. */
  isServed(request: Request): boolean {
    if (this.requestHost(request) === null) return true;
    const path = request.url.slice(request.url.indexOf("/", "https://".length));
    return FOR_RECIPIENTS.test(path) || path.startsWith(HOST_PROOF);
  }

  /** A text with the addresses of our pictures and forms moved to the host of the workspace. */
  moved(workspace: number, text: string): string {
    const base = this.of(workspace);
    return base === this.own ? text : moved(text, { from: this.own, to: base });
  }
}

export type LinkBaseMove = { readonly from: string; readonly to: string };

export function moved(text: string, { from, to }: LinkBaseMove): string {
  return text.includes(from) ? text.replaceAll(`${from}/i/`, `${to}/i/`).replaceAll(`${from}/f/`, `${to}/f/`) : text;
}

// The real server in process, with a still clock, a transport that records, and loops that run when told to.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import type { SettingOrigins } from "../../src/base/config/settings.ts";
import type { Resolver } from "../../src/base/dns.ts";
import type { FetchText } from "../../src/http/fetch-text.ts";
import { createLog, type Log } from "../../src/base/log.ts";
import { loadSecrets, type Secrets } from "../../src/base/secrets.ts";
import { startServer, type Server } from "../../src/whole/server.ts";
import type { Store } from "../../src/store/store.ts";
import type { AskForCertificate } from "../../src/operator/watch/certificates.ts";
import type { LookUp } from "../../src/programs/webhooks/sending/target.ts";
import { TestClock } from "./clock.ts";
import { freshDatabase, freshFile, giveBack } from "./database.ts";
import { expectCatalogued } from "./catalogued.ts";
import { expectAllCounted, expectTrueCounts } from "./counts.ts";
import { expectTrueLedger } from "./ledger.ts";
import { expectDocumented } from "./documented.ts";
import { TableResolver } from "./resolver.ts";
import { RecordingTransport } from "./transport.ts";
import { expectTurnsInTime } from "./turns.ts";
import { addFirstWorkspace } from "./workspaces.ts";

type Lists = "ways" | "oidc" | "bounceMailboxes";
export type Changes = { readonly [Section in Exclude<keyof Config, Lists>]?: Partial<Config[Section]> } & {
  readonly [List in Lists]?: Config[List];
};

/** An answer's body, taken apart by the test that knows its shape. */
export type Json = ReturnType<typeof JSON.parse>;

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
};

export type EventSeen = {
  readonly name: string;
  readonly contact: string | null;
  readonly data: Record<string, unknown>;
};

export class Posthorn implements AsyncDisposable {
  /** The test has written mails by SQL, and nobody has counted those. */
  mailsAreMadeUp = false;

  constructor(
    readonly server: Server,
    readonly clock: TestClock,
    readonly transport: RecordingTransport,
    readonly secrets: Secrets,
    readonly keys: { readonly secret: string; readonly public: string },
    readonly logLines: string[],
    readonly dataDir: string,
    private readonly keepData: boolean,
  ) {}

  get store(): Store {
    return this.server.store;
  }

  /** As in the configuration; null = the file in the data directory. */
  get databaseUrl(): string | null {
    return databases.get(this.dataDir)?.url ?? null;
  }

  /** `call("POST /v1/send", {…})` with the first workspace's secret key. */
  async call(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const [method = "GET", path = "/"] = route.split(" ");
    const response = await fetch(this.server.url + path, {
      method,
      headers: { authorization: `Bearer ${this.keys.secret}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("application/json");
    const reply = { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
    await expectDocumented(this.server.url, method, path, reply);
    return reply;
  }

  /** Runs every loop until nothing is due. */
  settle(): Promise<void> {
    return this.server.settle();
  }

  /** All events so far, in order. */
  async events(): Promise<EventSeen[]> {
    const rows = await this.store.read(
      (reader) => reader.all<{ name: string; contact: string | null; data: string }>`
        select e.name, c.email as contact, json(e.data) as data from events e left join contacts c on c.seq = e.contact order by e.seq`,
    );
    return rows.map(({ name, contact, data }) => ({ name, contact, data: JSON.parse(data) }));
  }

  async eventNames(): Promise<string[]> {
    return (await this.events()).map((event) => event.name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.expectSound();
    await this.end();
  }

  /** What holds in each store, whatever has happened in it. */
  async expectSound(): Promise<void> {
    await expectTrueCounts(this.store);
    await expectTrueLedger(this.store);
    if (!this.mailsAreMadeUp) await expectAllCounted(this.store);
    await expectTurnsInTime(this.store, this.clock);
    await expectCatalogued(this.store);
  }

  async end(): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    if (this.keepData) return;
    rmSync(this.dataDir, { recursive: true, force: true });
    await giveBack(databases.get(this.dataDir) ?? { url: null });
    databases.delete(this.dataDir);
  }
}

/** Which database goes with which data directory, so that a later start finds it again. */
const databases = new Map<string, Awaited<ReturnType<typeof freshDatabase>>>();

/** Of a data directory, as its first start has made them. */
const firstKeys = new Map<string, { readonly secret: string; readonly public: string }>();

/** The same one for the same data directory. */
export async function databaseFor(dataDir: string): Promise<string | null> {
  const database = databases.get(dataDir) ?? (await freshDatabase());
  databases.set(dataDir, database);
  return database.url;
}

export type StartOptions = {
  readonly config?: Changes;
  readonly clock?: TestClock;
  readonly transport?: RecordingTransport;
  /** Email goes where the settings say. */
  readonly isReal?: true;
  /** Of further ways out, by name. */
  readonly wayTransports?: Readonly<Record<string, RecordingTransport>>;
  /** The addresses of hosts that webhooks go to. */
  readonly lookUp?: LookUp;
  /** Opens and clicks are looked for, as they are by default. */
  readonly tracking?: boolean;
  readonly resolver?: Resolver;
  readonly fetchText?: FetchText;
  /** What others show; nothing, unless given. */
  readonly certificates?: AskForCertificate;
  /** Where settings come from. */
  readonly origins?: SettingOrigins;
  /** A data directory of an earlier start; it stays. */
  readonly dataDir?: string;
};

/** A proof is found in a tenth of a second, and is another one's by chance one time in 65,536. */
export const FEW_PROOF_BITS = 16;

/**
 * Starts Posthorn with workspace "default", its keys and the verified domain example.test; no rate unless configured.
 */
export async function startPosthorn(options: StartOptions = {}): Promise<Posthorn> {
  const clock = options.clock ?? new TestClock();
  const transport = options.transport ?? new RecordingTransport();
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "posthorn-"));
  const url = options.config?.database?.url ?? (await databaseFor(dataDir));
  const config = configWith(dataDir, url, options.config ?? {});
  if (url === null) freshFile(join(dataDir, "posthorn.db"));
  const logLines: string[] = [];
  const log: Log = createLog({ level: "debug", format: "text", clock, write: (line) => logLines.push(line) });
  const server = await startServer(config, {
    clock,
    transports: options.isReal ? {} : { ...options.wayTransports, default: transport },
    ...resolverOf(options),
    ...(options.lookUp ? { lookUp: options.lookUp } : {}),
    fetchText: options.fetchText ?? (() => Promise.reject(new Error("No test asks Amazon."))),
    certificates: options.certificates ?? (() => Promise.resolve(null)),
    log,
    ...(options.origins ? { origins: options.origins } : {}),
    proofBits: FEW_PROOF_BITS,
    loops: "settled by hand",
  });
  const secrets = loadSecrets(config.secrets.key, dataDir);
  const first = await addFirstWorkspace({ store: server.store, secrets }, options.tracking);
  const keys = first ?? firstKeys.get(dataDir) ?? { secret: "", public: "" };
  firstKeys.set(dataDir, keys);
  return new Posthorn(server, clock, transport, secrets, keys, logLines, dataDir, options.dataDir !== undefined);
}

/** No test asks the name servers of the machine: unless it names others, there is nothing in the DNS. */
function resolverOf({ resolver, config }: StartOptions): { readonly resolver?: Resolver } {
  if (resolver) return { resolver };
  return config?.dns ? {} : { resolver: new TableResolver() };
}

/** Without an address that recipients reach, email does not leave. */
const REACHED = "http://mail.example.com";

function leaves({ delivery: { transport = "capture" } = {} }: Changes): boolean {
  return transport !== "capture";
}

function configWith(dataDir: string, url: string | null, changes: Changes): Config {
  return {
    ...DEFAULTS,
    ...changes,
    http: { ...DEFAULTS.http, port: 0, ...(leaves(changes) ? { baseUrl: REACHED } : {}), ...changes.http },
    data: { dir: dataDir },
    database: { url, connections: 4 },
    backup: { ...DEFAULTS.backup, ...changes.backup },
    delivery: { ...DEFAULTS.delivery, ratePerSecond: 0, ...changes.delivery },
    relay: { ...DEFAULTS.relay, ...changes.relay },
    ses: { ...DEFAULTS.ses, ...changes.ses },
    smtp: { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0, ...changes.smtp },
    scanners: { ...DEFAULTS.scanners, ...changes.scanners },
    limits: { ...DEFAULTS.limits, ...changes.limits },
    webhooks: { ...DEFAULTS.webhooks, ...changes.webhooks },
    compat: { ...DEFAULTS.compat, ...changes.compat },
  } as Config;
}

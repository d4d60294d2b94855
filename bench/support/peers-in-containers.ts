// Peers that come as containers, by `docker compose` and the files in bench/peers/: each with its database, on the
// network of this machine. Where no engine of containers runs they are named, not measured.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Child } from "./child.ts";
import type { LoadResult, LoadTask } from "./client.ts";
import { HTML, SENDER, SUBJECT } from "./letter.ts";
import { NUMBER } from "./numbered-requests.ts";
import { CONNECTIONS, type Peer, type Place, type Running } from "./peers.ts";
import { requestText, sendRequestText } from "./send-requests.ts";
import { freePort } from "./server-process.ts";
import { groupOf } from "./usage.ts";

const LONG_SECONDS = 600;
const POLL_MS = 200;
const PATIENCE_MS = 120_000;
const RUN = "bench";
const SECRET = `sk_${"ab".repeat(32)}`;

export function listmonk(): Peer {
  return {
    name: "listmonk",
    version: versionIn("listmonk"),
    from: "container",
    interfaces: ["HTTP"],
    missing: missingEngine(),
    note: "/api/tx keeps mail in memory until it has left; does not sign; no submission by SMTP",
    start: async (place) => {
      const port = await freePort();
      await using undo = new AsyncDisposableStack();
      const compose = undo.use(new Compose("listmonk", { DATA: place.dir, PORT: port, DB_PORT: await freePort() }));
      compose.do("up", "--detach", "--wait", "db");
      const said = compose.do("run", "--rm", "app", "./listmonk", "--install", "--idempotent", "--yes", "--config", "");
      const token = /LISTMONK_ADMIN_API_TOKEN="([^"]+)"/.exec(said)?.[1];
      compose.sql("listmonk", listmonkIsReady(place));
      const template = compose.sql("listmonk", `select id from templates where name = '${RUN}'`).trim();
      compose.do("up", "--detach", "app");
      const body = { subscriber_email: recipientOf(NUMBER), template_id: Number(template), from_email: SENDER };
      const url = `http://127.0.0.1:${port}`;
      const text = requestText(`${url}/api/tx`, `token bench:${token}`, JSON.stringify(body));
      return { ...(await compose.running(url, text)), [Symbol.asyncDispose]: kept(undo) };
    },
  };
}

/** A relay, a template with the letter, and a subscriber for each mail: its calls are about people whom it knows. */
function listmonkIsReady({ sinkPort, mails }: Place): string {
  const relay = {
    ...{ enabled: true, host: "127.0.0.1", port: sinkPort, hello_hostname: "", auth_protocol: "none" },
    ...{ username: "", password: "", email_headers: [], max_conns: CONNECTIONS, max_msg_retries: 2 },
    ...{ idle_timeout: "15s", wait_timeout: "5s", tls_type: "none", tls_skip_verify: true },
  };
  return `update settings set value = '${JSON.stringify([relay])}' where key = 'smtp';
update settings set value = '${CONNECTIONS}' where key = 'app.concurrency';
insert into templates (name, type, subject, body) values ('${RUN}', 'tx', '${SUBJECT}', '${HTML}');
insert into subscribers (uuid, email, name)
  select gen_random_uuid(), replace('${recipientOf("?")}', '?', 'u' || lpad(n::text, 9, '0')), ''
  from generate_series(1, ${mails}) n;`;
}

export function plunk(): Peer {
  return {
    name: "Plunk",
    version: versionIn("plunk"),
    from: "container",
    interfaces: ["HTTP"],
    missing: missingEngine(),
    note: "leaves by Amazon SES alone, here a stand-in that signs nothing; its submission by SMTP needs a certificate",
    start: async ({ dir }) => {
      await using undo = new AsyncDisposableStack();
      const ses = undo.adopt(new SesStandIn(), (one) => one.stop());
      const ports = { PORT: await freePort(), DB_PORT: await freePort(), REDIS_PORT: await freePort() };
      const settings = { ...ports, DATA: dir, NGINX_PORT: await freePort(), SES_URL: ses.url, CONNECTIONS };
      const compose = undo.use(new Compose("plunk", settings));
      compose.do("up", "--detach", "--wait", "db", "redis");
      compose.do("up", "--detach", "app");
      const url = `http://127.0.0.1:${ports.PORT}`;
      const text = sendRequestText({ url, key: SECRET, run: RUN, recipients: 1, sendAt: null });
      const running = await compose.running(url, text);
      compose.sql("plunk", PLUNK_IS_READY);
      return { ...running, left: async () => ses.count, [Symbol.asyncDispose]: kept(undo) };
    },
  };
}

const PLUNK_IS_READY = `insert into projects (id, name, public, secret, "updatedAt")
  values ('${RUN}', '${RUN}', 'pk_${RUN}', '${SECRET}', now());
insert into domains (id, domain, verified, "projectId", "updatedAt")
  values ('${RUN}', '${SENDER.split("@")[1]}', true, '${RUN}', now());`;

/** Amazon SES by its old API of forms and XML: takes all mail, and counts it. */
class SesStandIn {
  count = 0;
  readonly #server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#answer(request) });
  readonly url = this.#server.url.origin;

  stop(): Promise<void> {
    return this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const action = /Action=(\w+)/.exec(await request.text())?.[1] ?? "";
    const result = action === "SendRawEmail" ? `<MessageId>${++this.count}</MessageId>` : "";
    const inner = `<${action}Result>${result}</${action}Result>`;
    return new Response(`<${action}Response>${inner}</${action}Response>`, { headers: { "content-type": "text/xml" } });
  }
}

class Compose implements AsyncDisposable {
  readonly #client = new Child("client.ts");
  readonly #base: readonly string[];
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(name: string, settings: Readonly<Record<string, string | number>>) {
    this.#base = [ENGINE ?? "", "compose", "--project-name", `posthorn-${name}`, "--file", fileOf(name)];
    const given = Object.entries(settings).map(([key, value]) => [key, String(value)]);
    this.#env = { ...process.env, ...Object.fromEntries(given) };
  }

  /** Answers all that it says. */
  do(...words: string[]): string {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...this.#base, ...words], { env: this.#env });
    if (exitCode !== 0) throw new Error(`compose ${words.join(" ")}: ${stderr.toString()}`);
    return stdout.toString() + stderr.toString();
  }

  sql(user: string, statements: string): string {
    return this.do("exec", "-T", "db", "psql", "-v", "ON_ERROR_STOP=1", "-qtAU", user, "-c", statements);
  }

  /** `text`: the request that hands in a mail. */
  async running(url: string, text: string): Promise<Omit<Running, typeof Symbol.asyncDispose>> {
    await answers(`${url}/health`);
    return {
      groups: this.#groups(),
      give: async (_, connections, mails) => {
        const task = { url, text, connections, warmUpSeconds: 0, seconds: LONG_SECONDS, most: mails };
        const { acknowledged, refused } = await this.#client.ask<LoadResult>(task satisfies LoadTask);
        if (Object.keys(refused).length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`);
        return acknowledged;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    this.do("down", "--volumes");
  }

  #groups(): string[] {
    const ids = this.do("ps", "--quiet").match(/[0-9a-f]{64}/g) ?? [];
    const { stdout } = Bun.spawnSync([ENGINE ?? "", "inspect", "--format", "{{.State.Pid}}", ...ids]);
    return (stdout.toString().match(/\d+/g) ?? []).map(Number).map(groupOf);
  }
}

/** What is undone at the end, not when its peer has started. */
function kept(undo: AsyncDisposableStack): () => Promise<void> {
  const later = undo.move();
  return () => later.disposeAsync();
}

async function answers(url: string): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (performance.now() > untilMs) throw new Error(`${url} does not answer`);
    await Bun.sleep(POLL_MS);
  }
}

function recipientOf(number: string): string {
  return `${number}.${RUN}@example.com`;
}

function fileOf(name: string): string {
  return resolve(import.meta.dir, `../peers/${name}.yml`);
}

/** The tag of its image. */
function versionIn(name: string): string {
  return new RegExp(`image: \\S*${name}:(\\S+)`).exec(readFileSync(fileOf(name), "utf8"))?.[1] ?? "";
}

function missingEngine(): string | null {
  return ENGINE === null ? "docker compose and podman compose find no engine" : null;
}

const ENGINE =
  ["docker", "podman"].find((name) => {
    return (
      Bun.which(name) !== null && Bun.spawnSync([name, "compose", "ls"], { stdout: "ignore", stderr: "ignore" }).success
    );
  }) ?? null;

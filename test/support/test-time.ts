// A server with a test clock, in a data directory of its own.
import { expect } from "bun:test";
import { HOUR_MS, StillClock } from "../../src/base/clock.ts";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { createLog } from "../../src/base/log.ts";
import { loadSecrets } from "../../src/base/secrets.ts";
import { startServer, type Server } from "../../src/whole/server.ts";
import { note } from "./notes.ts";
import { databaseFor, type Json } from "./posthorn.ts";
import { addFirstWorkspace } from "./workspaces.ts";

const SMTP = { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 };

export async function startIn(
  dir: string,
  { clock, ...changes }: { clock?: StillClock } & Partial<Config> = {},
): Promise<Server> {
  const [http, database] = [
    { ...DEFAULTS.http, port: 0 },
    { ...DEFAULTS.database, url: await databaseFor(dir) },
  ];
  const config = { ...DEFAULTS, http, database, data: { dir }, smtp: SMTP, ...changes };
  const write = () => {};
  const log = createLog({ level: "error", format: "text", clock: clock ?? new StillClock(), write });
  return startServer(config, { log, ...(clock ? { clock } : { loops: "settled by hand" }) });
}

export class ShopInTestTime implements AsyncDisposable {
  constructor(
    readonly server: Server,
    readonly key: string,
  ) {}

  async ask(route: string, body?: object): Promise<{ readonly status: number; readonly body: Json }> {
    const [method = "", path = ""] = route.split(" ");
    const headers = { authorization: `Bearer ${this.key}`, "content-type": "application/json" };
    const answer = await fetch(this.server.url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (answer.ok) note(route);
    return { status: answer.status, body: await answer.json() };
  }

  async nowMs(): Promise<number> {
    return Date.parse((await this.ask("GET /test/clock")).body.data.now);
  }

  /** What happened, each with its time since `sinceMs`. */
  async advance(by: string, sinceMs: number): Promise<string[]> {
    const { status, body } = await this.ask("POST /test/clock", { advance: by });
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data.happened.map((one: Json) => `${(Date.parse(one.at) - sinceMs) / HOUR_MS} h: ${one.name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

export async function openShopInTestTime(dir: string, clock = new StillClock()): Promise<ShopInTestTime> {
  const server = await startIn(dir, { clock });
  const secrets = loadSecrets(null, dir);
  const keys = await addFirstWorkspace({ store: server.store, secrets });
  return new ShopInTestTime(server, keys?.secret ?? "");
}

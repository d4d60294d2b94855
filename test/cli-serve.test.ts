// `posthorn serve`: what it says when it starts, first and later, and when it cannot.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { posthornCli, serving, Serving, type Env } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";
import { freePort } from "./support/free-port.ts";

let directory: ReturnType<typeof freshDirectory>;
let data: string;
beforeEach(() => {
  directory = freshDirectory();
  data = join(directory.path, "data");
});
afterEach(() => directory.remove());

const RELAY: Env = {
  POSTHORN_DELIVERY_TRANSPORT: "smtp",
  POSTHORN_RELAY_HOST: "smtp.example.com",
  POSTHORN_HTTP_BASE_URL: "https://mail.example.com",
};

/** A `serve` that must fail: its exit code and what it said. */
async function failing(env: Env = {}): Promise<[code: number, said: string]> {
  const serve = new Serving(["--data", data], { POSTHORN_LOG_LEVEL: "warn", ...env });
  return [await serve.stop(), serve.text];
}

test("a base_url without TLS is warned of by the start and by check-config, where mail really leaves", async () => {
  const warning = "http.base_url should begin with https:";
  const warned = async (env: Env) => {
    await using server = await serving(["--data", data], env);
    const { code, out } = await posthornCli(["check-config", "--data", data], env);
    return [code, server.text.includes(warning), out.includes(warning)];
  };
  const bare = { ...RELAY, POSTHORN_HTTP_BASE_URL: "http://mail.example.com" };
  expect(await warned(bare)).toEqual([0, true, true]);
  expect(await warned(RELAY)).toEqual([0, false, false]);
  expect(await warned({ ...bare, POSTHORN_DELIVERY_TRANSPORT: "capture" })).toEqual([0, false, false]);
});

describe("the first start", () => {
  test("makes the data directory, for nobody else to read", async () => {
    await using _ = await serving(["--data", data]);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  test("prints keys that work and a line that sends a first mail", async () => {
    await using server = await serving(["--data", data]);
    const secret = /^ {2}secret {2}(sk_\w{48})$/m.exec(server.text)?.[1];
    expect(server.text).toMatch(/^ {2}public {2}pk_\w{48}$/m);
    const line = /^ {2}(curl -X POST .+)$/m.exec(server.text)?.[1];
    expect(line).toStartWith(`curl -X POST ${server.url}/v1/send -H 'Authorization: Bearer ${secret}' `);
    const body = /-d '(\{.+\})'$/.exec(line ?? "")?.[1] ?? "";
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    expect((await fetch(`${server.url}/v1/send`, { method: "POST", headers, body })).status).toBe(200);
  });

  test("makes no domain where mail really leaves, since nobody owns one that could be made up", async () => {
    await using server = await serving(["--data", data], RELAY);
    expect(server.text).toContain("posthorn domain add YOUR.DOMAIN");
    const { out } = await posthornCli(["domain", "list", "--data", data, "--json"], RELAY);
    expect(JSON.parse(out)).toEqual([]);
  });

  test("makes a demo domain where mail is captured; it is gone, wherever it was a sender, once mail really leaves", async () => {
    const call = async (server: Serving, key: string, request: string, body?: object) => {
      const [method = "", path = ""] = request.split(" ");
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const reply = await fetch(`${server.url}${path}`, { method, headers, body: body && JSON.stringify(body) });
      return (await reply.json()) as Record<string, unknown>;
    };
    const letter = { name: "Hello", subject: "Hello", body: "<p>Hello</p>", type: "TRANSACTIONAL" };
    let key = "";
    let template: unknown;
    {
      await using captured = await serving(["--data", data]);
      key = /(sk_\w{48})/.exec(captured.text)?.[1] ?? "";
      const ask = (request: string, body?: object) => call(captured, key, request, body);
      expect((await ask("GET /domains"))["data"]).toMatchObject([{ domain: "example.test", verified: true }]);
      await ask("PATCH /workspace", { fromAddress: "hello@example.test" });
      await ask("PUT /workspace/brand", { from: "brand@example.test", footer: "<p>Quay</p>" });
      template = (await ask("POST /templates", { ...letter, from: "hello@example.test" }))["id"];
    }
    await using sending = await serving(["--data", data], RELAY);
    const ask = (request: string) => call(sending, key, request);
    expect(sending.text).toContain("example.test was only for trying things out");
    expect(sending.text).toContain("with 3 senders that used it");
    expect((await ask("GET /domains"))["data"]).toEqual([]);
    expect(await ask("GET /workspace")).toMatchObject({ fromAddress: null });
    expect(await ask("GET /workspace/brand")).toMatchObject({ from: null, footer: "<p>Quay</p>" });
    expect(await ask(`GET /templates/${template}`)).toMatchObject({ from: null });
  });

  test("says what listens where, which transport is on, and where the data is, each in one line", async () => {
    await using server = await serving(["--data", data]);
    expect(server.lines.slice(-4)).toEqual([
      expect.stringMatching(/^HTTP API on http:\/\/127\.0\.0\.1:[1-9]\d*$/),
      `Web interface on ${server.url}/app`,
      "Transport capture: email is processed and kept but not sent, at most 14 emails a second",
      `Data in ${data}`,
    ]);
  });

  test("with a real transport names no mail that would reach a stranger, but the way to a domain", async () => {
    await using server = await serving(["--data", data], RELAY);
    expect(server.text).not.toContain("curl");
    expect(server.text).toContain("posthorn domain add YOUR.DOMAIN --workspace default");
    expect(server.text).toContain("Transport smtp: email leaves through smtp.example.com:587,");
  });

  test("is over once there is a workspace", async () => {
    await posthornCli(["workspace", "create", "acme", "--data", data]);
    await using server = await serving(["--data", data]);
    expect(server.text).not.toContain("sk_");
    expect(JSON.parse((await posthornCli(["workspace", "list", "--json", "--data", data])).out)).toHaveLength(1);
  });
});

/** What a process says whose output is the journal, as systemd says so, up to its end. */
async function underTheJournal(): Promise<string> {
  const serve = `exec 3>&1; JOURNAL_STREAM=$(stat -Lc %d:%i /dev/fd/3) exec "$0" src/whole/main.ts serve --data "$1"`;
  const env = { PATH: process.env["PATH"] ?? "", POSTHORN_HTTP_PORT: "0", POSTHORN_SMTP_INBOUND_PORT: "0" };
  const noPorts = { POSTHORN_SMTP_SUBMISSION_PORT: "0", POSTHORN_SMTP_SUBMISSIONS_PORT: "0" };
  const command = ["bash", "-c", serve, process.execPath, data];
  const server = Bun.spawn(command, { env: { ...env, ...noPorts }, stdout: "pipe", stderr: "inherit" });
  let heard = "";
  for await (const piece of server.stdout) {
    heard += Buffer.from(piece).toString();
    if (heard.includes("Data in ") && !heard.includes("Stopping")) server.kill("SIGTERM");
  }
  expect(await server.exited).toBe(0);
  return heard;
}

describe("where what is said is kept, the first keys go into a file that only the user may read", () => {
  const file = () => join(data, "first-keys.txt");
  const works = async (url: string) => {
    const secret = /^ {2}secret {2}(sk_\w{48})$/m.exec(readFileSync(file(), "utf8"))?.[1];
    expect((await fetch(`${url}/emails`, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  };

  test("in the journal", async () => {
    const said = await underTheJournal();
    expect(said).not.toMatch(/sk_|pk_/);
    expect(said).toContain(`Its first keys are in ${file()}:`);
    await using server = await serving(["--data", data]);
    await works(server.url);
  });

  test("but not where the journal is somewhere else", async () => {
    await using server = await new Serving(["--data", data], { JOURNAL_STREAM: "8:13" }, "8:12").listening();
    expect(server.text).toContain("  secret  sk_");
    expect(() => statSync(file())).toThrow();
  });

  test("in JSON, of which every line is", async () => {
    const json = { POSTHORN_LOG_FORMAT: "json", POSTHORN_LOG_LEVEL: "error" };
    const server = await serving(["--data", data], json);
    await works(server.url);
    expect(await server.stop()).toBe(0);
    const [welcome, ...lines] = server.lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect(welcome).toMatchObject({ level: "info", file: file(), message: expect.stringContaining("first-keys.txt") });
    expect(lines.map(({ message }) => message?.split(" ")[0])).toEqual([
      "HTTP",
      "Web",
      "Transport",
      "Data",
      "Stopping:",
    ]);
    expect(server.text).not.toMatch(/sk_|pk_/);
    const other = await serving(["--data", join(directory.path, "other")]);
    const [code, said] = await failing({ ...json, POSTHORN_HTTP_PORT: new URL(other.url).port });
    expect([code, JSON.parse(said)]).toMatchObject([
      1,
      { level: "error", message: expect.stringContaining("is in use") },
    ]);
    await other.stop();
  });
});

test("the ports that take mail by SMTP are told, and one that is taken with the key to change", async () => {
  const port = await freePort();
  const settings = { POSTHORN_SMTP_SUBMISSIONS_PORT: String(port) };
  await using server = await serving(["--data", join(directory.path, "other")], settings);
  expect(server.lines).toContain(`SMTP on 127.0.0.1, port ${port} (TLS)`);
  const said = `smtp.submissions_port: 127.0.0.1:${port} is in use: another program listens there. Stop that, or set another port; 0 turns it off.`;
  const [code, told] = await failing(settings);
  expect([code, told.split("\n").at(-1)]).toEqual([1, said]);
});

describe("a later start", () => {
  test("shows no key again, and those of the first still work", async () => {
    const first = await serving(["--data", data]);
    const secret = /sk_\w{48}/.exec(first.text)?.[0];
    expect(await first.stop()).toBe(0);
    await using server = await serving(["--data", data]);
    expect(server.text).not.toMatch(/sk_|pk_|curl/);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(`${server.url}/emails`, { headers })).status).toBe(200);
  });
});

describe("the end", () => {
  test("is announced, ends with 0, and leaves the port to others", async () => {
    const server = await serving(["--data", data]);
    const port = new URL(server.url).port;
    expect(await server.stop()).toBe(0);
    expect(server.lines.at(-1)).toBe("Stopping: finishing work in hand.");
    await using _ = await serving(["--data", data], { POSTHORN_HTTP_PORT: port });
  });
});

describe("a start that is not possible", () => {
  test("for the port names host, port and the key to change", async () => {
    await using other = await serving(["--data", join(directory.path, "other")]);
    const port = new URL(other.url).port;
    const said = `127.0.0.1:${port} is in use: another program listens there. Stop that, or set another http.port.`;
    expect(await failing({ POSTHORN_HTTP_PORT: port })).toEqual([1, said]);
  });

  test("for the address names host, port and the key to change", async () => {
    const [code, said] = await failing({ POSTHORN_HTTP_HOST: "203.0.113.1", POSTHORN_HTTP_PORT: "8484" });
    expect(code).toBe(1);
    expect(said).toMatch(/^203\.0\.113\.1:8484 cannot be listened on \(\w+\)\. Set http\.host to .+\.$/);
  });

  test("for another Posthorn on the same data says so", async () => {
    await using _ = await serving(["--data", data]);
    const said = `Another Posthorn is running on ${data}/posthorn.db. Stop it first, or use another data directory.`;
    expect(await failing()).toEqual([1, said]);
  });

  test("for a data directory that is none says so in one line", async () => {
    writeFileSync(data, "");
    expect(await failing()).toEqual([1, `${data}: it is not a directory`]);
  });

  test("for a store of a newer Posthorn says so", async () => {
    await (await serving(["--data", data])).stop();
    using database = new Database(join(data, "posthorn.db"));
    database.run("insert into schema_versions (version, name, applied_at, fingerprint) values (9999, 'later', '', '')");
    const [code, said] = await failing();
    expect(code).toBe(2);
    expect(said).toMatch(
      /^The store is at schema 9999, this executable knows only \d+: a newer Posthorn has used it\..*$/,
    );
  });

  test("for the configuration lists every fault and starts nothing", async () => {
    const [code, said] = await failing({ POSTHORN_HTTP_PORT: "x", POSTHORN_DELIVERY_TRANSPORT: "smtp" });
    expect([code, said.match(/^ {2}\S+:/gm)]).toEqual([2, ["  http.port:", "  http.base_url:", "  relay.host:"]]);
    expect(() => statSync(data)).toThrow();
  });
});

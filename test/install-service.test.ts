// What `posthorn install-service` would do, shown first; the unit is held to what systemd thinks of it.
import { expect, test } from "bun:test";
import { loadConfig } from "../src/base/config.ts";
import { carryOut } from "../src/base/service/plan.ts";
import { portsOf } from "../src/whole/cli/install.ts";
import { holderOf, refuseTaken } from "../src/base/service/ports.ts";
import { posthornCli } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const shown = (answers: readonly string[]) => posthornCli(["install-service", "--dry-run"], {}, answers);

/** The configuration in what is shown, as the server would read it. */
async function configured(answers: readonly string[]) {
  const { code, out } = await shown(answers);
  expect(code).toBe(0);
  const text = /config\.toml <<'END'.*\n([\s\S]*?)\nEND\n/.exec(out)?.[1] ?? "";
  const directory = freshDirectory();
  const file = join(directory.path, "config.toml");
  writeFileSync(file, text);
  const config = loadConfig({ file, env: {} });
  directory.remove();
  return config;
}

test("A relay with a log-in, and the ports of a mail server", async () => {
  const password = 'qu"ote\\';
  const config = await configured([
    "https://mail.shop.example",
    "smtp",
    "smtp.relay.example",
    "465",
    "shop",
    password,
    "yes",
  ]);
  expect(config.http.baseUrl).toBe("https://mail.shop.example");
  expect(config.relay).toMatchObject({
    host: "smtp.relay.example",
    port: 465,
    tls: "implicit",
    user: "shop",
    password,
  });
  expect(config.smtp).toMatchObject({ host: "0.0.0.0", submissionPort: 587, submissionsPort: 465, inboundPort: 25 });
});

test("A return path that is named is in the one table of the delivery", async () => {
  const config = await configured(["", "smtp", "", "", "", "", "bounces.shop.example"]);
  expect(config.delivery.returnPathDomain).toBe("bounces.shop.example");
  expect((await shown(["", "smtp", "", "", "", "", "bounces.shop.example"])).out.match(/\[delivery\]/g)).toHaveLength(
    1,
  );
});

test("The new executable is asked before it replaces the one of before, which is kept", async () => {
  const lines = (await shown([])).out.split("\n");
  const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
  const asked = at("cd / && runuser -u posthorn -- /usr/local/bin/posthorn.new check-config ");
  const kept = at("[ ! -e /usr/local/bin/posthorn ] || ln -f /usr/local/bin/posthorn /usr/local/bin/posthorn.previous");
  const replaced = at("mv -f /usr/local/bin/posthorn.new /usr/local/bin/posthorn");
  expect([asked > 0, kept > asked, replaced > kept, at("systemctl restart") > replaced]).toEqual(Array(4).fill(true));
});

test("An executable that is replaced is kept beside the new one", () => {
  const { path, remove } = freshDirectory();
  const [from, to, kept] = [join(path, "posthorn.new"), join(path, "posthorn"), join(path, "posthorn.previous")];
  const replaceBy = (text: string) => {
    writeFileSync(from, text);
    carryOut({ kind: "replace", from, to, kept });
  };
  for (const text of ["first", "second", "third"]) replaceBy(text);
  expect([readFileSync(to, "utf8"), readFileSync(kept, "utf8"), existsSync(from)]).toEqual(["third", "second", false]);
  remove();
});

test("The configuration is checked from where the service's user may be, for its data directory", async () => {
  expect((await shown([])).out).toContain(
    "\ncd / && runuser -u posthorn -- /usr/local/bin/posthorn.new check-config --config /etc/posthorn/config.toml --data /var/lib/posthorn\n",
  );
});

test.skipIf(process.geteuid?.() !== 0)(
  "A step runs although others may not look into the folder it is called from",
  () => {
    const [closed, before] = [freshDirectory(), process.cwd()];
    chmodSync(closed.path, 0o700);
    process.chdir(closed.path);
    try {
      carryOut({ kind: "run", words: ["runuser", "-u", "nobody", "--", "ls", "."] });
    } finally {
      process.chdir(before);
      closed.remove();
    }
  },
);

test("Who holds a port is named, and nothing is installed", () => {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const at = (host: string) => ({ host, port: server.port });
  try {
    expect(holderOf(at("127.0.0.1"))).toMatchObject({ pid: process.pid });
    for (const host of ["127.0.0.1", "0.0.0.0", "::", "localhost"])
      expect(() => refuseTaken([at(host)])).toThrow(
        `port ${server.port} by ${holderOf(at(host))?.name} (process ${process.pid})`,
      );
    // Another program's port at one address is free at another.
    expect(holderOf(at("192.0.2.1"))).toBeNull();
  } finally {
    server.stop(true);
  }
  expect(holderOf(at("127.0.0.1"))).toBeNull();
});

test("The ports are those of the answers", () => {
  const answers = { baseUrl: "", way: "capture", returnPathDomain: null } as const;
  const ports = (isMailServer: boolean) => portsOf({ ...answers, isMailServer }).map(({ port }) => port);
  expect([ports(true), ports(false)]).toEqual([
    [8484, 587, 465, 25],
    [8484, 2587, 2465, 2525],
  ]);
});

/** What a verb of the plan throws where these programs are found first. */
function thrownWith(programs: Readonly<Record<string, string>>, call: string): string {
  const directory = freshDirectory();
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(directory.path, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const plan = join(import.meta.dir, "../src/base/service/plan.ts");
  const script = `const { carryOut, refuseUnfit } = await import("${plan}"); try { ${call} } catch ({ message }) { console.log(message) }`;
  const env = { ...process.env, PATH: `${directory.path}:${process.env["PATH"]}` };
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { env });
  directory.remove();
  return stdout.toString().trim();
}

test("A service that does not start is told with its own last line, not with systemd's", () => {
  const programs = {
    systemctl: "echo Job for posthorn.service failed. >&2; exit 1",
    journalctl: `case "$*" in
      *_SYSTEMD_UNIT=posthorn.service*) echo 127.0.0.1:8484 cannot be listened on ;;
      *) echo posthorn.service: Failed with result exit-code. ;;
    esac`,
  };
  const start = `carryOut({ kind: "run", words: ["systemctl", "restart", "posthorn"], is: "start" })`;
  expect(thrownWith(programs, start)).toBe(
    "systemctl restart posthorn: Job for posthorn.service failed.\nThe service says: 127.0.0.1:8484 cannot be listened on",
  );
});

test("The package of Debian is not installed over", () => {
  expect(thrownWith({ "dpkg-query": "printf installed" }, "refuseUnfit()")).toStartWith(
    "The package posthorn is installed",
  );
});

test("Amazon SES, and no other ports", async () => {
  const config = await configured(["https://mail.shop.example", "ses", "us-east-1", ""]);
  expect(config).toMatchObject({
    delivery: { transport: "ses" },
    ses: { region: "us-east-1" },
    smtp: { submissionPort: 2587 },
  });
});

test("Who presses Enter throughout gets a server that keeps mails and sends none", async () => {
  expect(await configured([])).toMatchObject({ delivery: { transport: "capture" } });
});

test("The steps come in an order that can be run again", async () => {
  const { out } = await shown([]);
  const lines = out.split("\n").filter((line) => /^(install|id|cat|cd|systemctl)/.test(line));
  expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "install -m",
    "id -u",
    "install -d",
    "install -d",
    "cat >/etc/posthorn/config.toml",
    "cd /",
    "cat >/etc/systemd/system/posthorn.service",
    "systemctl daemon-reload",
    "systemctl enable",
    // One that runs already is the executable of before.
    "systemctl restart",
  ]);
});

test.skipIf(Bun.which("systemd-analyze") === null)("systemd finds little to expose in the unit, and no fault", () => {
  const { stdout } = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "packaging/posthorn.service"]);
  expect(Number(/exposure level for posthorn\.service: ([\d.]+)/.exec(stdout.toString())?.[1])).toBeLessThanOrEqual(3);
});

test("Nothing is installed without root or systemd", async () => {
  const { code, err } = await posthornCli(["install-service"]);
  if (code !== 1) throw new Error("This test runs where systemd does, as root.");
  expect(err).toMatch(/does not run systemd|needs root/);
});

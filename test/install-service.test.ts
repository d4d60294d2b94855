// What `posthorn install-service` would do, shown first; the unit is held to what systemd thinks of it.
import { expect, test } from "bun:test";
import { loadConfig } from "../src/config.ts";
import { posthornCli } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";
import { writeFileSync } from "node:fs";
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
  const lines = out.split("\n").filter((line) => /^(install|id|cat|runuser|systemctl)/.test(line));
  expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "install -m",
    "id -u",
    "install -d",
    "install -d",
    "cat >/etc/posthorn/config.toml",
    "runuser -u",
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

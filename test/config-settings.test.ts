// What owners see of the configuration: each setting, its value, and where it is set.
import { afterAll, expect, test } from "bun:test";
import { configOrigin, loadConfig } from "../src/base/config.ts";
import { settingsOf } from "../src/base/config/settings.ts";
import { ConfigFolder } from "./config-folder.ts";

const files = new ConfigFolder();
afterAll(() => files.remove());

function settings(toml: string, env: Readonly<Record<string, string>> = {}, dataDir?: string) {
  const options = { file: files.written(toml), env, dataDir };
  const all = settingsOf(loadConfig(options), configOrigin(options).origins);
  return { file: options.file, all, of: (key: string) => all.find((one) => one.key === key) };
}

test("the file, the environment and the command line say what they have set; the strongest one counts", () => {
  const { file, of } = settings(
    '[http]\nport = 9000\nhost = "::1"\n[data]\ndir = "/a"',
    { POSTHORN_HTTP_PORT: "9001" },
    "/b",
  );
  expect(of("http.host")).toEqual({
    ...{ key: "http.host", value: "::1", isSecret: false, source: "FILE", place: file ?? null },
    ...{ fallback: "127.0.0.1", change: "RESTART", form: "TEXT", choices: [] },
  });
  expect(of("http.port")).toMatchObject({ value: 9001, source: "ENVIRONMENT", place: "POSTHORN_HTTP_PORT" });
  expect(of("data.dir")).toMatchObject({ value: "/b", source: "COMMAND_LINE", place: "--data" });
  expect(of("smtp.hostname")).toMatchObject({ value: null, source: "DEFAULT", place: null });
  expect(of("delivery.retry_schedule")?.value).toEqual([60, 300, 900, 3600, 14_400, 43_200]);
});

test("secrets are not shown, also those from files and of ways, nor is an address that holds one", () => {
  const password = files.written("hunter2hunter2\n");
  const toml = `
[http]
base_url = "https://mail.example.com"
[delivery]
transport = "smtp"
[relay]
host = "smtp.example.com"
user = "us"
password_file = "${password}"
[alerts]
webhook = "https://hooks.example.com/hunter2hunter2"
[[ways]]
name = "backup"
kind = "smtp"
host = "smtp.backup.example"
user = "us"
password = "hunter2hunter2"
[[bounce_mailbox]]
name = "returns"
host = "imap.example.com"
user = "bounces@example.com"
password = "hunter2hunter2"`;
  const { file, all, of } = settings(toml);
  const secret = { value: null, isSecret: true, source: "FILE", place: file } as const;
  for (const key of ["relay.password", "alerts.webhook", "ways.backup.password", "bounce_mailbox.returns.password"])
    expect(of(key)).toMatchObject({ key, ...secret });
  expect(of("ways.backup.host")).toMatchObject({ value: "smtp.backup.example", source: "FILE" });
  expect(of("bounce_mailbox.returns.folder")).toMatchObject({ value: "INBOX", source: "DEFAULT" });
  expect(of("ses.secret_access_key")).toMatchObject({ value: null, isSecret: true, source: "DEFAULT" });
  expect(JSON.stringify(all)).not.toContain("hunter2");
});

test("a secret in a file of its own is set by what names the file", () => {
  const password = files.written("hunter2hunter2\n");
  const toml = `
[http]
base_url = "https://mail.example.com"
[delivery]
transport = "smtp"
[relay]
host = "smtp.example.com"
user = "us"
password = "replaced"`;
  const variable = { POSTHORN_RELAY_PASSWORD_FILE: password };
  expect(settings(toml, variable).of("relay.password")).toMatchObject({
    ...{ isSecret: true, source: "ENVIRONMENT", place: "POSTHORN_RELAY_PASSWORD_FILE" },
  });
});

test("the guide lists the keys that can change while the server runs", async () => {
  const guide = await Bun.file("docs/configuration.md").text();
  const [, section = ""] = guide.split("## Change settings in the browser");
  const rows = [...section.matchAll(/^- `\[(.+?)\]`: (.+)$/gm)];
  const told = rows.flatMap(([, name, keys = ""]) => [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => `${name}.${key}`));
  const live = settings("").all.filter(({ change }) => change !== "RESTART");
  expect(told).toEqual(live.map(({ key }) => key));
});

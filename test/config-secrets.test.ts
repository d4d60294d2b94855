// Secrets in the configuration: where they may stand, and that no fault shows them.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { environmentName, knownKeys } from "../src/base/config/paths.ts";
import { ConfigFolder } from "./config-folder.ts";

const SECRET = "hunter2-correct-horse";
const KEY_256 = "0123456789abcdef".repeat(4);

const files = new ConfigFolder();
afterAll(() => files.remove());

describe("secrets", () => {
  const secrets = knownKeys().filter((known) => known.key.secret);

  test("are these", () => {
    expect(secrets.map((known) => known.path)).toEqual([
      "database.url",
      "backup.access_key_id",
      "backup.secret_access_key",
      "backup.passphrase",
      "relay.password",
      "relay.client_secret",
      "relay.refresh_token",
      "relay.service_account",
      "relay.provider_key",
      "ses.access_key_id",
      "ses.secret_access_key",
      "ses.session_token",
      "metrics.token",
      "alerts.webhook_secret",
      "watch.spamhaus_key",
      "team.oidc.client_secret",
      "secrets.key",
    ]);
  });

  test.each([
    [`${SECRET}\n`, SECRET],
    [`${SECRET}\r\n`, SECRET],
    [` ${SECRET} `, ` ${SECRET} `],
  ])("in a file are taken without the line end: %j", (content, expected) => {
    const path = files.written(content);
    expect(files.load(`[relay]\nuser = 'u'\npassword_file = '${path}'`).relay.password).toBe(expected);
    expect(files.load("[relay]\nuser = 'u'", { POSTHORN_RELAY_PASSWORD_FILE: path }).relay.password).toBe(expected);
  });

  test("in the environment win over the file in either form", () => {
    const path = files.written("from a file");
    const env = { POSTHORN_RELAY_PASSWORD_FILE: path };
    expect(files.load("[relay]\nuser = 'u'\npassword = 'inline'", env).relay.password).toBe("from a file");
    const toml = `[relay]\nuser = 'u'\npassword_file = '${path}'`;
    expect(files.load(toml, { POSTHORN_RELAY_PASSWORD: "variable" }).relay.password).toBe("variable");
  });

  test("set twice in one place are a fault", () => {
    const path = files.written("x");
    const twice = "relay.password: is set twice, also as relay.password_file; keep one of the two";
    const toml = `[relay]\nuser = 'u'\npassword = 'x'\npassword_file = '${path}'`;
    expect(files.faultText(toml)).toStartWith(twice);
    const env = { POSTHORN_RELAY_USER: "u", POSTHORN_RELAY_PASSWORD: "x", POSTHORN_RELAY_PASSWORD_FILE: path };
    expect(files.faultText("", env)).toStartWith(twice);
  });

  test("in a file that cannot be read or is empty are a fault", () => {
    const toml = (path: string): string => `[relay]\nuser = 'u'\npassword_file = '${path}'`;
    expect(files.faultText(toml(join(files.path, "missing")))).toInclude(
      "names a file that cannot be read: no such file",
    );
    expect(files.faultText(toml(files.path))).toInclude("names a file that cannot be read: it is a directory");
    expect(files.faultText(toml(files.written("\n")))).toInclude("names a file whose text must not be empty");
    expect(files.faultyKeys(toml(files.path))).toEqual(["relay.password_file"]);
  });

  test("cannot stand in a file when the key is no secret", () => {
    expect(files.faultyKeys(`[relay]\nuser_file = '${files.written("")}'`)).toEqual(["relay.user_file"]);
  });

  test.each([KEY_256, KEY_256.toUpperCase(), Buffer.alloc(32, 7).toString("base64")])("key may be %s", (key) => {
    expect(files.load(`[secrets]\nkey = "${key}"`).secrets.key).toBe(key);
  });

  test.each(["00", KEY_256.slice(1), `${KEY_256}0`, Buffer.alloc(31).toString("base64"), "g".repeat(64)])(
    "key may not be %s",
    (key) => {
      expect(files.faultyKeys(`[secrets]\nkey = "${key}"`)).toEqual(["secrets.key"]);
    },
  );

  const leaks: readonly string[] = secrets.flatMap(({ section, path }) => {
    const name = path.slice(section.length + 1);
    return [
      `[${section}]\n${name} = ${SECRET}`,
      `[${section}]\n${name} = "${SECRET}`,
      `[${section}]\n${name} = "${SECRET}" # "${SECRET}" \n${name} = 1`,
      `[${section}]\n${name} = ["${SECRET}"]`,
      `[${section}]\n${name} = "${SECRET}\\n"`,
      `[${section}]\n${name}_file = "${SECRET}"`,
      `[${section}]\n${name}s = "${SECRET}"`,
      `[${section}]\n${name} = "${SECRET}"\n${name}_file = "${files.written(SECRET)}"`,
    ];
  });
  test.each([
    ...leaks,
    `[database]\nurl = "mysql://posthorn:${SECRET}@db/posthorn"`,
    `[http]\nbase_url = "https://user:${SECRET}@example.com"`,
    `[relay]\nhost = "smtp://user:${SECRET}@example.com"`,
    `[secrets]\nkey_file = "${files.written(SECRET)}"`,
  ])("are not shown by the fault of %j", (toml) => {
    const words = files.faultText(toml);
    expect(words).not.toBe("");
    expect(words).not.toInclude(SECRET);
    expect(words).not.toInclude("hunter2");
  });

  test("are not shown by the faults of the environment", () => {
    const env = Object.fromEntries(secrets.map(({ path }) => [environmentName(path), `${SECRET}\n`]));
    const words = files.faultText("", { ...env, POSTHORN_RELAY_PASSWRD: SECRET, POSTHORN_SECRETS_KEY_FILE: SECRET });
    expect(words.split("\n")).toHaveLength(secrets.length + 1);
    expect(words).not.toInclude(SECRET);
  });
});

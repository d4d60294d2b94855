// [[ways]]: further ways out, with the keys of [relay] or [ses].
import { afterAll, describe, expect, test } from "bun:test";
import { configOrigin } from "../src/base/config.ts";
import { ConfigFolder } from "./config-folder.ts";

const files = new ConfigFolder();
afterAll(() => files.remove());

const DEFAULT = `
[http]
base_url = "https://mail.example.com"
[delivery]
transport = "smtp"
[relay]
host = "smtp.example.com"
`;

describe("ways", () => {
  test("have the keys of the relay or of SES, their defaults, and a pace of their own", () => {
    const { ways } = files.load(`${DEFAULT}
[[ways]]
name = "backup"
kind = "smtp"
host = "Smtp.Backup.example"
rate_per_second = 5
price = 0.25
[[ways]]
name = "ireland"
kind = "ses"
region = "eu-west-1"
concurrency = 3`);
    expect(ways.map(({ name, kind }) => [name, kind])).toEqual([
      ["backup", "smtp"],
      ["ireland", "ses"],
    ]);
    expect(ways[0]).toMatchObject({ ratePerSecond: 5, burst: 1, concurrency: 10, price: 0.25 });
    expect(ways[0]?.relay).toMatchObject({ host: "smtp.backup.example", port: 587, tls: "starttls" });
    expect(ways[1]).toMatchObject({ ratePerSecond: 14, concurrency: 3, price: null, ses: { region: "eu-west-1" } });
  });

  test("take secrets from files and variables, which say the name of the way", () => {
    const secret = files.written("from a file\n");
    const toml = `${DEFAULT}
[[ways]]
name = "backup"
kind = "smtp"
host = "smtp.backup.example"
user = "us"
password_file = "${secret}"`;
    expect(files.load(toml).ways[0]?.relay.password).toBe("from a file");
    const env = { POSTHORN_WAYS_BACKUP_PORT: "2525" };
    expect(files.load(toml, env).ways[0]?.relay.port).toBe(2525);
    expect(configOrigin({ file: files.written(toml), env }).variables).toEqual(["POSTHORN_WAYS_BACKUP_PORT"]);
    expect(files.faultyKeys(toml, { POSTHORN_WAYS_BACKUP_PROT: "2525" })).toEqual(["POSTHORN_WAYS_BACKUP_PROT"]);
  });

  test.each([
    [`[[ways]]\nkind = "smtp"\nhost = "a.example"`, "ways.1.name: must be set: a name of its own (in "],
    [`[[ways]]\nname = "Backup 2"\nkind = "smtp"`, "ways.1.name: must be 1 to 30 lower-case letters"],
    [`[[ways]]\nname = "default"\nkind = "smtp"`, 'ways.1.name: must not be "default"'],
    [`[[ways]]\nname = "b"\nkind = "smtp"`, 'ways.b.host: must be set when kind is "smtp"'],
    [`[[ways]]\nname = "b"\nkind = "ses"`, 'ways.b.region: must be set when kind is "ses"'],
    [`[[ways]]\nname = "b"\nhost = "a.example"`, 'ways.b.kind: must be set: "smtp", "ses", "graph" or "capture"'],
    [
      `[[ways]]\nname = "b"\nkind = "smtp"\nhost = "a.example"\nuser = "u"`,
      "ways.b.password: must be set when user is",
    ],
    [`[[ways]]\nname = "b"\nkind = "smtp"\nhost = "a.example"\nhots = "u"`, "ways.b.hots: is not a known key of a way"],
    [`[[ways]]\nname = "b"\nkind = "smtp"\nhost = "a.example"\nport = 70000`, "ways.b.port: must be a whole number"],
    [
      `[[ways]]\nname = "b"\nkind = "graph"\nuser = "u"\npassword = "p"`,
      'ways.b.auth: must be "oauth2" when kind is "graph"',
    ],
    [`[ways]\nname = "b"`, "ways: must be a list of tables: [[ways]]"],
  ])("are refused with the key that is wrong: %#", (toml, fault) => {
    expect(files.faultText(`${DEFAULT}\n${toml}`)).toStartWith(fault);
  });

  test("need a default way that sends", () => {
    expect(files.faultyKeys(`[[ways]]\nname = "b"\nkind = "smtp"\nhost = "a.example"`)).toEqual(["delivery.transport"]);
  });

  test("with one name twice are refused", () => {
    const way = `[[ways]]\nname = "b"\nkind = "smtp"\nhost = "a.example"\n`;
    expect(files.faultText(`${DEFAULT}${way}${way}`)).toStartWith("ways.2.name: is the name of another way as well: b");
  });
});

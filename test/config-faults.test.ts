// The faults of a configuration: all at once, by key, in words that help.
import { afterAll, describe, expect, test } from "bun:test";
import { ConfigFolder, faults } from "./config-folder.ts";

const files = new ConfigFolder();
afterAll(() => files.remove());

describe("faults", () => {
  test("are all told at once, by key, with where they stand", () => {
    const file = files.written("[http]\nport = 70000\nhots = 'x'\n[log]\nlevel = 'loud'\n[nonsense]\nx = 1");
    const env = { POSTHORN_RELAY_PORT: "many", POSTHORN_RELAY_PASWORD: "x", POSTHORN_DELIVERY_TRANSPORT: "smtp" };
    expect(faults({ file, env, dataDir: "" })).toEqual([
      { key: "http.hots", message: `is not a known key; did you mean http.host? (in ${file})` },
      {
        key: "nonsense",
        message: `is not a known section; the sections are http, data, database, backup, delivery, relay, ses, smtp, scanners, limits, retention, webhooks, compat, dns, metrics, alerts, watch, team.oidc, updates, log, secrets (in ${file})`,
      },
      { key: "POSTHORN_RELAY_PASWORD", message: "is not a known variable; did you mean POSTHORN_RELAY_PASSWORD?" },
      { key: "http.port", message: `must be a whole number from 0 to 65535, not 70000 (in ${file})` },
      { key: "data.dir", message: "must not be empty; leave it out instead (set by --data)" },
      { key: "relay.port", message: 'must be a whole number from 1 to 65535, not "many" (set by POSTHORN_RELAY_PORT)' },
      { key: "log.level", message: `must be one of "debug", "info", "warn", "error", not "loud" (in ${file})` },
      {
        key: "http.base_url",
        message:
          'must be an address that recipients can reach, unless delivery.transport is "capture": links in emails would be dead',
      },
      { key: "relay.host", message: 'must be set when delivery.transport is "smtp"' },
    ]);
  });

  test("stand one a line in the message of the error, under their number", () => {
    expect(() => files.load("[http]\nport = -1\n[log]\nlevel = 'loud'")).toThrow(
      /^2 faults in the configuration:\n  http\.port: .+\n  log\.level: .+$/,
    );
  });

  test.each([
    ["[http]\nport = 2587", "http.port: must be another port than those of [smtp]"],
    ["[smtp]\ninbound_port = 8484", "http.port: must be another port than those of [smtp]"],
    ["[http]\nplain_port = 2525", "http.plain_port: must be another port than those of [smtp]"],
    [
      "[metrics]\nport = 8484",
      "metrics.port: must be another port than http.port, http.plain_port and those of [smtp]",
    ],
    [
      "[metrics]\nport = 2465",
      "metrics.port: must be another port than http.port, http.plain_port and those of [smtp]",
    ],
  ])("one port is not taken twice: %s", (text, said) => {
    expect(files.faultText(text)).toBe(said);
  });

  test.each([
    [
      "resend_host = 'shop.example'",
      "resend_host: must be another name than that of http.base_url: nothing else answers there",
    ],
    [
      "postmark_host = 'one.example'\nsendgrid_host = 'one.example'",
      "postmark_host: must be another name than the other hosts of [compat]",
    ],
    [
      "postmark_host = 'postmark'",
      'postmark_host: must be a full host name when http.tls is "acme": the certificate is for that name, too',
    ],
    [
      "mailgun_host = 'shop.example'",
      "mailgun_host: must be another name than that of http.base_url: nothing else answers there",
    ],
    ["sendgrid_host = 'https://x.example'", 'sendgrid_host: must be a host name such as "bounces.example.com"'],
  ])("a host of other programs is a name of its own: %s", (text, said) => {
    const http = "[http]\nbase_url = 'https://shop.example'\ntls = 'acme'\n";
    expect(files.faultText(`${http}[compat]\n${text}`)).toStartWith(`compat.${said}`);
  });

  const suggestions: readonly [string, string][] = [
    ["[http]\nbaseurl = 'x'", "http.baseurl: is not a known key; did you mean http.base_url?"],
    ["[htpp]\nport = 1", "htpp: is not a known section; did you mean [http]?"],
    ["[http]\ntransport = 'smtp'", "http.transport: is not a known key; did you mean delivery.transport?"],
    ["transport = 'smtp'", "transport: is not a known key; did you mean delivery.transport?"],
    ["[log]\ncolour = true", "log.colour: is not a known key; its section has log.level, log.format"],
    ["[__proto__]\nx = 1", "__proto__: is not a known section; the sections are http"],
    ["[http]\nconstructor = 1", "http.constructor: is not a known key; its section has http.host"],
  ];
  test.each(suggestions)("of spelling come with what was meant: %j", (toml, message) => {
    expect(files.faultText(toml)).toStartWith(message);
  });

  test("of TOML name the file, the line and the reason", () => {
    const file = files.written("[dns]\nservers = [\n  '192.0.2.1',\n]\n\n[http]\nport = 84 84\nhost = 'x'\n");
    expect(faults({ file, env: {} })).toEqual([
      { key: file, message: "is not valid TOML: line 7: Expected a newline or end of file after a key/value pair" },
    ]);
  });

  const wrong: readonly [string, string, string][] = [
    ["http", "port = '8484'", 'must be a whole number from 0 to 65535, not "8484"'],
    ["retention", "mail_days = 7", "must be 0, or must be a whole number from 31 to 36500, not 7"],
    ["http", "port = 84.5", "must be a whole number from 0 to 65535, not 84.5"],
    ["http", "port = 1979-05-27", "must be a whole number from 0 to 65535, not a date or time"],
    ["http", "port = {}", "must be a whole number from 0 to 65535, not a section"],
    ["http", "host = ''", "must not be empty"],
    ["http", "host = 8484", "must be text in quotes, not a number"],
    ["http", "host = true", "must be text in quotes, not the bare word true"],
    ["http", "host = 07:32:00", "must be text in quotes, not a date or time"],
    ["http", "host = '127.0.0.1:80'", "must be a host name or an IP address"],
    ["http", "host = 'mail.123'", "must be a host name or an IP address"],
    ["http", "base_url = 'mail.example.com'", "must be an http or https address"],
    ["http", "base_url = 'ftp://example.com'", "must be an http or https address"],
    ["http", "base_url = 'https://example.com/mail'", "must end after host and port"],
    ["http", "base_url = 'https://example.com?a'", "must end after host and port"],
    ["http", "base_url = 'https://example.com/#a'", "must end after host and port"],
    ["data", 'dir = "a\\u0000b"', "must be one line without control characters"],
    ["database", "url = 'postgres://db'", 'must be "sqlite:" and the path'],
    ["database", "url = 'mysql://db/posthorn'", 'must be "sqlite:" and the path'],
    ["database", "url = 'sqlite:'", 'must be "sqlite:" and the path'],
    ["database", "url = 'sqlite://x'", 'must be "sqlite:" and the path'],
    ["database", "url = 'sqlite::memory:'", 'must be "sqlite:" and the path'],
    ["delivery", "rate_per_second = nan", "must be a number from 0 to 10000, not NaN"],
    ["delivery", "rate_per_second = -1", "must be a number from 0 to 10000, not -1"],
    ["delivery", "burst = 0", "must be a whole number from 1 to 10000, not 0"],
    ["delivery", "concurrency = 501", "must be a whole number from 1 to 500, not 501"],
    ["delivery", "retry_schedule = '1m'", "must be a list in square brackets, not text"],
    ["delivery", "retry_schedule = ['1m', '1 week']", "has a bad entry 2: it must be a time from 1 to 604800 seconds"],
    ["delivery", "retry_schedule = [0]", "has a bad entry 1: it must be a time"],
    ["delivery", "retry_schedule = ['8d']", "has a bad entry 1: it must be a time"],
    ["delivery", `retry_schedule = [${"1,".repeat(21)}]`, "must have at most 20 entries, not 21"],
    ["delivery", "return_path_domain = '192.0.2.1'", "must be a host name such as"],
    ["delivery", "return_path_domain = 'a_b.example.com'", "must be a host name such as"],
    ["relay", "verify_certificate = 'no'", 'must be true or false, not "no"'],
    ["relay", "tls = 'ssl'", 'must be one of "starttls", "implicit", "none", not "ssl"'],
    ["ses", "region = 'Ireland'", "must be the name of an AWS region"],
    ["delivery", "domain_grace = '31d'", "must be a time from 0 to 2592000 seconds"],
    ["http", "trusted_proxies = ['proxy.example.com']", "has a bad entry 1: it must be an IP address or a network"],
    ["http", "trusted_proxies = ['10.0.0.0/33']", "has a bad entry 1: it must be an IP address or a network"],
    ["limits", "body_bytes = 1", "must be a whole number from 1024 to 104857600, not 1"],
    ["dns", "servers = ['dns.example.com']", "has a bad entry 1: it must be an IP address"],
    ["dns", "servers = ['192.0.2.1:0']", "has a bad entry 1: it must be an IP address"],
    ["dns", "servers = ['192.0.2.1', 5]", "has a bad entry 2: it must be text in quotes, not a number"],
  ];
  test.each(wrong)("of a value say what is allowed: [%s] %s", (section, line, words) => {
    const name = line.split(" ")[0];
    expect(files.faultText(`[${section}]\n${line}`)).toStartWith(`${section}.${name}: ${words}`);
  });

  test.each(["http = 5", "http = 1979-05-27", "[[http]]\nport = 1"])("of form: %j is no section", (toml) => {
    expect(files.faultText(toml)).toStartWith("http: must be a section: [http] on a line of its own");
  });

  test.each([
    "POSTHORN_HTTP_HOST",
    "POSTHORN_HTTP_PORT",
    "POSTHORN_RELAY_VERIFY_CERTIFICATE",
    "POSTHORN_RELAY_PASSWORD_FILE",
  ])("of an empty variable: %s", (name) => {
    expect(files.faultsOf("", { [name]: "" })).toHaveLength(1);
  });
});

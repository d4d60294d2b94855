// The configuration: its defaults, where it comes from, and what must hold between keys.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULTS, loadConfig, type Config } from "../src/base/config.ts";
import { environmentName, settablePaths } from "../src/base/config/paths.ts";
import { ConfigFolder, faults } from "./config-folder.ts";

const files = new ConfigFolder();
afterAll(() => files.remove());

describe("the defaults", () => {
  test("keep every mail on this machine, at 14 a second, on loopback", () => {
    expect(DEFAULTS.delivery).toMatchObject({ transport: "capture", ratePerSecond: 14, burst: 1, concurrency: 10 });
    expect(DEFAULTS.http).toEqual({
      host: "127.0.0.1",
      port: 8484,
      baseUrl: "http://127.0.0.1:8484",
      trustedProxies: [],
      ...{ tls: null, acmeEmail: null, acmeCaFile: null, plainPort: null, certFile: null, keyFile: null },
      acmeDirectory: "https://acme-v02.api.letsencrypt.org/directory",
      face: true,
      securityEmail: null,
    });
    expect(DEFAULTS.delivery.retryScheduleSeconds).toEqual([60, 300, 900, 3600, 14_400, 43_200]);
    expect(DEFAULTS.retention).toEqual({
      ...{ mailDays: 365, bodyDays: 90, eventDays: 365, inboundDays: 365, attemptDays: 90, recipientDays: 730 },
    });
    expect(DEFAULTS.limits).toEqual({
      ...{
        requestsPerMinute: 1000,
        signUpsPerMinute: 30,
        inboundPerMinute: 3000,
        bodyBytes: 15 * 1024 * 1024,
        importBytes: 1024 ** 3,
      },
      ...{
        executionDays: 90,
        auditDays: 365,
        bounceRateWarning: 5,
        complaintRateWarning: 0.1,
        bounceRateStop: 0,
        complaintRateStop: 0,
      },
    });
  });

  test("are what an empty file gives", () => {
    expect(files.load("")).toEqual(DEFAULTS);
  });

  test("cannot be changed by anyone, at any depth", () => {
    const config = files.load("[dns]\nservers = ['192.0.2.1']");
    for (const value of [DEFAULTS, config, config.http, config.dns.servers, config.delivery.retryScheduleSeconds]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });
});

describe("the sources", () => {
  test("environment wins over file, and only for the keys it sets", () => {
    const config = files.load("[http]\nhost = '::1'\nport = 1000", { POSTHORN_HTTP_PORT: "2000" });
    expect(config.http).toMatchObject({ host: "::1", port: 2000, baseUrl: "http://[::1]:2000" });
  });

  test("--data wins over environment and file", () => {
    const file = files.written("[data]\ndir = 'file'");
    expect(loadConfig({ file, env: { POSTHORN_DATA_DIR: "env" } }).data.dir).toBe("env");
    expect(loadConfig({ file, env: { POSTHORN_DATA_DIR: "env" }, dataDir: "line" }).data.dir).toBe("line");
  });

  test("POSTHORN_CONFIG names the file, and a file named on the command line wins over it", () => {
    const named = files.written("[http]\nport = 1");
    const other = files.written("[http]\nport = 2");
    expect(loadConfig({ env: { POSTHORN_CONFIG: named } }).http.port).toBe(1);
    expect(loadConfig({ file: other, env: { POSTHORN_CONFIG: named } }).http.port).toBe(2);
  });

  test("config.toml in the working directory is read when no file is named", () => {
    const before = process.cwd();
    const place = join(files.path, "cwd");
    mkdirSync(place);
    try {
      process.chdir(place);
      expect(loadConfig({ env: {} })).toEqual(DEFAULTS);
      writeFileSync("config.toml", "[http]\nport = 3");
      expect(loadConfig({ env: {} }).http.port).toBe(3);
    } finally {
      process.chdir(before);
    }
  });

  test("a named file that is missing is a fault, and the faults of the environment are told with it", () => {
    const missing = join(files.path, "missing.toml");
    const found = faults({ file: missing, env: { POSTHORN_HTTP_PORT: "x", POSTHORN_DELIVERY_TRANSPORT: "smtp" } });
    expect(found.map((problem) => problem.key)).toEqual([missing, "http.port"]);
    expect(found[0]?.message).toBe("cannot be read: no such file");
  });

  test("every key of the table has an environment variable of its own", () => {
    const names = [...settablePaths().keys()].map(environmentName);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("POSTHORN_DELIVERY_RETRY_SCHEDULE");
    expect(names).toContain("POSTHORN_RELAY_PASSWORD_FILE");
  });

  const fromEnvironment: readonly [string, string, (config: Config) => unknown, unknown][] = [
    [
      "POSTHORN_DNS_SERVERS",
      "192.0.2.1, [2001:db8::1]:5353",
      (c) => c.dns.servers,
      ["192.0.2.1", "[2001:db8::1]:5353"],
    ],
    [
      "POSTHORN_DELIVERY_RETRY_SCHEDULE",
      "30,5m,4h,2d",
      (c) => c.delivery.retryScheduleSeconds,
      [30, 300, 14_400, 172_800],
    ],
    ["POSTHORN_DELIVERY_RETRY_SCHEDULE", "", (c) => c.delivery.retryScheduleSeconds, []],
    ["POSTHORN_DELIVERY_RATE_PER_SECOND", "0.5", (c) => c.delivery.ratePerSecond, 0.5],
    ["POSTHORN_RELAY_VERIFY_CERTIFICATE", "false", (c) => c.relay.verifyCertificate, false],
    [
      "POSTHORN_DELIVERY_RETURN_PATH_DOMAIN",
      "Bounces.Example.COM",
      (c) => c.delivery.returnPathDomain,
      "bounces.example.com",
    ],
    ["POSTHORN_RELAY_CA_FILE", "/etc/ca.pem", (c) => c.relay.caFile, "/etc/ca.pem"],
    ["POSTHORN_LOG_FORMAT", "json", (c) => c.log.format, "json"],
  ];
  test.each(fromEnvironment)("%s=%s is understood", (name, value, read, expected) => {
    expect(read(files.load("", { [name]: value }))).toEqual(expected);
  });

  const foreign: readonly [string, string][] = [
    ["POSTHORN_TEST_ANYTHING", "1"],
    ["POSTHORN_SERVICE_HOST", "10.0.0.1"],
    ["POSTHORN_SERVICE_PORT_API", "8484"],
    ["POSTHORN_PORT", "tcp://10.0.0.1:8484"],
    ["POSTHORN_HTTP_PORT", "tcp://10.0.0.1:8484"],
    ["POSTHORN_PORT_8484_TCP_ADDR", "10.0.0.1"],
    ["UNRELATED_HTTP_PORT", "x"],
  ];
  test.each(foreign)("%s=%s is left to those who set it", (name, value) => {
    expect(files.load("", { [name]: value })).toEqual(DEFAULTS);
  });
});

describe("rules between keys", () => {
  const smtp = "[http]\nbase_url = 'https://mail.example.com'\n[delivery]\ntransport = 'smtp'\n";
  const ses = "[http]\nbase_url = 'https://mail.example.com'\n[delivery]\ntransport = 'ses'\n";
  const rules: readonly [string, readonly string[]][] = [
    [smtp, ["relay.host"]],
    [`${smtp}[relay]\nhost = 'smtp.example.com'`, []],
    [`${smtp}[relay]\nhost = 'smtp.example.com'\nuser = 'u'`, ["relay.password"]],
    [`${smtp}[relay]\nhost = 'smtp.example.com:25'`, ["relay.host"]],
    ["[relay]\npassword = 'p'", ["relay.user"]],
    ["[relay]\nuser = 'u'\npassword = 'p'", []],
    [ses, ["ses.region"]],
    [`${ses}[ses]\nregion = 'eu-west-1'`, []],
    ["[ses]\naccess_key_id = 'a'", ["ses.secret_access_key"]],
    ["[ses]\nsecret_access_key = 's'", ["ses.access_key_id"]],
    ["[ses]\nsession_token = 't'", ["ses.access_key_id", "ses.secret_access_key"]],
    ["[ses]\naccess_key_id = 'a'\nsecret_access_key = 's'\nsession_token = 't'", []],
  ];
  test.each(rules)("%j breaks %j", (toml, keys) => {
    expect(files.faultyKeys(toml)).toEqual([...keys]);
  });

  const oauth = "[relay]\nauth = 'oauth2'\nuser = 'news@shop.example'\n";
  const client = "client_id = 'c'\nclient_secret = 's'\n";
  test.each([
    [`${oauth}tenant = 'shop.example'\n${client}`, []],
    [`${oauth}token_url = 'https://login.example/token'\nclient_id = 'c'\nrefresh_token = 'r'`, []],
    [`${oauth}token_url = 'http://login.example/token'\n${client}`, ["relay.token_url"]],
    [`${oauth}tenant = 'a b'\n${client}`, ["relay.tenant"]],
    [`${oauth}${client}`, ["relay.token_url"]],
    [`${oauth}tenant = 't.example'\ntoken_url = 'https://login.example/token'\n${client}`, ["relay.token_url"]],
    [`${oauth}tenant = 't.example'\nclient_secret = 's'`, ["relay.client_id"]],
    [`${oauth}tenant = 't.example'\nclient_id = 'c'`, []],
    [`${oauth}tenant = 't.example'\n${client}password = 'p'`, ["relay.password"]],
    [`${oauth}tenant = 't.example'\n${client}tls = 'none'`, ["relay.tls"]],
    [`${oauth}service_account = '{"client_email":"a","private_key":"b"}'`, ["relay.service_account"]],
    [`[relay]\nauth = 'oauth2'\ntenant = 't.example'\n${client}`, ["relay.user"]],
    ["[relay]\nclient_id = 'c'", ["relay.auth"]],
  ] as const)("%j breaks %j", (toml, keys) => {
    expect(files.faultyKeys(toml)).toEqual([...keys]);
  });

  const relay = "[delivery]\ntransport = 'smtp'\n[relay]\nhost = 'smtp.example.com'\n";
  test.each([
    "http://localhost:8484",
    "http://LOCALHOST.",
    "http://posthorn.localhost",
    "http://127.0.0.1",
    "https://127.1.2.3:8484",
    "http://0.0.0.0:8484",
    "http://[::1]:8484",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
  ])("mails that leave may not hold links to %s", (baseUrl) => {
    expect(files.faultyKeys(`${relay}[http]\nbase_url = '${baseUrl}'`)).toEqual(["http.base_url"]);
    expect(files.faultyKeys(`[http]\nbase_url = '${baseUrl}'`)).toEqual([]);
  });

  test.each([
    "https://mail.example.com",
    "http://192.168.1.10:8484",
    "http://[2001:db8::1]",
    "http://mylocalhost.example",
  ])("mails that leave may hold links to %s", (baseUrl) => {
    expect(files.load(`${relay}[http]\nbase_url = '${baseUrl}/'`).http.baseUrl).toBe(baseUrl);
  });

  test("mails that leave need an address for their links, whatever the API listens on", () => {
    expect(files.faultyKeys(`${relay}[http]\nhost = '192.0.2.1'`)).toEqual(["http.base_url"]);
  });

  test.each([
    ["0.0.0.0", "http://127.0.0.1:8484"],
    ["::", "http://[::1]:8484"],
    ["Mail.Example.com", "http://mail.example.com:8484"],
  ])("links go to the own address while none is set: listening on %s gives %s", (host, baseUrl) => {
    expect(files.load(`[http]\nhost = '${host}'`).http.baseUrl).toBe(baseUrl);
  });
});

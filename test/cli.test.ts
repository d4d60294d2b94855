// The words of the command line: help, mistakes, the version, the configuration.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../package.json";
import { MIGRATIONS } from "../src/store/migrations.ts";
import { build, commitOf } from "../src/base/version.ts";
import { posthornCli } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";

const directory = freshDirectory();
afterAll(directory.remove);

const VERBS = [
  "serve",
  "ready",
  "status",
  "doctor",
  "tail",
  "queue list",
  "queue settle",
  "queue drop",
  "workspace create",
  "workspace list",
  "workspace disable",
  "workspace enable",
  "workspace delete",
  "reset",
  "key create",
  "key list",
  "key revoke",
  "domain add",
  "domain verify",
  "domain rotate",
  "domain list",
  "domain reports",
  "domain warmup",
  "backup",
  "backups",
  "restore",
  "consent verify",
  "standby",
  "promote",
  "release",
  "migrate",
  "rollback",
  "migrate-store",
  "install-service",
  "check-config",
  "version",
  "licenses",
];

/** They call a server by its API. */
const REMOTE_VERBS = ["send", "emails", "contacts", "track", "sendmail"];

describe("help", () => {
  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("names every verb: posthorn %p", async (words) => {
    const { code, out } = await posthornCli(words);
    expect(code).toBe(0);
    for (const verb of [...VERBS, ...REMOTE_VERBS]) expect(out).toContain(`\n  ${verb} `);
  });

  test.each(VERBS)("is there for %s", async (verb) => {
    const { code, out, err } = await posthornCli([...verb.split(" "), "--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toStartWith(`posthorn ${verb}`);
    for (const option of ["--config FILE", "--data DIR", "--help"]) expect(out).toContain(`\n  ${option}`);
  });

  test.each(REMOTE_VERBS)("names a server instead of an installation for %s", async (verb) => {
    const { code, out, err } = await posthornCli([verb, "--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toStartWith(`posthorn ${verb}`);
    for (const option of ["--url URL", "--key KEY", "--help"]) expect(out).toContain(`\n  ${option}`);
    for (const option of ["--config", "--data DIR"]) expect(out).not.toContain(option);
  });

  test.each(["workspace", "key", "domain"])("of a family names its verbs: %s", async (family) => {
    const { code, out } = await posthornCli([family, "--help"]);
    expect(code).toBe(0);
    for (const verb of VERBS) expect(out.includes(`\n  ${verb} `)).toBe(verb.startsWith(`${family} `));
  });

  test("tells what a verb needs and what it may be given", async () => {
    const { out } = await posthornCli(["help", "key", "create"]);
    expect(out).toStartWith(
      "posthorn key create --workspace ID|NAME [--domain DOMAIN …] [--name TEXT] [--permissions full|send|read|content] [--expires TIME] [--allow-ip ADDRESS …] [--event NAME …] [--json]\n",
    );
  });

  test.each(VERBS.filter((verb) => / (create|list|add|verify|enable|disable)/.test(verb)))(
    "offers JSON where records are printed: %s",
    async (verb) => {
      expect((await posthornCli([...verb.split(" "), "--help"])).out).toContain("\n  --json ");
    },
  );
});

describe("words that make no sense", () => {
  const mistakes: readonly [words: string, said: string][] = [
    ["wrokspace list", "posthorn has no verb wrokspace; did you mean workspace?"],
    ["frobnicate", "posthorn has no verb frobnicate"],
    ["workspace lst", "posthorn has no verb workspace lst; did you mean workspace list?"],
    ["workspace", "posthorn workspace needs a verb: create, list, disable, enable, delete, export, import"],
    [
      "--json",
      "posthorn needs a verb: serve, demo, ready, status, doctor, alerts, tail, queue, way, workspace, reset, key, domain, user, send, emails, contacts, track, test, pull, plan, apply, import-from, sendmail, backup, backups, restore, consent, standby, promote, release, clock, prune, compact, migrate, rollback, migrate-store, install-service, upgrade, check-config, settings, version, licenses",
    ],
    ["--frob", "posthorn has no option --frob"],
    ["serve --frob", "posthorn serve has no option --frob"],
    ["serve --dta x", "posthorn serve has no option --dta; did you mean --data?"],
    ["serve --json", "posthorn serve has no option --json"],
    ["serve -x", "posthorn serve has no option -x"],
    ["serve now", "posthorn serve does not take now"],
    ["serve --data", "posthorn serve needs DIR after --data"],
    ["key list --workspace --json", "posthorn key list needs ID|NAME after --workspace"],
    ["key list --json=yes", "posthorn key list takes no value for --json"],
    ["key create", "posthorn key create needs --workspace ID|NAME"],
    ["workspace create", "posthorn workspace create needs NAME"],
    ["workspace create a b", "posthorn workspace create does not take b"],
    ["domain add a.example", "posthorn domain add needs --workspace ID|NAME"],
    ["serve --__proto__", "posthorn serve has no option --__proto__"],
    ["serve --constructor", "posthorn serve has no option --constructor"],
  ];
  test.each(mistakes)("are told with where to read on: posthorn %s", async (words, said) => {
    const { code, out, err } = await posthornCli(words.split(" "));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.split("\n")[0] as string).toBe(said);
    expect(err.split("\n")[1]).toMatch(/^See: posthorn .*--help$/);
  });
});

describe("the version", () => {
  test.each([[["version"]], [["--version"]], [["-v"]]])("is printed by posthorn %p", async (words) => {
    const { code, out, err } = await posthornCli(words);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      new RegExp(`^posthorn ${version} \\(commit [\\w-]+( of \\d{4}-\\d\\d-\\d\\d)?, schema ${MIGRATIONS.length}\\)$`),
    );
  });

  test("is there for programs", async () => {
    const { out } = await posthornCli(["version", "--json"]);
    expect(JSON.parse(out)).toEqual({ ...build(), schema: MIGRATIONS.length });
  });

  test("has the commit of a checkout, and says so where there is none", () => {
    const { stdout } = Bun.spawnSync(["git", "rev-parse", "HEAD"]);
    expect(stdout.toString()).toStartWith(build().commit.replace("-dirty", ""));
    expect(commitOf(directory.path)).toEqual({ commit: "development", date: null });
  });
});

describe("check-config", () => {
  test("says that the configuration is fine, and where it comes from", async () => {
    const file = join(directory.path, "fine.toml");
    writeFileSync(file, "[http]\nport = 8080");
    const { code, out } = await posthornCli(["check-config", "--config", file], { POSTHORN_LOG_LEVEL: "warn" });
    expect(code).toBe(0);
    expect(out).toBe(`configuration is fine\nIt comes from ${file}, and from POSTHORN_LOG_LEVEL.`);
  });

  test("takes the file that POSTHORN_CONFIG names", async () => {
    const file = join(directory.path, "named.toml");
    writeFileSync(file, "[http]\nport = 8080");
    expect((await posthornCli(["check-config"], { POSTHORN_CONFIG: file })).out).toContain(`It comes from ${file}.`);
  });

  test.each(["missing.pem", "no-certificate.pem"])(
    "tells a relay's certificates that cannot be used: %s",
    async (name) => {
      const pem = join(directory.path, name);
      if (name === "no-certificate.pem") writeFileSync(pem, "none");
      const relay = { POSTHORN_DELIVERY_TRANSPORT: "smtp", POSTHORN_RELAY_HOST: "smtp.example.com" };
      const env = { ...relay, POSTHORN_RELAY_CA_FILE: pem, POSTHORN_HTTP_BASE_URL: "https://mail.example.com" };
      const { code, err } = await posthornCli(["check-config"], env);
      expect([code, err]).toEqual([2, expect.stringContaining(`relay.ca_file: ${pem} cannot be used: `)]);
    },
  );

  test("tells every fault at once, by key", async () => {
    const file = join(directory.path, "faulty.toml");
    writeFileSync(file, "[http]\nprot = 1\n[log]\nlevel = 'loud'");
    const { code, out, err } = await posthornCli(["check-config", "--config", file], { POSTHORN_HTTP_PORT: "x" });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.match(/^ {2}(\S+):/gm)).toEqual(["  http.prot:", "  http.port:", "  log.level:"]);
  });

  test.each(["serve", "workspace list", "key list", "domain list"])(
    "has the same answer for a faulty configuration as %s",
    async (verb) => {
      const words = (name: string) => [...name.split(" "), "--config", join(directory.path, "missing.toml")];
      const expected = await posthornCli(words("check-config"));
      expect(expected.code).toBe(2);
      expect(await posthornCli(words(verb))).toEqual(expected);
    },
  );
});

describe("a data directory", () => {
  test.each(["mistyped", "."])("that is none is not made one by looking into it: %s", async (name) => {
    const path = join(directory.path, name);
    const { code, err } = await posthornCli(["workspace", "list", "--data", path]);
    expect({ code, err }).toEqual({
      code: 1,
      err: `There is no database ${join(path, "posthorn.db")}. Begin with: posthorn serve, or name its directory with --data DIR.`,
    });
    expect(existsSync(join(path, "posthorn.db"))).toBe(false);
  });

  test("that cannot be made is told in one line", async () => {
    const file = join(directory.path, "file");
    writeFileSync(file, "");
    const { code, err } = await posthornCli(["workspace", "create", "acme", "--data", join(file, "data")]);
    expect({ code, err }).toEqual({ code: 1, err: `${file}/data: a part of the path is not a directory` });
  });

  test("whose database is none is told in one line", async () => {
    const path = join(directory.path, "spoilt");
    mkdirSync(path);
    writeFileSync(join(path, "posthorn.db"), "not a database, but long enough to be looked at. ".repeat(100));
    const { code, err } = await posthornCli(["workspace", "list", "--data", path]);
    expect({ code, err }).toEqual({
      code: 1,
      err: `The database ${join(path, "posthorn.db")} cannot be used: file is not a database.`,
    });
  });
});

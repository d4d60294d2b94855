// The example that people copy: complete, explained, and true.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DEFAULTS, loadConfig } from "../src/base/config.ts";
import { knownKeys, settablePaths } from "../src/base/config/paths.ts";
import { ConfigFolder } from "./config-folder.ts";

const EXAMPLE = join(import.meta.dir, "..", "config.example.toml");
/** A key that is shown but unset: `# region = "eu-west-1"`. */
const UNSET_LINE = /^# (\w+) = .+$/;

const files = new ConfigFolder();
afterAll(() => files.remove());

/** The lines of the example with the section of each. */
async function exampleLines(): Promise<readonly { section: string; line: string; index: number }[]> {
  let section = "";
  const lines = (await Bun.file(EXAMPLE).text()).split("\n");
  return lines.map((line, index) => {
    section = /^\[([\w.]+)\]$/.exec(line)?.[1] ?? section;
    return { section, line, index };
  });
}

describe("config.example.toml", () => {
  test("parses to exactly the defaults", () => {
    expect(loadConfig({ file: EXAMPLE, env: {} })).toEqual(DEFAULTS);
  });

  test("shows every key once in its own section, live exactly when it has a default", async () => {
    const shown = (await exampleLines()).flatMap(({ section, line }) => {
      const live = /^(\w+) = /.exec(line)?.[1];
      const unset = UNSET_LINE.exec(line)?.[1];
      return live ? [`${section}.${live} live`] : unset ? [`${section}.${unset} unset`] : [];
    });
    const hasDefault = (path: string): boolean =>
      knownKeys().some((known) => known.path === path && known.key.fallback !== null);
    const expected = [...settablePaths().keys()].map((path) => `${path} ${hasDefault(path) ? "live" : "unset"}`);
    expect(shown.toSorted()).toEqual(expected.toSorted());
  });

  test("explains every key in the line above it", async () => {
    const lines = await exampleLines();
    const unexplained = lines.filter(({ line, index, section }) => {
      const name = /^(?:# )?(\w+) = /.exec(line)?.[1];
      const isFileOfSecret = name?.endsWith("_file") && settablePaths().get(`${section}.${name.slice(0, -5)}`)?.secret;
      const above = lines[index - 1]?.line ?? "";
      const hasProseAbove = /^# .{20}/.test(above) && !UNSET_LINE.test(above);
      return name && !isFileOfSecret && !hasProseAbove;
    });
    expect(unexplained).toEqual([]);
  });

  test("has a value that would be accepted in every unset line, except where it would be a key known to everybody", async () => {
    const lines = await exampleLines();
    const unset = lines.filter(({ line }) => UNSET_LINE.test(line));
    const refused = unset.flatMap(({ section, line, index }) => {
      const toml = lines.map((one) => (one.index === index ? line.slice(2) : one.line)).join("\n");
      const path = `${section}.${UNSET_LINE.exec(line)?.[1]}`;
      return files.faultyKeys(toml).filter((key) => key === path && !key.endsWith("_file"));
    });
    expect(unset.length).toBeGreaterThan(10);
    expect(refused).toEqual(["relay.service_account", "alerts.webhook_secret", "secrets.key"]);
  });
});

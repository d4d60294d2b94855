// Configurations out of text, for tests: files in a folder of their own, and the faults that were found.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, loadConfig, type Config, type ConfigProblem } from "../src/base/config.ts";

type Env = Readonly<Record<string, string>>;

/** A new folder for the files of one test file; `remove` takes it away again. */
export class ConfigFolder {
  readonly path = mkdtempSync(join(tmpdir(), "posthorn-config-"));
  #count = 0;

  /** Writes a file and answers its path. */
  written(content: string): string {
    const path = join(this.path, `${++this.#count}.toml`);
    writeFileSync(path, content);
    return path;
  }

  load(toml: string, env: Env = {}): Config {
    return loadConfig({ file: this.written(toml), env });
  }

  faultsOf(toml: string, env: Env = {}): readonly ConfigProblem[] {
    return faults({ file: this.written(toml), env });
  }

  faultyKeys(toml: string, env: Env = {}): readonly string[] {
    return this.faultsOf(toml, env).map((problem) => problem.key);
  }

  /** Every fault as a line, `key: message`. */
  faultText(toml: string, env: Env = {}): string {
    const lines = this.faultsOf(toml, env).map(({ key, message }) => `${key}: ${message}`);
    return lines.join("\n");
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** What is wrong with a configuration; nothing when it can be loaded. */
export function faults(options: Parameters<typeof loadConfig>[0]): readonly ConfigProblem[] {
  try {
    loadConfig(options);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

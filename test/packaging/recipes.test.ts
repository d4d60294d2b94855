// What a release offers to those who install from an address: every placeholder filled, the sums those of its files,
// and each form accepted by the program that reads it. A program that is not installed is skipped by name.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RUNTIME } from "../../build/image.ts";
import { filled } from "../../build/recipes.ts";
import { signingKeyOf } from "../../build/signing.ts";
import { sumsOf } from "../../build/sums.ts";
import { version } from "../../package.json";
import { downloads, image } from "../../packaging/addresses.json";
import { environmentName, settablePaths } from "../../src/base/config/paths.ts";
import { ConfigFolder } from "../config-folder.ts";
import { freshDirectory } from "../support/database.ts";
import { ARCHIVES, releaseIn } from "../support/release-folder.ts";
import { newReleaseKey } from "../support/release-key.ts";

const key = signingKeyOf(newReleaseKey());
const work = freshDirectory();
const config = new ConfigFolder();
const release = join(work.path, "release");
const read = (path: string) => readFileSync(join(release, path), "utf8");
const sumOf = (name: string) => sumsOf(release)[`posthorn-${version}-${name}.tar.gz`];
afterAll(() => (work.remove(), config.remove()));

beforeAll(() => releaseIn(release, key));

test("the same release has the same recipes, to the byte", async () => {
  await releaseIn(join(work.path, "again"), key);
  expect(sumsOf(join(work.path, "again"))).toEqual(sumsOf(release));
});

test("a release without an archive that a recipe names has no recipe", () => {
  expect(() => filled("@SHA256 linux-riscv64@", {})).toThrow("asks for SHA256 linux-riscv64");
});

test("no placeholder is left", () => {
  const texts = Object.keys(sumsOf(release)).filter((path) => !/\.(deb|gz|tgz)$/.test(path));
  expect(texts.filter((path) => /@[A-Z]/.test(read(path)))).toEqual([]);
});

test.each(["homebrew/posthorn.rb", "nix/posthorn.nix"])("%s has the sum of each archive", (path) => {
  const sums = read(path).match(/\b[0-9a-f]{64}\b/g) ?? [];
  expect(sums.toSorted()).toEqual(ARCHIVES.map((name) => sumOf(name) as string).toSorted());
});

test.skipIf(!Bun.which("ruby"))("the formula leads each machine to its archive, as Ruby reads it", () => {
  // Homebrew's words, as far as the formula uses them outside of its blocks for later.
  const words = `
    class Formula
      def self.method_missing(name, *words)
        puts [name, *words].join(" ") if %i[url sha256 version].include?(name)
        yield if block_given? && [ENV["ON"], ENV["CPU"]].include?(name.to_s)
      end
      def self.test = nil
    end
    load ARGV[0]`;
  const said = (on: string, cpu: string) =>
    run(["ruby", "-e", words, join(release, "homebrew/posthorn.rb")], { ON: on, CPU: cpu });
  for (const [on, cpu, name] of [
    ["on_macos", "on_arm", "macos-arm64"],
    ["on_macos", "on_intel", "macos-x64"],
    ["on_linux", "on_arm", "linux-arm64"],
    ["on_linux", "on_intel", "linux-x64-baseline"],
  ] as const)
    expect(said(on, cpu)).toBe(
      `version ${version}\nurl ${downloads}/posthorn-${version}-${name}.tar.gz\nsha256 ${sumOf(name)}\n`,
    );
});

test.skipIf(!Bun.which("nix-instantiate"))("the expression leads each system to its archive, as Nix reads it", () => {
  const source = (system: string) => `
    (import ${join(release, "nix/posthorn.nix")} { pkgs = {
      lib = { optional = _: _: []; licenses.mit = "MIT"; sourceTypes.binaryNativeCode = null; };
      stdenv = { hostPlatform = { system = "${system}"; isLinux = false; }; mkDerivation = it: it; };
      fetchurl = it: it;
    }; }).src`;
  const evaluated = (system: string) =>
    JSON.parse(
      run(["nix-instantiate", "--eval", "--strict", "--json", "--expr", source(system)], { NIX_REMOTE: "dummy://" }),
    );
  for (const [system, name] of [
    ["x86_64-linux", "linux-x64-baseline"],
    ["aarch64-linux", "linux-arm64"],
    ["x86_64-darwin", "macos-x64"],
    ["aarch64-darwin", "macos-arm64"],
  ] as const)
    expect(evaluated(system)).toEqual({
      url: `${downloads}/posthorn-${version}-${name}.tar.gz`,
      sha256: sumOf(name),
    });
  expect(() => evaluated("riscv64-linux")).toThrow("There is no Posthorn for riscv64-linux.");
});

describe("in Coolify and Dokploy", () => {
  type Service = {
    readonly image: string;
    readonly environment: readonly string[] | Readonly<Record<string, string>>;
    readonly volumes: readonly string[];
  };
  const serviceIn = (path: string) =>
    (Bun.YAML.parse(read(path)) as { services: { posthorn: Service } }).services.posthorn;
  const pairsOf = ({ environment }: Service): [name: string, value: string][] =>
    Array.isArray(environment)
      ? environment.map((line: string) => line.split(/=(.*)/s).slice(0, 2) as [string, string])
      : Object.entries(environment as Readonly<Record<string, string>>);
  /** The service with what an operator types in, and what the platform itself sets. */
  const faultsWith = (service: Service, typed: Readonly<Record<string, string>>) =>
    config.faultsOf(
      "",
      Object.fromEntries(
        pairsOf(service)
          .filter(([name]) => name.startsWith("POSTHORN_"))
          .map(([name, value]) => [name, value.replace(/\$\{(\w+)(?::-(\w+)|:\?)?\}/, (_, of, or) => typed[of] ?? or)]),
      ),
    );
  const VARIABLES = [...settablePaths().keys()].map(environmentName);
  const TYPED = {
    POSTHORN_DELIVERY_RETURN_PATH_DOMAIN: "bounces.example.com",
    POSTHORN_RELAY_HOST: "smtp.example.com",
    POSTHORN_RELAY_USER: "shop",
    POSTHORN_RELAY_PASSWORD: "secret",
  };

  test.each(["coolify/posthorn.yaml", "dokploy/blueprints/posthorn/docker-compose.yml"])(
    "%s starts the image",
    (path) => {
      const service = serviceIn(path);
      expect(service.image).toBe(`${image}:${version}`);
      expect(service.volumes.map((one) => one.split(":")[1])).toEqual(Object.keys(RUNTIME.Volumes));
      const unknown = pairsOf(service).filter(([name]) => name.startsWith("POSTHORN_") && !VARIABLES.includes(name));
      expect(unknown).toEqual([]);
    },
  );

  test("Coolify's address and what an operator types in are a configuration without a fault", () => {
    const service = serviceIn("coolify/posthorn.yaml");
    expect(pairsOf(service).map(([name]) => name)).toContain("SERVICE_URL_POSTHORN_8484");
    expect(faultsWith(service, { ...TYPED, SERVICE_URL_POSTHORN: "https://mail.example.com" })).toEqual([]);
  });

  test("Dokploy's template has the environment that its service reads", () => {
    const service = serviceIn("dokploy/blueprints/posthorn/docker-compose.yml");
    const { config: template } = Bun.TOML.parse(read("dokploy/blueprints/posthorn/template.toml")) as {
      config: { env: string[]; domains: { serviceName: string; port: number }[] };
    };
    const typed = Object.fromEntries(template.env.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
    const address = { POSTHORN_HTTP_BASE_URL: "https://mail.example.com" };
    const asked = JSON.stringify(service).match(/(?<=\$\{)\w+/g) ?? [];
    expect(asked.toSorted()).toEqual(Object.keys(typed).toSorted());
    expect(faultsWith(service, { ...typed, ...address })).toEqual([]);
    expect(template.domains).toEqual([{ serviceName: "posthorn", port: 8484, host: "${main_domain}" } as never]);
    const [listed] = JSON.parse(read("dokploy/meta.json"));
    expect([listed.id, listed.version]).toEqual(["posthorn", version]);
    expect(read(`dokploy/blueprints/posthorn/${listed.logo}`)).toContain("<svg");
  });
});

/** @throws Error with what the program said */
function run(command: string[], env: Readonly<Record<string, string>> = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, ...env } });
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout.toString();
}

// The image: what its Dockerfile names is there. No engine is needed; the file is read.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager, version } from "../../package.json";
import { RUNTIME } from "../../build/image.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { environmentName, settablePaths } from "../../src/base/config/paths.ts";
import { ConfigFolder } from "../config-folder.ts";
import { posthornCli } from "../support/cli.ts";

const FOLDER = join(import.meta.dir, "../../packaging/docker");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const VARIABLES = new Set([...settablePaths().keys()].map(environmentName));
const config = new ConfigFolder();
afterAll(() => config.remove());

/** Instructions, with their continued lines in one. */
const INSTRUCTIONS = read("Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");
const instructions = (name: string) =>
  INSTRUCTIONS.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

describe("the image", () => {
  const environment = Object.fromEntries(
    instructions("ENV").flatMap((line) => line.split(/\s+/).map((pair) => pair.split("=") as [string, string])),
  );

  test("is made of files that a release has, in this version", () => {
    const release = readFileSync(join(FOLDER, "../../build/release.ts"), "utf8");
    const targets = [...release.matchAll(/\["(\w+-[\w-]+)", "bun-/g)].map(
      ([, name]) => `posthorn-${version}-${name}.tar.gz`,
    );
    const [context = ""] = instructions("COPY").filter((line) => !line.startsWith("--from="));
    const sources = context.replaceAll("${VERSION}", version).split(" ").slice(0, -1);
    expect(instructions("ARG")).toContain(`VERSION=${version}`);
    expect(sources.length).toBe(3);
    expect(["SHA256SUMS", ...targets]).toEqual(expect.arrayContaining(sources));
  });

  test("takes what is in an archive, and copies from stages that are there", () => {
    const archived = [
      ...readFileSync(join(FOLDER, "../../build/release.ts"), "utf8").matchAll(/"([\w.]+)": |^ +(LICENSE): /gm),
    ];
    const names = [...archived.map(([, quoted, plain]) => quoted ?? plain), "posthorn"];
    const [run = ""] = instructions("RUN");
    const taken = [...run.matchAll(/"\$name\/([\w.]+)"/g)].map(([, name]) => name);
    expect(taken.length).toBe(4);
    expect(names).toEqual(expect.arrayContaining(taken));
    const stages = instructions("FROM").flatMap((line) => / AS (\w+)$/.exec(line)?.[1] ?? []);
    const sources = instructions("COPY").flatMap((line) => /^--from=(\w+)/.exec(line)?.[1] ?? []);
    expect(stages).toEqual(expect.arrayContaining(sources));
  });

  test("has the libraries of the Bun that the executable is built with, and begins with nothing", () => {
    expect(instructions("FROM")).toEqual([
      `oven/bun:${packageManager.replace("bun@", "")}-alpine AS libraries`,
      expect.stringMatching(/^--platform=\$BUILDPLATFORM \S+ AS parts$/),
      "scratch",
    ]);
  });

  test("is run by nobody in particular, who owns the only volume, where the data is", () => {
    expect(instructions("USER")).toEqual(["65532:65532"]);
    expect(instructions("VOLUME")).toEqual([environment["POSTHORN_DATA_DIR"] ?? ""]);
    expect(instructions("RUN")[0]).toContain(`chown 65532:65532 /image${environment["POSTHORN_DATA_DIR"]}`);
  });

  test("sets variables that there are, to values that are taken", () => {
    const own = Object.keys(environment).filter((name) => name.startsWith("POSTHORN_"));
    expect(own.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(config.faultsOf("", environment)).toEqual([]);
  });

  test("is run as the one that a release has", () => {
    const [health = ""] = instructions("HEALTHCHECK");
    const seconds = (name: string) => Number(new RegExp(`--${name}=(\\d+)s`).exec(health)?.[1]) * 1e9;
    const named = (name: string) =>
      Object.fromEntries(
        instructions(name)
          .flatMap((line) => line.split(" "))
          .map((one) => [one, {}]),
      );
    expect(RUNTIME as object).toEqual({
      User: instructions("USER")[0],
      WorkingDir: instructions("WORKDIR")[0],
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Entrypoint: JSON.parse(instructions("ENTRYPOINT")[0] ?? ""),
      Cmd: JSON.parse(instructions("CMD")[0] ?? ""),
      ExposedPorts: Object.fromEntries(Object.keys(named("EXPOSE")).map((port) => [`${port}/tcp`, {}])),
      Volumes: named("VOLUME"),
      Healthcheck: {
        Test: ["CMD", ...JSON.parse(health.slice(health.indexOf("[")))],
        Interval: seconds("interval"),
        Timeout: seconds("timeout"),
        StartPeriod: seconds("start-period"),
      },
    });
  });

  test("opens the ports that Posthorn has by itself", () => {
    const { http, smtp } = DEFAULTS;
    const ports = [http.port, smtp.inboundPort, smtp.submissionPort, smtp.submissionsPort];
    expect(instructions("EXPOSE")).toEqual([ports.join(" ")]);
  });

  test("starts with a verb, and is asked by a verb, that there are", async () => {
    const [probe = ""] = instructions("HEALTHCHECK").map((line) => line.slice(line.indexOf("[")));
    const [command = ""] = instructions("CMD");
    expect(instructions("ENTRYPOINT")).toEqual(['["posthorn"]']);
    for (const words of [JSON.parse(probe).slice(1), JSON.parse(command)])
      expect((await posthornCli([...words, "--help"])).code).toBe(0);
  });
});

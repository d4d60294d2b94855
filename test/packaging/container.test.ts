// The image and the compose files: what they name is there. No engine is needed; each file is read.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager, version } from "../../package.json";
import { DEFAULTS } from "../../src/config.ts";
import { environmentName, settablePaths } from "../../src/config/keys.ts";
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

type Service = {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } };
  };
};

const OURS = `posthorn:${version}`;

describe.each(["compose.yaml", "compose.postgres.yaml"])("%s", (name) => {
  const compose = Bun.YAML.parse(read(name)) as Compose;
  const services = Object.entries(compose.services);
  const nodes = services.filter(([, { image }]) => image === OURS).map(([, service]) => service);

  test("configures Posthorn with variables that there are, without a fault", () => {
    expect(nodes.length).toBeGreaterThan(0);
    for (const { environment = {} } of nodes) {
      expect(Object.keys(environment).filter((variable) => !VARIABLES.has(variable))).toEqual([]);
      const faults = config
        .faultsOf("", environment)
        .filter(({ message }) => !/no such file|cannot be read/i.test(message));
      expect(faults).toEqual([]);
    }
  });

  test("gives each service the secrets that it reads, all of them from files that are named at its head", () => {
    for (const [service, { environment = {}, secrets = [] }] of services) {
      const wanted = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(\w+)$/.exec(value)?.[1] ?? []);
      expect([service, wanted.toSorted()]).toEqual([service, secrets.toSorted()]);
      expect(Object.keys(environment).filter((one) => /(PASSWORD|SECRET|TOKEN|URL|_KEY)$/.test(one))).toEqual(
        environment["POSTHORN_HTTP_BASE_URL"] ? ["POSTHORN_HTTP_BASE_URL"] : [],
      );
    }
    const [head = ""] = read(name).split(/^name:/m);
    for (const [secret, { file }] of Object.entries(compose.secrets))
      expect([file, head.includes(secret)]).toEqual([`./secrets/${secret}`, true]);
  });

  test("keeps what must be kept in volumes that there are, each of one service", () => {
    const used = services.flatMap(([, { volumes = [] }]) => volumes.map((one) => one.split(":")[0] ?? ""));
    expect(used.filter((one) => !one.startsWith("./")).toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    for (const { volumes = [] } of nodes)
      expect(volumes.map((one) => one.split(":")[1])).toEqual(["/var/lib/posthorn"]);
  });

  test("starts everything again, and waits only for services that can be asked how they are", () => {
    expect(services.filter(([, { restart }]) => restart !== "unless-stopped")).toEqual([]);
    const asked = services
      .filter(([, { image, healthcheck }]) => image === OURS || healthcheck)
      .map(([service]) => service);
    expect(asked).toEqual(services.map(([service]) => service));
    const awaited = services.flatMap(([, { depends_on: others = [] }]) =>
      Array.isArray(others) ? others : Object.keys(others),
    );
    expect(asked).toEqual(expect.arrayContaining(awaited));
  });

  test("forwards to ports of the image, and trusts the network that the proxy is in", () => {
    const ports = nodes.flatMap(({ ports: published = [] }) => published.map((one) => one.split(":").at(-1) ?? ""));
    const [opened = ""] = instructions("EXPOSE");
    expect(opened.split(" ")).toEqual(expect.arrayContaining(ports));
    const [network] = compose.networks.default.ipam.config;
    for (const { environment } of nodes) expect(environment?.["POSTHORN_HTTP_TRUSTED_PROXIES"]).toBe(network?.subnet);
  });
});

test("Caddy forwards to both nodes, and asks a call that there is", () => {
  const compose = Bun.YAML.parse(read("compose.postgres.yaml")) as Compose;
  const [, upstreams = ""] = /reverse_proxy (.+) \{/.exec(read("Caddyfile")) ?? [];
  const nodes = Object.entries(compose.services).filter(([, { image }]) => image === OURS);
  expect(upstreams.split(" ")).toEqual(nodes.map(([node]) => `${node}:${DEFAULTS.http.port}`));
  expect(read("Caddyfile")).toContain("health_uri /ready");
  const [, host = ""] = /^(\S+) \{$/m.exec(read("Caddyfile")) ?? [];
  expect(nodes[0]?.[1].environment?.["POSTHORN_HTTP_BASE_URL"]).toBe(`https://${host}`);
});

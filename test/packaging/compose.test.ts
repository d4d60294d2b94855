// The compose files and Caddyfile: what they name is there, and Posthorn takes what they set. No engine is needed; each
// file is read.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { DEFAULTS } from "../../src/base/config.ts";
import { environmentName, settablePaths } from "../../src/base/config/paths.ts";
import { ConfigFolder } from "../config-folder.ts";

const FOLDER = join(import.meta.dir, "../../packaging/docker");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const VARIABLES = new Set([...settablePaths().keys()].map(environmentName));
const config = new ConfigFolder();
afterAll(() => config.remove());

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
    const { http, smtp } = DEFAULTS;
    const opened = [http.port, smtp.inboundPort, smtp.submissionPort, smtp.submissionsPort].map(String);
    expect(opened).toEqual(expect.arrayContaining(ports));
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

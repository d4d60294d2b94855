// The bill of materials, held to CycloneDX 1.6, to the form of package addresses, and to the list of licences of SPDX.
import { expect, test } from "bun:test";
import { dependencies, packageManager } from "../../package.json";
import { billOfMaterials } from "../../build/sbom.ts";
import { build } from "../../src/base/version.ts";

/** https://spdx.org/licenses: those that we have accepted so far. Another one is looked at by a person first. */
const ACCEPTED = [
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "EUPL-1.1+",
  "CC0-1.0",
  "Unlicense",
];
const PURL = /^pkg:(npm\/(%40[\w.-]+\/)?[a-z0-9][\w.-]*|github\/[\w.-]+\/[\w.-]+)@[\w.+-]+$/;
const TYPES = [
  "application",
  "framework",
  "library",
  "container",
  "platform",
  "operating-system",
  "device",
  "firmware",
];

type License = { readonly expression?: string; readonly license?: { readonly id?: string } };
type Component = {
  readonly type: string;
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly licenses: readonly License[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
};
type Bill = {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly version: number;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
};

const bill = JSON.parse(JSON.stringify(billOfMaterials())) as Bill;
const all = [bill.metadata.component, ...bill.components];

test("It says which form it has, and of what it is the bill", () => {
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
  expect(bill.metadata.component).toMatchObject({ type: "application", name: "posthorn", version: build().version });
  expect(bill.metadata.timestamp ?? "2026-01-01T00:00:00Z").toMatch(
    /^\d{4}-\d\d-\d\dT[\d:]+(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  );
});

test("It lists the runtime and every package that we depend on, in the version that is installed", () => {
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`);
  const direct = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  expect(listed).toEqual(expect.arrayContaining([packageManager, ...direct]));
  expect(listed.length).toBeGreaterThan(direct.length + 1);
});

test("It lists what the pages are made of, and no tool that only checks or tests", () => {
  const listed = bill.components.map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining(["react", "@tiptap/core", "@codemirror/view", "uplot"]));
  expect(listed).not.toContain("playwright-core");
  expect(listed).not.toContain("standardwebhooks");
});

test("Each component has a type, a name, a version, and a reference and an address of its own", () => {
  for (const one of all) {
    expect(TYPES).toContain(one.type);
    expect([one.name, one.name.length > 0, one.version.length > 0]).toEqual([one.name, true, true]);
  }
  const references = all.map((one) => one["bom-ref"]);
  expect(new Set(references).size).toBe(references.length);
  const addresses = bill.components.map(({ purl }) => purl ?? "");
  expect(addresses.filter((purl) => !PURL.test(purl))).toEqual([]);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test("Checksums are SHA-512, in hexadecimal digits", () => {
  const hashes = bill.components.filter(({ type }) => type === "library").map((one) => one.hashes?.[0]);
  expect(hashes.filter((hash) => hash?.alg !== "SHA-512" || !/^[0-9a-f]{128}$/.test(hash.content))).toEqual([]);
});

test("Every licence is one of SPDX that we have accepted, as an id or as a single expression", () => {
  const bad = all.filter(({ licenses }) => licenses.length !== 1 || !licenses.every(accepted));
  expect(bad.map(({ name, licenses }) => [name, licenses])).toEqual([]);
});

/** In a choice (OR), one that is accepted is enough. */
function accepted({ expression, license }: License): boolean {
  if (license) return expression === undefined && ACCEPTED.includes(license.id ?? "");
  return (expression ?? "")
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((id) => ACCEPTED.includes(id)));
}

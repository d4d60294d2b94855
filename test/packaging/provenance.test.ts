// What a release was made of (SLSA), and what is known of findings in its parts (OpenVEX), in the forms of both.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { packageManager, version } from "../../package.json";
import { exploitabilityOf, knownFindings, provenanceOf, type Finding } from "../../build/provenance.ts";
import { billOfMaterials } from "../../build/sbom.ts";
import { build } from "../../src/base/version.ts";
import type { Json } from "../support/posthorn.ts";

const PART = "pkg:npm/react@19.0.0";
const FINDING: Finding = { id: "CVE-2027-1234", part: PART, status: "affected", statement: "Upgrade." };
const plain = (value: object): Json => JSON.parse(JSON.stringify(value));

test("a statement of in-toto names each file by its sum, and the commit, the lock file, the runtime and the C libraries it was made of", () => {
  const { _type, subject, predicateType, predicate } = plain(provenanceOf({ "a.tar.gz": "12ab" }));
  expect([_type, predicateType]).toEqual(["https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"]);
  expect(subject).toEqual([{ name: "a.tar.gz", digest: { sha256: "12ab" } }]);
  const { externalParameters, resolvedDependencies } = predicate.buildDefinition;
  expect(externalParameters).toEqual({ version, commit: build().commit });
  const sha256 = new Bun.CryptoHasher("sha256").update(readFileSync("bun.lock")).digest("hex");
  const libc = (architecture: string) => ({
    uri: expect.stringMatching(new RegExp(`^http://deb\\.debian\\.org/.*/libc6_[\\w.%+-]+_${architecture}\\.deb$`)),
    digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(resolvedDependencies).toEqual([
    { uri: "bun.lock", digest: { sha256 } },
    { uri: `pkg:npm/${packageManager}` },
    libc("amd64"),
    libc("arm64"),
  ]);
});

test.each([
  [{ ...FINDING }, { action_statement: "Upgrade." }],
  [
    { ...FINDING, status: "not_affected", justification: "vulnerable_code_not_present" },
    { justification: "vulnerable_code_not_present", impact_statement: "Upgrade." },
  ],
] as const)("a finding says of which part, and what is true of Posthorn: %j", (finding, said) => {
  const { statements, version: edition, ...document } = plain(exploitabilityOf([finding]));
  expect([edition, document.author, document["@context"]]).toEqual([1, "Posthorn", "https://openvex.dev/ns/v0.2.0"]);
  const products = [{ "@id": `pkg:generic/posthorn@${version}`, subcomponents: [{ "@id": PART }] }];
  expect(statements).toEqual([{ vulnerability: { name: FINDING.id }, products, status: finding.status, ...said }]);
});

test("known findings are about parts that the executable has", () => {
  const parts = (billOfMaterials() as Json).components.map(({ purl }: Json) => purl);
  expect(knownFindings().filter(({ part }) => !parts.includes(part))).toEqual([]);
});

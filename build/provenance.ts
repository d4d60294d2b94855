// What a release was made of and by what: an in-toto statement with the provenance of SLSA 1.0
// (https://slsa.dev/spec/v1.0/provenance), and what is known of findings in its parts (https://openvex.dev).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager, version } from "../package.json";
import { home } from "../packaging/addresses.json";
import { build } from "../src/base/version.ts";
import { libcUrl, PROCESSORS, type Processor } from "./image.ts";
import { sha256 } from "./sums.ts";

const ROOT = join(import.meta.dir, "..");

/** `sums`: SHA-256 of each file of the release, by its path. */
export function provenanceOf(sums: Readonly<Record<string, string>>): object {
  const { commit } = build();
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: Object.entries(sums).map(([name, digest]) => ({ name, digest: { sha256: digest } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${home}/build/npm-run-release/v1`,
        externalParameters: { version, commit },
        internalParameters: {},
        resolvedDependencies: [
          { uri: "bun.lock", digest: { sha256: digestOf("bun.lock") } },
          { uri: `pkg:npm/${packageManager}` },
          ...(Object.keys(PROCESSORS) as Processor[]).map((one) => ({
            uri: libcUrl(one),
            digest: { sha256: PROCESSORS[one].libc },
          })),
        ],
      },
      runDetails: {
        builder: { id: `${home}/build/release.ts` },
        metadata: { invocationId: `${version}-${commit}` },
      },
    },
  };
}

export type Finding = {
  /** As advisories name it: CVE-2027-1234 or GHSA-…. */
  readonly id: string;
  /** The package address of the part, as the bill of materials has it. */
  readonly part: string;
  readonly status: "not_affected" | "affected" | "fixed" | "under_investigation";
  /** Of OpenVEX, where the status is `not_affected`. */
  readonly justification?: string;
  /** What was looked at, or what to do. */
  readonly statement: string;
};

/** Of one finding or more: OpenVEX has no document without a statement. */
export function exploitabilityOf(findings: readonly Finding[]): object {
  const { commit, date } = build();
  const product = { "@id": `pkg:generic/posthorn@${version}` };
  return {
    "@context": "https://openvex.dev/ns/v0.2.0",
    "@id": `${home}/vex/${version}-${commit}`,
    author: "Posthorn",
    timestamp: date ?? "1970-01-01T00:00:00Z",
    version: 1,
    statements: findings.map(({ id, part, status, justification, statement }) => ({
      vulnerability: { name: id },
      products: [{ ...product, subcomponents: [{ "@id": part }] }],
      status,
      ...(justification === undefined ? {} : { justification }),
      ...(status === "affected" ? { action_statement: statement } : { impact_statement: statement }),
    })),
  };
}

/** What advisories say of parts of the executable, and whether it is true of Posthorn (CONTRIBUTING.md). */
export function knownFindings(): readonly Finding[] {
  return JSON.parse(readFileSync(join(ROOT, "packaging/findings.json"), "utf8")) as Finding[];
}

function digestOf(path: string): string {
  return sha256(readFileSync(join(ROOT, path)));
}

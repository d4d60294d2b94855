// The bill of materials of a release, by the lock file: CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
import { license, name, packageManager, version } from "../package.json";
import { embeddedPackages, type EmbeddedPackage } from "../src/base/licenses/packages.ts";
import { licenseOf } from "../src/base/licenses/texts.ts";
import { build } from "../src/base/version.ts";

export function billOfMaterials(): object {
  const { commit, date } = build();
  const [runtime = "", runtimeVersion = ""] = packageManager.split("@");
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      ...(date && { timestamp: date }),
      component: {
        type: "application",
        "bom-ref": name,
        name,
        version,
        licenses: [{ license: { id: license } }],
        properties: [{ name: "commit", value: commit }],
      },
    },
    components: [
      {
        type: "platform",
        "bom-ref": packageManager,
        name: runtime,
        version: runtimeVersion,
        purl: `pkg:github/oven-sh/bun@bun-v${runtimeVersion}`,
        licenses: [{ license: { id: "MIT" } }],
      },
      ...embeddedPackages().map(component),
    ],
  };
}

function component(one: EmbeddedPackage): object {
  const purl = `pkg:npm/${one.name.replace("@", "%40")}@${one.version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name: one.name,
    version: one.version,
    purl,
    hashes: [{ alg: "SHA-512", content: Buffer.from(one.integrity, "base64").toString("hex") }],
    licenses: [{ expression: licenseOf(one) }],
  };
}

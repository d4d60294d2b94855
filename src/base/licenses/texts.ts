// The licences of everything in an executable: of Posthorn, of Bun, and of each package, with the packages that share a
// text together.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { license, name, packageManager, version } from "../../../package.json";
import { embeddedPackages, type EmbeddedPackage } from "./packages.ts";

const FILE = /^(licen[sc]e|copying|notice)([-.].*)?$/i;
const RULE = "=".repeat(80);

const RUNTIME = `${packageManager.replace("@", " ")} runs the program. Bun is under the MIT licence and contains, among others, JavaScriptCore of WebKit
(LGPL 2.1), BoringSSL (OpenSSL and ISC), SQLite (public domain), zstd, brotli, libdeflate, zlib, c-ares, lol-html, uSockets, ICU, mimalloc and libarchive.
The whole list, and how to link Bun with another WebKit: https://bun.com/docs/project/license`;

/** Collected in a checkout whose packages are installed. */
export function collectedLicenses(): string {
  const own = readFileSync(join(import.meta.dir, "../../../LICENSE"), "utf8").trim();
  const sections = [`${name} ${version} (${license})\n\n${own}`, RUNTIME, ...shared(embeddedPackages())];
  return `${sections.join(`\n\n${RULE}\n\n`)}\n`;
}

function shared(packages: readonly EmbeddedPackage[]): readonly string[] {
  const byText = Map.groupBy(packages, licenseText);
  return [...byText].map(([text, those]) => {
    const names = those.map((one) => `${one.name} ${one.version} (${licenseOf(one)})`).join("\n");
    return text === "" ? `${names}\n\nThe package names its licence and brings no text of it.` : `${names}\n\n${text}`;
  });
}

/** The licence in its package.json (SPDX). */
export function licenseOf({ folder }: EmbeddedPackage): string {
  const { license: named, licenses } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof named === "string") return named;
  return named?.type ?? licenses?.[0]?.type ?? "unknown";
}

function licenseText({ folder }: EmbeddedPackage): string {
  if (!existsSync(folder)) return "";
  const files = readdirSync(folder)
    .filter((file) => FILE.test(file))
    .sort();
  return files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim()).join("\n\n");
}

// Part of `npm run build`: dist/posthorn, one file that embeds the program, its threads, the face and the licences, and
// knows its commit.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { SWAGGER_FILES, swaggerPath, type SwaggerFile } from "../src/http/docs/swagger-file.ts";
import { fileOfPage, PAGES } from "../src/http/guide/pages.ts";
import { collectedLicenses } from "../src/base/licenses/texts.ts";
import { commitOf } from "../src/base/version.ts";

const THREADS = [
  "src/operator/backup/backup-worker.ts",
  "src/operator/backup/stream/follow-worker.ts",
  "src/sending/carrier/carrier-worker.ts",
  "src/sending/carrier/signing/sign-worker.ts",
  "src/audience/csv/packed/packed-worker.ts",
  "src/content/rendering/render-worker.ts",
  "src/mail/inbound/inbound-worker.ts",
  "src/store/sqlite/worker.ts",
];
const ROOT = join(import.meta.dir, "..");
const LICENSES = "dist/licenses.zst";

/** The public key of releases, as packaging/release.pub has it; null = none has been made yet. */
export function releaseKeyText(): string | null {
  const path = join(ROOT, "packaging/release.pub");
  return existsSync(path) ? (readFileSync(path, "utf8").trim().split("\n").at(-1) ?? null) : null;
}

/** `name`: that of its archive; `target`: Bun's, such as `bun-linux-arm64-musl`. */
type Platform = { readonly name: string; readonly target: string };

/** For the machine it is built on, or a platform. dist/face.pack must be there. Answers Bun's exit code. */
export function buildExecutable(outfile: string, platform?: Platform): number {
  const { commit, date } = commitOf(ROOT);
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(join(ROOT, LICENSES), Bun.zstdCompressSync(collectedLicenses(), { level: 19 }));
  const words = [
    "build",
    "--compile",
    "--minify",
    "--bytecode",
    "--format=esm",
    ...(platform ? [`--target=${platform.target}`] : []),
    // What threads share is in the file once, and what is loaded late is a piece of its own.
    "--splitting",
    "--entry-naming=[name].[ext]",
    "--sourcemap=none",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    "--define",
    `POSTHORN_COMMIT=${JSON.stringify(commit)}`,
    "--define",
    `POSTHORN_DATE=${JSON.stringify(date ?? "")}`,
    "--define",
    `POSTHORN_PLATFORM=${JSON.stringify(platform?.name ?? "")}`,
    "--define",
    `POSTHORN_RELEASE_KEY=${JSON.stringify(releaseKeyText() ?? "")}`,
    "--define",
    `POSTHORN_SCHEMA=${JSON.stringify(packedSchema())}`,
    "src/whole/begin.ts",
    ...THREADS,
    "dist/face.pack",
    LICENSES,
    ...packedSwagger(),
    packedGuide(),
    "--outfile",
    outfile,
  ];
  return Bun.spawnSync([process.execPath, ...words], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] }).exitCode;
}

/** As src/store/migrations.ts unpacks it. */
function packedSchema(): string {
  const written = readFileSync(join(ROOT, "migrations/0001_schema.sql"));
  return Bun.zstdCompressSync(written, { level: 19 }).toString("base64");
}

/** As src/http/guide/files.ts reads it. */
function packedGuide(): string {
  const others = [
    "config.example.toml",
    "docs/operate/alerts.yml",
    "docs/operate/grafana.json",
    "src/http/guide/asked-as.txt",
  ];
  const paths = [...[...PAGES].map(fileOfPage), ...others];
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
  const pack = "dist/guide.zst";
  writeFileSync(join(ROOT, pack), Bun.zstdCompressSync(JSON.stringify(files), { level: 19 }));
  return pack;
}

/** As they are, they would be two megabytes. */
function packedSwagger(): string[] {
  return (Object.keys(SWAGGER_FILES) as SwaggerFile[]).map((name) => {
    const packed = `dist/${name}.br`;
    writeFileSync(join(ROOT, packed), brotliCompressSync(readFileSync(swaggerPath(name))));
    return packed;
  });
}

if (import.meta.main) process.exit(buildExecutable("dist/posthorn"));

// The image of a release, for both processors in one file: an OCI layout (https://specs.opencontainers.org/image-spec/)
// that `docker load` reads as well. Written without an engine: the executable, the C library of Debian, and no shell.
import { mkdirSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { extract, pack, type Header, type Pack } from "tar-stream";
import { collectedLicenses } from "../src/base/licenses/texts.ts";
import { build } from "../src/base/version.ts";
import { sha256 } from "./sums.ts";

const ROOT = join(import.meta.dir, "..");
const POOL = "http://deb.debian.org/debian/pool/main/g/glibc";
const LIBC = "2.36-9+deb12u14";
/** The libraries that the executable asks for, and what resolves names. */
const LIBRARIES = /^\.\/(usr\/)?lib(64)?\/.*\/?(ld-linux-[\w.-]+|lib(c|m|dl|pthread|rt|resolv)\.so\.\d)$/;

export const PROCESSORS = {
  amd64: { target: "linux-x64-baseline", libc: "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf" },
  arm64: { target: "linux-arm64", libc: "01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4" },
} as const;
export type Processor = keyof typeof PROCESSORS;

const USER = 65532;
/** As packaging/docker/Dockerfile has it. */
export const RUNTIME = {
  User: `${USER}:${USER}`,
  WorkingDir: "/etc/posthorn",
  Env: [
    "PATH=/usr/bin",
    "POSTHORN_DATA_DIR=/var/lib/posthorn",
    "POSTHORN_HTTP_HOST=0.0.0.0",
    "POSTHORN_SMTP_HOST=0.0.0.0",
    "POSTHORN_LOG_FORMAT=json",
  ],
  Entrypoint: ["posthorn"],
  Cmd: ["serve"],
  ExposedPorts: Object.fromEntries([8484, 2525, 2587, 2465].map((port) => [`${port}/tcp`, {}])),
  Volumes: { "/var/lib/posthorn": {} },
  // In nanoseconds.
  Healthcheck: { Test: ["CMD", "posthorn", "ready"], Interval: 10e9, Timeout: 6e9, StartPeriod: 60e9 },
};

type Blob = { readonly mediaType: string; readonly digest: string; readonly size: number };
type ImageSource = { readonly processor: Processor; readonly executable: Uint8Array; readonly libc: Uint8Array };

/** Where the package of the C library comes from. */
export function libcUrl(processor: Processor): string {
  return `${POOL}/${encodeURIComponent(`libc6_${LIBC}_${processor}.deb`)}`;
}

/** That package, from the cache or the pool. @throws Error unless it is the one that is named here */
export async function libcOf(processor: Processor): Promise<Uint8Array> {
  const kept = join(ROOT, "dist", `libc6_${LIBC}_${processor}.deb`);
  if (!existsSync(kept)) {
    const answer = await fetch(libcUrl(processor));
    if (!answer.ok) throw new Error(`${libcUrl(processor)} answered ${answer.status}.`);
    mkdirSync(join(ROOT, "dist"), { recursive: true });
    writeFileSync(kept, await answer.bytes());
  }
  const bytes = readFileSync(kept);
  if (sha256(bytes) !== PROCESSORS[processor].libc) throw new Error(`${kept} is not the package that was expected.`);
  return bytes;
}

/** The bytes of the file: the same sources make the same ones. */
export async function imageOf(sources: readonly ImageSource[], version: string): Promise<Buffer> {
  const blobs = new Map<string, Uint8Array>();
  const keep = (mediaType: string, bytes: Uint8Array): Blob => {
    const digest = `sha256:${sha256(bytes)}`;
    blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const { commit, date } = build();
  const labels = {
    "org.opencontainers.image.title": "Posthorn",
    "org.opencontainers.image.description": "A self-hosted email platform in one executable",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": commit,
    "org.opencontainers.image.licenses": "MIT",
    "org.opencontainers.image.base.name": `libc6 ${LIBC} of Debian`,
    ...(date === null ? {} : { "org.opencontainers.image.created": date }),
  };
  const manifests = [];
  const loaded = [];
  for (const source of sources) {
    const tar = await fileSystemOf(source);
    const layer = keep("application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(tar, { level: 6 }));
    const config = keep(
      "application/vnd.oci.image.config.v1+json",
      json({
        ...(date === null ? {} : { created: date }),
        architecture: source.processor,
        os: "linux",
        config: { ...RUNTIME, Labels: labels },
        rootfs: { type: "layers", diff_ids: [`sha256:${sha256(tar)}`] },
      }),
    );
    const mediaType = "application/vnd.oci.image.manifest.v1+json";
    const manifest = keep(
      mediaType,
      json({ schemaVersion: 2, mediaType, config, layers: [layer], annotations: labels }),
    );
    manifests.push({ ...manifest, platform: { architecture: source.processor, os: "linux" } });
    const [Config, Layer] = [config, layer].map(({ digest }) => pathOf(digest));
    loaded.push({ Config, RepoTags: [`posthorn:${version}-${source.processor}`], Layers: [Layer] });
  }
  const mediaType = "application/vnd.oci.image.index.v1+json";
  const index = keep(mediaType, json({ schemaVersion: 2, mediaType, manifests, annotations: labels }));
  const named = { ...index, annotations: { "org.opencontainers.image.ref.name": version } };
  const out = pack();
  file(out, "oci-layout", json({ imageLayoutVersion: "1.0.0" }));
  file(out, "index.json", json({ schemaVersion: 2, mediaType, manifests: [named] }));
  file(out, "manifest.json", json(loaded));
  for (const [digest, bytes] of [...blobs].sort()) file(out, pathOf(digest), bytes);
  out.finalize();
  return buffer(out);
}

async function fileSystemOf({ executable, libc }: ImageSource): Promise<Buffer> {
  const out = pack();
  folder(out, "var/lib/posthorn", { mode: 0o700, uid: USER, gid: USER });
  folder(out, "tmp", { mode: 0o1777 });
  folder(out, "etc/posthorn");
  file(out, "etc/passwd", `posthorn:x:${USER}:${USER}::/var/lib/posthorn:/sbin/nologin\n`);
  file(out, "etc/group", `posthorn:x:${USER}:\n`);
  for (const name of ["LICENSE", "config.example.toml"])
    file(out, `usr/share/doc/posthorn/${name}`, readFileSync(join(ROOT, name)));
  file(out, "usr/share/doc/posthorn/LICENSES.txt", collectedLicenses());
  file(out, "usr/bin/posthorn", executable, 0o755);
  await copyLibraries(libc, out);
  out.finalize();
  return buffer(out);
}

async function copyLibraries(libc: Uint8Array, out: Pack): Promise<void> {
  const { stdout } = Bun.spawnSync(["dpkg-deb", "--fsys-tarfile", "/dev/stdin"], { stdin: libc });
  const tar = extract();
  tar.end(stdout);
  for await (const entry of tar) {
    const { name, type, linkname, mode = 0o644 } = entry.header;
    const bytes = await buffer(entry);
    const isText = name === "./usr/share/doc/libc6/copyright";
    if (!isText && !(LIBRARIES.test(name) && (type === "file" || type === "symlink"))) continue;
    const path = name.slice(2);
    if (type === "symlink") out.entry({ name: path, mode, mtime: new Date(0), type, linkname: linkname ?? "" });
    else file(out, path, bytes, mode);
  }
}

function file(out: Pack, name: string, content: Uint8Array | string, mode = 0o644): void {
  out.entry({ name, mode, mtime: new Date(0) }, Buffer.from(content as Uint8Array));
}

/** Folders above it come into being as they are unpacked. */
function folder(out: Pack, name: string, more: Partial<Header> = {}): void {
  out.entry({ name: `${name}/`, type: "directory", mode: 0o755, mtime: new Date(0), ...more });
}

function pathOf(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

// The image that a release has: an OCI layout that docker load reads too, with a file system that starts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { imageOf, type Processor } from "../../build/image.ts";
import { freshDirectory } from "../support/database.ts";
import type { Json } from "../support/posthorn.ts";

const CAN_BUILD = Bun.which("dpkg-deb") !== null && process.arch === "x64" && process.platform === "linux";
const CAN_START = CAN_BUILD && process.getuid?.() === 0 && Bun.which("unshare") !== null;
const work = freshDirectory();
afterAll(work.remove);

/** The C library of this machine, as Debian packs it. */
function libcHere(): Uint8Array {
  const folder = join(work.path, "libc");
  const put = (path: string, from: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(realpathSync(from), join(folder, path));
  };
  const said = Bun.spawnSync(["ldd", process.execPath]).stdout.toString();
  for (const [, path = ""] of said.matchAll(/(\/\S+\.so\.\d+)/g)) put(path.slice(1), path);
  put("usr/bin/ldd", "/usr/bin/ldd");
  mkdirSync(join(folder, "DEBIAN"));
  writeFileSync(
    join(folder, "DEBIAN/control"),
    "Package: libc6\nVersion: 0\nArchitecture: amd64\nMaintainer: x\nDescription: x\n",
  );
  mkdirSync(join(folder, "usr/share/doc/libc6"), { recursive: true });
  writeFileSync(join(folder, "usr/share/doc/libc6/copyright"), "LGPL\n");
  const file = join(work.path, "libc.deb");
  expect(Bun.spawnSync(["dpkg-deb", "--build", "-Znone", folder, file]).exitCode).toBe(0);
  return readFileSync(file);
}

const unpacked = join(work.path, "image");
let bytes: Buffer;
let executable: Uint8Array;
let libc: Uint8Array;
const read = (path: string): Buffer => readFileSync(join(unpacked, path));
const json = (path: string): Json => JSON.parse(read(path).toString());
const blob = (digest: string): string => `blobs/${digest.replace(":", "/")}`;

function sources() {
  return (["amd64", "arm64"] as Processor[]).map((processor) => ({ processor, executable, libc }));
}

beforeAll(async () => {
  if (!CAN_BUILD) return;
  executable = readFileSync(process.execPath);
  libc = libcHere();
  bytes = await imageOf(sources(), "0.1.0");
  mkdirSync(unpacked);
  writeFileSync(join(work.path, "image.tar"), bytes);
  expect(Bun.spawnSync(["tar", "xf", join(work.path, "image.tar"), "-C", unpacked]).exitCode).toBe(0);
});

test.skipIf(!CAN_BUILD)("the same sources make the same bytes", async () => {
  const sum = (one: Uint8Array) => createHash("sha256").update(one).digest("hex");
  expect(sum(await imageOf(sources(), "0.1.0"))).toBe(sum(bytes));
});

test.skipIf(!CAN_BUILD)("each blob has the digest and the size by which it is named", () => {
  const seen: string[] = [];
  const follow = ({ digest, size }: { digest: string; size: number }): Json => {
    const content = read(blob(digest));
    expect([`sha256:${createHash("sha256").update(content).digest("hex")}`, content.length]).toEqual([digest, size]);
    seen.push(digest);
    return digest;
  };
  const [index] = json("index.json").manifests;
  for (const manifest of json(blob(follow(index))).manifests) {
    const { config, layers } = json(blob(follow(manifest)));
    const { architecture, os, rootfs } = json(blob(follow(config)));
    expect({ architecture, os }).toEqual(manifest.platform);
    const layer = gunzipSync(read(blob(follow(layers[0]))));
    expect(rootfs.diff_ids).toEqual([`sha256:${createHash("sha256").update(layer).digest("hex")}`]);
  }
  expect(seen).toHaveLength(7);
});

test.skipIf(!CAN_BUILD)("docker load finds both processors by name", () => {
  const loaded = json("manifest.json");
  expect(loaded.flatMap(({ RepoTags }: Json) => RepoTags)).toEqual(["posthorn:0.1.0-amd64", "posthorn:0.1.0-arm64"]);
  for (const { Config, Layers } of loaded)
    for (const path of [Config, ...Layers]) expect(read(path).length).toBeGreaterThan(0);
});

test.skipIf(!CAN_START)("its file system starts, as nobody in particular, with nothing but what is in it", () => {
  const root = join(work.path, "root");
  mkdirSync(root);
  const [layer] = json("manifest.json")[0].Layers;
  expect(Bun.spawnSync(["tar", "xzf", join(unpacked, layer), "-C", root]).exitCode).toBe(0);
  const files = Bun.spawnSync(["find", root, "-type", "f", "-printf", "%P\\n"]).stdout.toString().trim().split("\n");
  expect(files.filter((path) => /bin\//.test(path))).toEqual(["usr/bin/posthorn"]);
  const chroot = `mount -t proc proc '${root}/proc' && mount --bind /dev '${root}/dev' &&
    exec chroot --userspec=65532:65532 '${root}' /usr/bin/posthorn --version`;
  for (const name of ["proc", "dev"]) mkdirSync(join(root, name));
  const { stdout, stderr, exitCode } = Bun.spawnSync(["unshare", "-m", "sh", "-c", chroot]);
  expect([exitCode, stderr.toString(), stdout.toString()]).toEqual([0, "", `${Bun.version}\n`]);
});

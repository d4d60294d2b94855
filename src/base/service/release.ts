// A release at an address or in a folder: its signed sums, and one of its archives (docs/operate/upgrade.md).
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { checkedSignature, type ReleaseKey } from "./minisign.ts";

/** `place`: a folder, or the URL of one. */
export type Release = {
  readonly place: string;
  readonly version: string;
  /** SHA-256 in hexadecimal, by the names of files. */
  readonly sums: ReadonlyMap<string, string>;
};

const MOST_SUMS_BYTES = 1_000_000;
const SUMS_WITHIN_MS = 30_000;
/** A slow line takes its time. */
const ARCHIVE_WITHIN_MS = 3_600_000;
/** The free space for an upgrade, as a multiple of its archive: an executable is compressed to a third. */
const UNPACKED_TIMES = 5;
const MOST_UNPACKED_BYTES = 1_000_000_000;
const COMMENT = /^posthorn (\d+\.\d+\.\d+(?:-[\w.]+)?) /;
const SUM = /^([0-9a-f]{64}) [ *](\S+)$/;

/** The release at a place. @throws Error in plain words if there is none, or its signature is not by this key */
export async function releaseAt(place: string, key: ReleaseKey): Promise<Release> {
  const [file, signature] = await Promise.all([smallFile(place, "SHA256SUMS"), smallFile(place, "SHA256SUMS.minisig")]);
  const comment = checkedSignature(file, new TextDecoder().decode(signature), key);
  const version = COMMENT.exec(`${comment} `)?.[1];
  if (version === undefined) throw new Error(`What is signed at ${place} names no version of Posthorn.`);
  const lines = new TextDecoder().decode(file).split("\n");
  return { place, version, sums: new Map(lines.flatMap((line) => sumIn(line) ?? [])) };
}

function sumIn(line: string): [[string, string]] | null {
  const [, sum = "", name = ""] = SUM.exec(line) ?? [];
  return name === "" ? null : [[name, sum]];
}

/**
 * Writes the executable in an archive of the release to `path`. @throws Error if the release has no such archive, it is
 * not the signed one, or there is no room; nothing is left then
 */
export async function unpackExecutable(
  { place, version, sums }: Release,
  platform: string,
  path: string,
): Promise<void> {
  const name = `posthorn-${version}-${platform}`;
  const sum = sums.get(`${name}.tar.gz`);
  if (sum === undefined) throw new Error(`The release ${version} has nothing for ${platform}.`);
  const archive = `${path}.tar.gz`;
  try {
    await fetchTo(place, `${name}.tar.gz`, archive);
    if ((await sumOf(archive)) !== sum)
      throw new Error(`${name}.tar.gz is damaged: its SHA-256 is not the one that was signed.`);
    await unpack(archive, `${name}/posthorn`, path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    rmSync(archive, { force: true });
  }
}

async function unpack(archive: string, member: string, path: string): Promise<void> {
  const tar = extract();
  const reading = pipeline(createReadStream(archive), createGunzip(), limited(MOST_UNPACKED_BYTES), tar);
  let isFound = false;
  for await (const entry of tar) {
    if (entry.header.name === member && entry.header.type === "file") {
      await pipeline(entry, createWriteStream(path, { mode: 0o755 }));
      isFound = true;
    } else entry.resume();
  }
  await reading;
  if (!isFound) throw new Error(`The archive has no ${member}.`);
}

/** @throws Error if it cannot be read, or there is no room for it and its content */
async function fetchTo(place: string, name: string, path: string): Promise<void> {
  if (!isUrl(place)) {
    const from = join(place, name);
    refuseFull(path, statSync(from).size);
    return pipeline(createReadStream(from), createWriteStream(path));
  }
  const answer = await answerOf(place, name, ARCHIVE_WITHIN_MS);
  refuseFull(path, Number(answer.headers.get("content-length") ?? 0));
  const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, limited(MOST_UNPACKED_BYTES), createWriteStream(path));
}

function refuseFull(path: string, bytes: number): void {
  const folder = join(path, "..");
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.ceil((bavail * bsize) / 1_000_000);
  const needed = Math.ceil((bytes * UNPACKED_TIMES) / 1_000_000);
  if (free < needed) throw new Error(`The upgrade needs ${needed} MB in ${folder}, where ${free} MB are free.`);
}

function limited(most: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length;
      if (seen > most) done(new Error(`The archive is larger than ${most} bytes.`));
      else done(null, chunk);
    },
  });
}

async function smallFile(place: string, name: string): Promise<Uint8Array> {
  if (!isUrl(place)) return readFileSync(join(place, name));
  const bytes = await (await answerOf(place, name, SUMS_WITHIN_MS)).bytes();
  if (bytes.length > MOST_SUMS_BYTES) throw new Error(`${name} at ${place} is too large.`);
  return bytes;
}

/** `withinMs`: for the whole answer. */
async function answerOf(place: string, name: string, withinMs: number): Promise<Response> {
  const url = `${place.replace(/\/+$/, "")}/${name}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) }).catch((error: Error) => {
    throw new Error(`${url} cannot be reached: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return answer;
}

function isUrl(place: string): boolean {
  return /^https?:\/\//.test(place);
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

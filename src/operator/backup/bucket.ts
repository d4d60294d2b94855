// Backups in a bucket that speaks S3. A written object counts once the bucket has reported its size.
import { S3Client, type S3ListObjectsOptions, type S3ListObjectsResponse, type S3Stats } from "bun";
import { Readable } from "node:stream";
import type { Config } from "../../base/config.ts";

const PART_BYTES = 8 * 1024 * 1024;
/** More than a busy server ships in a month. */
const MOST_NAMES = 10_000_000;

/** The client's codes, in place of the bucket's own words. */
const REASONS: Readonly<Record<string, string>> = {
  ConnectionRefused: "its endpoint takes no connections",
  NoSuchBucket: "there is no such bucket",
  NoSuchKey: "there is no object of that name",
};

/** A larger object was put there to exhaust the memory of this process. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";

  constructor(most: number) {
    super(`it is larger than the ${Math.ceil(most / 1000)} KB that Posthorn writes at most`);
  }
}

type NameQuery = { readonly prefix?: string; readonly after?: string; readonly most?: number };

/** @throws Error without credentials: the client would write nothing and say that it is done */
export function bucketAt(access: Config["backup"], bucket: string, prefix: string) {
  const client = clientOf(access, bucket);
  refuseWithoutCredentials(client, bucket);
  const explainFaults = <Value>(work: Promise<Value>) =>
    work.catch((error) => Promise.reject(explained(error, bucket)));
  return {
    put: (name: string, bytes: Readable) => explainFaults(putStream(client, prefix + name, bytes)),
    read: (name: string) => Readable.from(piecesOf(client, prefix + name, bucket)),
    putBytes: (name: string, bytes: Uint8Array) => explainFaults(putBytes(client, prefix + name, bytes)),
    readBytes: (name: string, most: number) => explainFaults(bytesAt(client, prefix + name, most)),
    names: (wanted?: NameQuery) => namesIn(client, { prefix, bucket }, wanted),
    remove: (name: string) => explainFaults(client.delete(prefix + name)),
  };
}

function clientOf({ endpoint, region, accessKeyId, secretAccessKey, pathStyle }: Config["backup"], bucket: string) {
  return new S3Client({
    bucket,
    virtualHostedStyle: !pathStyle,
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
    ...(accessKeyId !== null && { accessKeyId }),
    ...(secretAccessKey !== null && { secretAccessKey }),
  });
}

function refuseWithoutCredentials(client: S3Client, bucket: string): void {
  try {
    // Signing needs no request.
    client.presign("credentials");
  } catch (error) {
    throw new Error(
      `There are no credentials for the bucket ${bucket}: set access_key_id and secret_access_key in [backup], or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`,
      { cause: error },
    );
  }
}

/** The client's own words are "an unexpected error has occurred" where the bucket's answer had none. */
function explained(error: unknown, bucket: string): Error {
  const { code = "", name, message } = error as Error & { code?: string };
  if (name !== "S3Error") return error as Error;
  const reason = REASONS[code] ?? (code === "UnknownError" ? "it refuses the request, without a reason" : message);
  return new Error(`The bucket ${bucket}: ${reason}.`.replace("..", "."), { cause: error });
}

async function putStream(client: S3Client, key: string, bytes: Readable): Promise<void> {
  const writer = client.file(key).writer({ partSize: PART_BYTES, queueSize: 1, retry: 3 });
  let written = 0;
  // An upload that is given up without `end` never shows in the bucket.
  for await (const piece of bytes) {
    written += (piece as Uint8Array).length;
    await writer.write(piece as Uint8Array);
    await writer.flush();
  }
  await writer.end();
  await refuseIncomplete(client, key, written);
}

async function putBytes(client: S3Client, key: string, bytes: Uint8Array): Promise<void> {
  await client.write(key, bytes);
  await refuseIncomplete(client, key, bytes.length);
}

/** @throws Error if the object is not there, or not whole */
async function refuseIncomplete(client: S3Client, key: string, written: number): Promise<void> {
  const found = await statOf(client, key);
  if (found?.size === written) return;
  throw new Error(
    `${key} was sent to the bucket and is not there in full: ${found?.size ?? 0} of ${written} bytes. Try again.`,
  );
}

/** Null: there is no object of that name. */
async function statOf(client: S3Client, key: string): Promise<S3Stats | null> {
  try {
    return await client.stat(key);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function* piecesOf(client: S3Client, key: string, bucket: string) {
  try {
    yield* client.file(key).stream();
  } catch (error) {
    throw explained(error, bucket);
  }
}

async function bytesAt(client: S3Client, key: string, most: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let left = most;
  try {
    for await (const piece of client.file(key).stream() as unknown as AsyncIterable<Uint8Array>) {
      left -= piece.length;
      if (left < 0) throw new TooLarge(most);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ["NoSuchKey", "ENOENT"].includes((error as { code?: string }).code ?? "");
}

type BucketPlace = { readonly prefix: string; readonly bucket: string };

/** Page by page: a bucket may hold millions. @throws Error if its list does not end */
async function* namesIn(
  client: S3Client,
  { prefix, bucket }: BucketPlace,
  wanted: NameQuery = {},
): AsyncGenerator<string> {
  const start = prefix + (wanted.prefix ?? "");
  let startAfter = wanted.after === undefined ? undefined : prefix + wanted.after;
  const { most = MOST_NAMES } = wanted;
  for (let count = 0; count < most;) {
    const page = await listed(client, { prefix: start, ...(startAfter !== undefined && { startAfter }) }, bucket);
    const keys = (page.contents ?? []).map(({ key }) => key).sort();
    const last = keys.at(-1);
    count += keys.length;
    for (const key of keys)
      if (key.startsWith(start) && (startAfter === undefined || key > startAfter)) yield key.slice(prefix.length);
    if (!page.isTruncated || last === undefined) return;
    if (startAfter !== undefined && last <= startAfter) break;
    startAfter = last;
  }
  throw new Error(`The bucket ${bucket}: its list of names does not come to an end.`);
}

function listed(client: S3Client, options: S3ListObjectsOptions, bucket: string): Promise<S3ListObjectsResponse> {
  return client.list(options).catch((error) => Promise.reject(explained(error, bucket)));
}

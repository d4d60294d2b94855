// Backups in a bucket: nothing counts as made before the bucket has all of it.
import { expect, test } from "bun:test";
import S3rver from "s3rver";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { lastBackups } from "../../src/operator/backup/queries.ts";
import { cliBeside, posthornCli } from "../support/cli.ts";
import { leftovers } from "../support/leftovers.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

const { clean, folder } = leftovers();

const PLACE = "s3://backups/house";
const WITHOUT = "There are no credentials for the bucket backups";

async function bucket(): Promise<string> {
  const configureBuckets = [{ name: "backups", configs: [] }];
  const server = new S3rver({ port: 0, directory: folder(), silent: true, configureBuckets });
  const { port } = await server.run();
  clean.push(() => server.close());
  return `http://127.0.0.1:${port}`;
}

/** Says that it has taken everything, and has nothing of it, or the first byte. */
function forgetfulBucket(keptBytes: number): string {
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      await request.arrayBuffer();
      if (request.method === "PUT") return new Response(null, { headers: { etag: '"0"' } });
      if (keptBytes === 0) return new Response(null, { status: 404 });
      return new Response(null, { headers: { "content-length": String(keptBytes), etag: '"0"' } });
    },
  });
  clean.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

const access = (endpoint: string, key = "S3RVER") => ({
  POSTHORN_BACKUP_ENDPOINT: endpoint,
  POSTHORN_BACKUP_REGION: "us-east-1",
  POSTHORN_BACKUP_ACCESS_KEY_ID: key,
  POSTHORN_BACKUP_SECRET_ACCESS_KEY: key,
});

function record(posthorn: Posthorn) {
  return posthorn.store.read(async (reader) => (await lastBackups(reader, 10)).map(({ error }) => error));
}

test("A backup by hand that the bucket has is done, and on the record", async () => {
  await using posthorn = await startPosthorn();
  const done = await cliBeside(posthorn, ["backup", `${PLACE}/by-hand`], access(await bucket()));
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`${PLACE}/by-hand holds the installation`) });
  expect(await record(posthorn)).toEqual([null]);
});

test("Without credentials, nothing is copied, nothing is on the record, and it is said", async () => {
  await using posthorn = await startPosthorn();
  const env = { POSTHORN_BACKUP_ENDPOINT: await bucket() };
  const { code, out, err } = await cliBeside(posthorn, ["backup", `${PLACE}/by-hand`], env);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toStartWith(WITHOUT);
  expect(await record(posthorn)).toEqual([]);
  const restored = await posthornCli(["restore", `${PLACE}/by-hand`, "--data", folder()], env);
  expect(restored).toMatchObject({ code: 1, err: expect.stringContaining(WITHOUT) });
});

test.each([
  ["backup.to", { to: PLACE, everySeconds: 86_400 }],
  ["backup.stream", { stream: PLACE }],
])("A server whose %s is a bucket without credentials does not start", async (_, backup) => {
  const starting = startPosthorn({ config: { backup: { endpoint: await bucket(), ...backup } } });
  await expect(starting).rejects.toThrow(WITHOUT);
});

test.each([
  [0, "0 of "],
  [1, "1 of "],
])("A bucket that says yes and keeps %d bytes has no backup", async (keptBytes, said) => {
  const endpoint = forgetfulBucket(keptBytes);
  const backup = { everySeconds: 86_400, to: PLACE, region: "us-east-1", endpoint };
  await using posthorn = await startPosthorn({
    config: {
      backup: { ...backup, accessKeyId: "key", secretAccessKey: "secret" },
      metrics: { ...DEFAULTS.metrics, path: "/metrics" },
    },
  });
  await posthorn.settle();
  const [scheduled] = await record(posthorn);
  expect(scheduled).toContain(said);
  posthorn.clock.advance(MINUTE_MS);
  const figures = await (await fetch(`${posthorn.server.url}/metrics`)).text();
  expect(figures).toContain('posthorn_backups_total{outcome="failed"} 1');
  expect(figures).not.toContain('posthorn_backups_total{outcome="made"} 1');
  const byHand = await cliBeside(posthorn, ["backup", `${PLACE}/by-hand`], access(endpoint));
  expect(byHand).toMatchObject({ code: 1, out: "", err: expect.stringContaining("is not there in full") });
  expect(await record(posthorn)).toHaveLength(1);
});

test("A bucket that is not there, wrong credentials and a closed port are told in words", async () => {
  await using posthorn = await startPosthorn();
  const at = async (to: string, env: Readonly<Record<string, string>>) =>
    (await cliBeside(posthorn, ["backup", to], env)).err;
  const endpoint = await bucket();
  expect(await at("s3://elsewhere/by-hand", access(endpoint))).toContain("there is no such bucket");
  expect(await at(`${PLACE}/by-hand`, access(endpoint, "wrong"))).toContain("does not exist in our records");
  expect(await at(`${PLACE}/by-hand`, access("http://127.0.0.1:1"))).toContain("takes no connections");
  expect(await record(posthorn)).toEqual([]);
  const restored = await posthornCli(["restore", `${PLACE}/never-made`, "--data", folder()], access(endpoint));
  expect(restored).toMatchObject({ code: 1, err: "The bucket backups: there is no object of that name." });
});

// Ways out that owners add, change, try, pause and remove, while the server runs.
import { afterAll, expect, test } from "bun:test";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { ENGINE, freshDirectory } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";

const AWAY: HandoverOutcome = { kind: "unreachable", reply: "connect ECONNREFUSED 192.0.2.9:587" };
const BACKUP = {
  ...{ name: "backup", kind: "smtp", host: "smtp.postmarkapp.com", user: "shop" },
  ...{ password: "secret-of-the-relay", ratePerSecond: 0 },
};

type Started = {
  readonly posthorn: Posthorn;
  readonly owner: Somebody;
  readonly first: RecordingTransport;
  readonly second: RecordingTransport;
};

async function started(options: StartOptions = {}): Promise<Started> {
  const [first, second] = [new RecordingTransport(), new RecordingTransport()];
  const posthorn = await startPosthorn({
    ...options,
    transport: first,
    wayTransports: { backup: second },
    config: {
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ...options.config,
    },
  });
  return { posthorn, first, second, owner: await somebody(posthorn, "OWNER") };
}

const send = async (posthorn: Posthorn, to = "ada@example.com") =>
  (await posthorn.call("POST /v1/send", { ...letter, to })).body.data.emails[0].email as string;
const names = (owner: Somebody) =>
  owner.ask("GET /installation/ways").then(({ body }) => body.data.map(({ name }: { name: string }) => name));

test("a way that is added is used at once, and its password is never answered", async () => {
  const { posthorn, owner, first, second } = await started();
  await using _ = posthorn;
  first.answer = () => AWAY;
  const added = await owner.ask("POST /installation/ways", { body: BACKUP });
  expect([added.status, added.body]).toMatchObject([
    201,
    { name: "backup", source: "INSTALLATION", place: "smtp.postmarkapp.com:587", hasPassword: true, pausedAt: null },
  ]);
  await posthorn.settle();
  const id = await send(posthorn);
  await posthorn.settle();
  expect(second.sent.map((mail) => mail.id)).toEqual([id]);
  expect(JSON.stringify((await posthorn.call(`GET /emails/${id}`)).body)).toContain("backup: smtp.postmarkapp.com");
  const { body } = await owner.ask("GET /installation/ways");
  expect(body.data).toMatchObject([
    { name: "default", source: "CONFIGURATION", state: { state: "AWAY" } },
    { name: "backup", source: "INSTALLATION", state: { state: "ANSWERING" } },
  ]);
  expect(JSON.stringify(body)).not.toContain(BACKUP.password);
  const kept = await posthorn.store.read((reader) => reader.all`select settings, secrets from ways`);
  expect(JSON.stringify(kept)).not.toContain(BACKUP.password);
});

test("the SPF record allows an added way, and no longer one that is removed", async () => {
  const { posthorn, owner } = await started();
  await using _ = posthorn;
  const spf = async () => {
    await posthorn.settle();
    const [{ records }] = (await posthorn.call("GET /domains")).body.data;
    return records.find(({ purpose }: { purpose: string }) => purpose === "SPF")?.value ?? "";
  };
  await owner.ask("POST /installation/ways", { body: BACKUP });
  expect(await spf()).toContain("include:spf.mtasv.net");
  expect((await owner.ask("DELETE /installation/ways/backup")).status).toBe(204);
  expect(await spf()).not.toContain("include:spf.mtasv.net");
});

test("a paused way gets no mail, and gets it again when it is resumed", async () => {
  const { posthorn, owner, first, second } = await started();
  await using _ = posthorn;
  await owner.ask("POST /installation/ways", { body: BACKUP });
  const paused = await owner.ask("POST /installation/ways/default/pause");
  expect(paused.body).toMatchObject({ name: "default", pausedAt: "2026-03-01T09:00:00.000Z" });
  await posthorn.settle();
  await send(posthorn);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([0, 1]);
  await owner.ask("POST /installation/ways/backup/pause");
  await posthorn.settle();
  await send(posthorn);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([0, 1]);
  expect((await posthorn.call("GET /queue")).body.relay).toMatchObject({
    state: "AWAY",
    reply: "Every sending route is paused.",
  });
  expect((await owner.ask("POST /installation/ways/default/resume")).body.pausedAt).toBeNull();
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
});

test("a way that is alone can be paused as well", async () => {
  const { posthorn, owner, first } = await started();
  await using _ = posthorn;
  await owner.ask("POST /installation/ways/default/pause");
  await posthorn.settle();
  await send(posthorn);
  await posthorn.settle();
  expect(first.sent).toEqual([]);
  await owner.ask("POST /installation/ways/default/resume");
  await posthorn.settle();
  expect(first.sent).toHaveLength(1);
});

test("a mail whose fate at a way is unknown goes by the default way once that way is removed", async () => {
  const { posthorn, owner, first, second } = await started();
  await using _ = posthorn;
  await owner.ask("POST /installation/ways", { body: BACKUP });
  await owner.ask("POST /installation/ways/default/pause");
  await posthorn.settle();
  second.answer = () => ({ kind: "unanswered", reply: "no answer came" });
  const id = await send(posthorn);
  await posthorn.settle();
  await owner.ask("POST /installation/ways/default/resume");
  await owner.ask("DELETE /installation/ways/backup");
  await posthorn.settle();
  expect(first.sent).toEqual([]);
  posthorn.clock.advance(3_700_000);
  await posthorn.settle();
  expect(first.sent.map((mail) => mail.id)).toEqual([id]);
});

test("ways stay over a restart, with their pauses", async () => {
  const directory = freshDirectory();
  afterAll(() => directory.remove());
  {
    const { posthorn, owner } = await started({ dataDir: directory.path });
    await using _ = posthorn;
    await owner.ask("POST /installation/ways", { body: BACKUP });
    await owner.ask("POST /installation/ways/default/pause");
  }
  const second = new RecordingTransport();
  await using posthorn = await startPosthorn({
    dataDir: directory.path,
    wayTransports: { backup: second },
    config: {
      delivery: { transport: "smtp" },
      relay: { host: "a.example" },
    },
  });
  expect(posthorn.server.ways.all).toMatchObject([
    { name: "default", pausedAt: "2026-03-01T09:00:00.000Z" },
    { name: "backup", pausedAt: null, problem: null, relay: { password: BACKUP.password } },
  ]);
});

test("a way whose password cannot be read says so, and email goes by the others", async () => {
  const { posthorn, owner, first, second } = await started();
  await using _ = posthorn;
  await owner.ask("POST /installation/ways", { body: BACKUP });
  await posthorn.store.write((tx) => tx.run`update ways set secrets = 'of another key'`);
  await posthorn.settle();
  posthorn.clock.advance(3_000);
  await posthorn.settle();
  const { body } = await owner.ask("GET /installation/ways/backup");
  expect(body.problem).toContain("another secret.key");
  expect(body.problemCode).toBe("UNREADABLE");
  expect((await owner.ask("POST /installation/ways/backup/try")).body).toMatchObject({ works: false });
  await send(posthorn);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([1, 0]);
  const mended = await owner.ask("PATCH /installation/ways/backup", { body: { password: "entered again" } });
  expect([mended.status, mended.body.problem, mended.body.problemCode]).toEqual([200, null, null]);
});

test("what is changed is checked as in the configuration", async () => {
  const { posthorn, owner } = await started();
  await using _ = posthorn;
  const add = (body: object) => owner.ask("POST /installation/ways", { body });
  const faults = async (body: object) =>
    (await add(body)).body.error.errors.map(({ field }: { field: string }) => field).sort();
  expect(await faults({ name: "backup", kind: "smtp" })).toEqual(["host"]);
  expect(await faults({ ...BACKUP, name: "Back up" })).toEqual(["name"]);
  expect(await faults({ ...BACKUP, name: "default" })).toEqual(["name"]);
  expect(await faults({ ...BACKUP, host: "https://x" })).toEqual(["host"]);
  expect(await faults({ ...BACKUP, user: null })).toEqual(["user"]);
  expect(await faults({ name: "ireland", kind: "ses" })).toEqual(["region"]);
  expect((await add(BACKUP)).status).toBe(201);
  expect((await add(BACKUP)).body.error).toMatchObject({ code: "CONFLICT", reason: "way_taken" });
  const change = (body: object) => owner.ask("PATCH /installation/ways/backup", { body });
  expect((await change({ host: "evil.example" })).body.error.errors).toMatchObject([{ field: "password" }]);
  expect((await change({ ratePerSecond: 5, price: 0.4 })).body).toMatchObject({ ratePerSecond: 5, price: 0.4 });
  expect((await change({ host: "b.example", password: "new" })).body).toMatchObject({ place: "b.example:587" });
  expect((await change({ user: null, password: null })).body).toMatchObject({ user: null, hasPassword: false });
});

test("there are ten beside the default one, and those of the configuration are changed there", async () => {
  const { posthorn, owner } = await started();
  await using _ = posthorn;
  for (let n = 1; n <= 10; n++)
    await owner.ask("POST /installation/ways", { body: { ...BACKUP, name: `way${n}`, kind: "capture" } });
  const more = await owner.ask("POST /installation/ways", { body: BACKUP });
  expect(more.body.error).toMatchObject({ code: "CONFLICT", reason: "limit_reached" });
  expect(await names(owner)).toHaveLength(11);
  const changed = await owner.ask("PATCH /installation/ways/default", { body: { ratePerSecond: 1 } });
  expect(changed.body.error).toMatchObject({ code: "CONFLICT", reason: "configured_way" });
  expect((await owner.ask("DELETE /installation/ways/default")).body.error.reason).toBe("configured_way");
  expect((await owner.ask("GET /installation/ways/nobody")).body.error.code).toBe("WAY_NOT_FOUND");
});

test("a way is tried without an email", async () => {
  const { posthorn, owner, second } = await started();
  await using _ = posthorn;
  await owner.ask("POST /installation/ways", { body: BACKUP });
  const tried = () => owner.ask("POST /installation/ways/backup/try").then(({ body }) => body);
  expect(await tried()).toEqual({ works: true, problem: null, refusedDomains: [] });
  second.fault = "535 5.7.8 wrong password";
  expect(await tried()).toEqual({ works: false, problem: "535 5.7.8 wrong password", refusedDomains: [] });
  expect(second.sent).toEqual([]);
});

test("an installation that captures email uses no way that was added, whatever its backup brings", async () => {
  const { posthorn, owner, second } = await started({ config: { delivery: { transport: "capture" } } });
  await using _ = posthorn;
  expect((await owner.ask("POST /installation/ways", { body: BACKUP })).body.error.reason).toBe("captures");
  await posthorn.store.write(
    (tx) =>
      tx.run`insert into ways (name, settings, created_at, updated_at) values ('backup', '{"kind":"smtp","host":"a.example"}', ${tx.now}, ${tx.now})`,
  );
  await owner.ask("POST /installation/ways/default/pause");
  posthorn.clock.advance(3_000);
  await posthorn.settle();
  await send(posthorn);
  await posthorn.settle();
  expect(second.sent).toEqual([]);
  expect((await owner.ask("GET /installation/ways/backup")).body.problem).toContain('"capture"');
});

test("only owners see ways, and what they change is noted with the name of the way", async () => {
  const { posthorn, owner } = await started();
  await using _ = posthorn;
  const admin = await somebody(posthorn, "ADMIN");
  expect((await admin.ask("GET /installation/ways")).status).toBe(403);
  expect((await admin.ask("POST /installation/ways", { body: BACKUP })).status).toBe(403);
  await owner.ask("POST /installation/ways", { body: BACKUP });
  await owner.ask("PATCH /installation/ways/backup", { body: { burst: 2 } });
  await owner.ask("POST /installation/ways/backup/pause");
  await owner.ask("DELETE /installation/ways/backup");
  const { data } = (await owner.ask("GET /audit?of=installation")).body;
  expect(data).toMatchObject(
    ["deleteWay", "pauseWay", "updateWay", "createWay"].map((action) => ({
      ...{ action, targetKind: "ways", targetName: "backup" },
    })),
  );
});

test.skipIf(ENGINE === "sqlite")("another node on the same store follows", async () => {
  const key = "ab".repeat(32);
  const { posthorn, owner, first } = await started({ config: { secrets: { key } } });
  await using _ = posthorn;
  const [other, spare] = [new RecordingTransport(), new RecordingTransport()];
  await using node = await startPosthorn({
    ...{ clock: posthorn.clock, transport: other, wayTransports: { backup: spare } },
    config: {
      ...{ delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" }, secrets: { key } },
      database: { url: posthorn.databaseUrl },
    },
  });
  await owner.ask("POST /installation/ways", { body: BACKUP });
  await owner.ask("POST /installation/ways/default/pause");
  await owner.ask("PUT /installation/way-rules", { body: { rules: [{ name: "All", ways: [{ name: "default" }] }] } });
  await send(posthorn);
  await node.settle();
  posthorn.clock.advance(3_000);
  await node.settle();
  expect(node.server.ways.all).toMatchObject([
    { name: "default", pausedAt: expect.any(String) },
    { name: "backup", relay: { password: BACKUP.password } },
  ]);
  expect([first.sent.length, other.sent.length, spare.sent.length]).toEqual([0, 0, 1]);
});

test("a change that moves nothing asks for no password, and one that moves a key asks for it", async () => {
  const { posthorn, owner } = await started();
  await using _ = posthorn;
  await owner.ask("POST /installation/ways", { body: BACKUP });
  const as = { host: BACKUP.host, port: 587, tls: "starttls", verifyCertificate: true, ratePerSecond: 3 };
  expect(await owner.ask("PATCH /installation/ways/backup", { body: as })).toMatchObject({
    status: 200,
    body: { ratePerSecond: 3, hasPassword: true },
  });
  const ses = { name: "cloud", kind: "ses", region: "eu-west-1", accessKeyId: "AKIA", secretAccessKey: "hush" };
  await owner.ask("POST /installation/ways", { body: ses });
  const elsewhere = { endpoint: "https://ses.attacker.example" };
  const moved = await owner.ask("PATCH /installation/ways/cloud", { body: elsewhere });
  expect(moved.body.error.errors).toMatchObject([{ field: "secretAccessKey", code: "again" }]);
  const entered = { ...elsewhere, accessKeyId: "AKIA", secretAccessKey: "hush" };
  expect((await owner.ask("PATCH /installation/ways/cloud", { body: entered })).status).toBe(200);
});

test("what a way lacks is said at its field, in the names of the API", async () => {
  const { posthorn, owner } = await started();
  await using _ = posthorn;
  const faults = async (body: object) => {
    const { status, body: answer } = await owner.ask("POST /installation/ways", { body: { name: "spare", ...body } });
    expect(status).toBe(422);
    return answer.error.errors;
  };
  expect(await faults({ kind: "smtp" })).toEqual([{ field: "host", message: "A relay needs a host.", code: "needed" }]);
  expect(await faults({ kind: "ses", region: "eu-west-1", accessKeyId: "AKIA" })).toEqual([
    { field: "secretAccessKey", message: "An access key ID needs a secret access key.", code: "needed" },
  ]);
  expect(await faults({ kind: "smtp", host: "smtp://relay" })).toMatchObject([{ field: "host", code: "bad_setting" }]);
  expect(await faults({ kind: "capture", name: "Über" })).toMatchObject([{ field: "name", code: "way_name" }]);
});

// Ways that log in with an access token (XOAUTH2): where the token comes from, when the next one is asked for, and what
// becomes of email while there is none.
import { afterAll, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import { createLog } from "../../src/base/log.ts";
import { WayTokens } from "../../src/ground/way-tokens/way-tokens.ts";
import { lookAtWaysInStore } from "../../src/operator/operation/doctor/network.ts";
import { cliBeside } from "../support/cli.ts";
import { holdAll, releaseAll } from "../../src/store/hold.ts";
import { ENGINE, freshDirectory } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { somebody, Somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { startRelay, type Relay } from "../support/relay.ts";
import { agreeingAtGoogle, refusedToken, TokenService } from "../support/token-service.ts";
import { RecordingTransport } from "../support/transport.ts";

const CERTIFICATE = new URL("../support/certificates/localhost.cert.pem", import.meta.url).pathname;
const SECRET = "the-secret-of-the-client";
const CLIENT = { clientId: "app-1", clientSecret: SECRET, scope: "https://outlook.office365.com/.default" };

/** A relay that takes `token`, and any if it is null. */
async function relayFor(token: string | null = null, refusal = "535 5.7.3 Authentication unsuccessful") {
  const taken = { token, refusal, tried: [] as string[] };
  const relay = await startRelay({
    tls: "starttls",
    tokens: (_user, given) => {
      taken.tried.push(given);
      return taken.token === null || given === taken.token ? "235" : taken.refusal;
    },
  });
  return { relay, taken };
}

type RelaySettings = Partial<WaySettings["relay"]>;

function wayTo(relay: Relay, tokenUrl: string | null, settings: RelaySettings = CLIENT): WaySettings {
  const place = { host: "127.0.0.1", port: relay.port, caFile: CERTIFICATE };
  const login = { user: "news@shop.example", auth: "oauth2" as const, tokenUrl, ...settings };
  return {
    ...{ name: "office", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 3, price: null },
    ...{ relay: { ...DEFAULTS.relay, ...place, ...login }, ses: DEFAULTS.ses },
  };
}

/** The default way is away, so that email leaves by the way with the token, and else by "backup". */
async function startedWith(way: WaySettings, options: StartOptions = {}) {
  const [first, backup] = [new RecordingTransport(), new RecordingTransport()];
  first.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  first.fault = "connect ECONNREFUSED";
  const spare: WaySettings = {
    ...way,
    name: "backup",
    relay: { ...DEFAULTS.relay, host: "smtp.backup.example" },
  };
  const posthorn = await startPosthorn({
    ...options,
    transport: first,
    wayTransports: { backup },
    config: {
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ways: [way, spare],
    },
  });
  return { posthorn, backup };
}

async function send(posthorn: Posthorn, count = 1): Promise<void> {
  for (let sent = 0; sent < count; sent++) await posthorn.call("POST /v1/send", { ...letter, to: "ada@example.com" });
  await posthorn.settle();
}

async function stateOf(posthorn: Posthorn, by?: Somebody) {
  const owner = by ?? (await somebody(posthorn, "OWNER"));
  const { body } = await owner.ask("GET /installation/ways");
  return body.data.find(({ name }: { name: string }) => name === "office");
}

/**
 * Time goes by until the way was tried without an email, and would take one; then an email is sent. A way that has just
 * found none is not asked for another second.
 */
async function sendOnceBack(posthorn: Posthorn, by?: Somebody): Promise<void> {
  const owner = by ?? (await somebody(posthorn, "OWNER"));
  const isAway = async () => (await owner.ask("GET /installation/ways")).body.data[1].state.circuit === "OPEN";
  while (await isAway()) {
    posthorn.clock.advance(MINUTE_MS);
    await posthorn.settle();
  }
  await send(posthorn);
  posthorn.clock.advance(1_000);
  await posthorn.settle();
}

test("a client's token is got once for all connections, kept encrypted, and never shown", async () => {
  await using tokens = new TokenService();
  const { relay, taken } = await relayFor("token-1");
  await using _relay = relay;
  const { posthorn, backup } = await startedWith(wayTo(relay, tokens.url));
  await using _ = posthorn;
  await send(posthorn, 5);
  expect((await relay.received(5)).map(({ user }) => user)).toEqual(Array(5).fill("news@shop.example"));
  expect(backup.sent).toEqual([]);
  expect(new Set(taken.tried)).toEqual(new Set(["token-1"]));
  const { scope } = CLIENT;
  expect(tokens.asked).toEqual([
    { grant_type: "client_credentials", client_id: "app-1", client_secret: SECRET, scope },
  ]);
  const kept = await posthorn.store.read((reader) => reader.all`select * from way_tokens`);
  expect(kept).toMatchObject([{ way: "office", ends_at: "2026-03-01T10:00:00.000Z", problem: null }]);
  const shown = JSON.stringify([kept, await stateOf(posthorn), posthorn.logLines]);
  for (const secret of [SECRET, "token-1"]) expect(shown).not.toContain(secret);
});

test("the next token is asked for before the one in use ends", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  const { posthorn } = await startedWith(wayTo(relay, tokens.url));
  await using _ = posthorn;
  await posthorn.settle();
  posthorn.clock.advance(47 * MINUTE_MS);
  await posthorn.settle();
  expect(tokens.asked).toHaveLength(1);
  posthorn.clock.advance(2 * MINUTE_MS);
  await posthorn.settle();
  expect(tokens.asked).toHaveLength(2);
});

test("a token that is not renewed in time serves until it ends; then the way rests, and says why", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  const { posthorn, backup } = await startedWith(wayTo(relay, tokens.url));
  await using _ = posthorn;
  await posthorn.settle();
  const words = `AADSTS7000222: The provided client secret keys for app 'app-1' are expired: ${SECRET}`;
  tokens.answer = () => refusedToken(401, "invalid_client", words);
  posthorn.clock.advance(50 * MINUTE_MS);
  await send(posthorn);
  expect([relay.mails.length, backup.sent.length]).toEqual([1, 0]);
  posthorn.clock.advance(11 * MINUTE_MS);
  relay.hangUp();
  await relay.hungUp(relay.connections);
  await send(posthorn);
  expect([relay.mails.length, backup.sent.length]).toEqual([1, 1]);
  const { state } = await stateOf(posthorn);
  expect(state).toMatchObject({ state: "AWAY", reply: expect.stringContaining("AADSTS7000222") });
  const told = posthorn.logLines.filter((line) => line.includes("gets no new access token"));
  expect(told).toEqual([expect.stringContaining("invalid_client: AADSTS7000222")]);
  expect(posthorn.logLines.join()).not.toContain(SECRET);
});

test.each([
  ["a throttled service", () => new Response("", { status: 429, headers: { "retry-after": "600" } }), 10],
  ["a broken service", () => new Response("<html>Bad gateway</html>", { status: 502 }), 1],
  ["an ended sign-in", () => refusedToken(400, "invalid_grant", "Token has been expired or revoked."), 5],
  ["an answer that is none", () => new Response("hello"), 5],
])("%s is asked again when it is time, and not before", async (_, answer, minutes) => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  tokens.answer = answer;
  const { posthorn, backup } = await startedWith(wayTo(relay, tokens.url));
  await using _posthorn = posthorn;
  await send(posthorn, 3);
  expect([tokens.asked.length, backup.sent.length]).toEqual([1, 3]);
  tokens.answer = null;
  posthorn.clock.advance(minutes * MINUTE_MS - 31_000);
  await posthorn.settle();
  expect(tokens.asked).toHaveLength(1);
  posthorn.clock.advance(91_000);
  await posthorn.settle();
  expect(tokens.asked).toHaveLength(2);
  await sendOnceBack(posthorn);
  expect([relay.mails.length, backup.sent.length]).toEqual([1, 3]);
});

test.each(["535 5.7.3 Authentication unsuccessful", "535 5.7.139 Authentication unsuccessful, basic", "334"])(
  "a token that the relay refuses (%s) is renewed once; then the way rests",
  async (refusal) => {
    await using tokens = new TokenService();
    const { relay, taken } = await relayFor("token-2", refusal);
    await using _relay = relay;
    const { posthorn, backup } = await startedWith(wayTo(relay, tokens.url));
    await using _ = posthorn;
    await posthorn.settle();
    posthorn.clock.advance(2 * MINUTE_MS);
    await send(posthorn);
    expect([relay.mails.length, backup.sent.length, tokens.asked.length]).toEqual([1, 0, 2]);
    taken.token = "none";
    posthorn.clock.advance(20 * MINUTE_MS);
    relay.hangUp();
    await relay.hungUp(relay.connections);
    await send(posthorn);
    expect([relay.mails.length, backup.sent.length, tokens.asked.length]).toEqual([1, 1, 3]);
    await send(posthorn, 3);
    expect([backup.sent.length, tokens.asked.length]).toEqual([4, 3]);
    expect((await stateOf(posthorn)).state).toMatchObject({ state: "AWAY", reply: expect.stringContaining("535") });
  },
);

test("a refresh token that the service replaces is kept, over a restart as well", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  const directory = freshDirectory();
  afterAll(() => directory.remove());
  const way = wayTo(relay, tokens.url, { clientId: "app-1", refreshToken: "first" });
  tokens.answer = ({ refresh_token: before }) => tokens.token({ refresh_token: `${before}+` });
  const { posthorn } = await startedWith(way, { dataDir: directory.path });
  await posthorn.settle();
  await posthorn.end();
  const again = await startedWith(way, { dataDir: directory.path });
  await using _ = again.posthorn;
  again.posthorn.clock.advance(55 * MINUTE_MS);
  await again.posthorn.settle();
  expect(tokens.asked).toEqual([
    { grant_type: "refresh_token", client_id: "app-1", refresh_token: "first" },
    { grant_type: "refresh_token", client_id: "app-1", refresh_token: "first+" },
  ]);
});

test("a Google service account signs for the mailbox that sends", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const serviceAccount = JSON.stringify({
    ...{ type: "service_account", client_email: "posthorn@shop.iam.gserviceaccount.com", token_uri: tokens.url },
    ...{ private_key_id: "key-1", private_key: privateKey.export({ type: "pkcs8", format: "pem" }) },
  });
  const { posthorn } = await startedWith(wayTo(relay, null, { serviceAccount }));
  await using _ = posthorn;
  await send(posthorn);
  expect(relay.mails).toHaveLength(1);
  const [{ grant_type, assertion = "", ...rest } = {}] = tokens.asked;
  expect([grant_type, rest]).toEqual(["urn:ietf:params:oauth:grant-type:jwt-bearer", {}]);
  const currentDate = new Date(posthorn.clock.nowMs());
  const signed = await jwtVerify(assertion, createPublicKey(publicKey.export({ type: "spki", format: "pem" })), {
    ...{ audience: tokens.url, issuer: "posthorn@shop.iam.gserviceaccount.com", subject: "news@shop.example" },
    ...{ algorithms: ["RS256"], currentDate },
  });
  expect(signed.protectedHeader.kid).toBe("key-1");
  expect(signed.payload["scope"]).toBe("https://mail.google.com/");
});

test.skipIf(ENGINE === "sqlite")("two nodes ask for a token once, and both use it", async () => {
  await using tokens = new TokenService();
  const { relay, taken } = await relayFor();
  await using _relay = relay;
  const { posthorn } = await startedWith(wayTo(relay, tokens.url));
  await using _ = posthorn;
  const other = await startedWith(wayTo(relay, tokens.url), { clock: posthorn.clock, dataDir: posthorn.dataDir });
  await Promise.all([posthorn.settle(), other.posthorn.settle()]);
  await send(posthorn, 2);
  expect(tokens.asked).toHaveLength(1);
  expect(new Set(taken.tried)).toEqual(new Set(["token-1"]));
  await other.posthorn.end();
});

test("owners add such a way, and its secrets are not answered, and not sent to another place", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  const { posthorn } = await startedWith(wayTo(relay, tokens.url));
  await using _ = posthorn;
  const owner = await somebody(posthorn, "OWNER");
  const place = { host: "127.0.0.1", port: relay.port, verifyCertificate: false, user: "news@shop.example" };
  const added = { name: "added", kind: "smtp", auth: "oauth2", ...place, tokenUrl: tokens.url, ...CLIENT };
  const { status, body } = await owner.ask("POST /installation/ways", { body: added });
  expect([status, body]).toMatchObject([201, { auth: "oauth2", clientId: "app-1", hasClientSecret: true }]);
  expect(JSON.stringify(body)).not.toContain(SECRET);
  const change = (settings: object) => owner.ask("PATCH /installation/ways/added", { body: settings });
  for (const elsewhere of [{ host: "relay.example" }, { tokenUrl: "https://login.example/token" }])
    expect((await change(elsewhere)).body.error.errors).toMatchObject([{ field: "clientSecret", code: "again" }]);
  expect((await change({ tls: "none", clientSecret: SECRET })).body.error.errors).toMatchObject([{ field: "tls" }]);
  tokens.answer = () => refusedToken(401, "invalid_client", "AADSTS7000215: Invalid client secret provided.");
  const tried = () => owner.ask("POST /installation/ways/added/try").then(({ body: found }) => found);
  expect(await tried()).toMatchObject({ works: false, problem: expect.stringContaining("AADSTS7000215") });
  tokens.answer = null;
  expect(await tried()).toMatchObject({ works: true, problem: null });
  expect((await owner.ask("DELETE /installation/ways/added")).status).toBe(204);
  const left = await posthorn.store.read((reader) => reader.all`select way from way_tokens where way = 'added'`);
  expect(left).toEqual([]);
});

test("the command line gets a token for the way that it tries", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor("token-1");
  await using _relay = relay;
  const { posthorn } = await startedWith(wayTo(relay, tokens.url));
  await using _ = posthorn;
  await posthorn.settle();
  const owner = await somebody(posthorn, "OWNER");
  const place = { host: "127.0.0.1", port: relay.port, verifyCertificate: false, user: "news@shop.example" };
  const added = { name: "added", kind: "smtp", auth: "oauth2", ...place, tokenUrl: tokens.url, ...CLIENT };
  await owner.ask("POST /installation/ways", { body: added });
  tokens.answer = () => Response.json({ token_type: "Bearer", access_token: "token-1", expires_in: 3_600 });
  const inCommand = { POSTHORN_DELIVERY_TRANSPORT: "smtp", POSTHORN_RELAY_HOST: "smtp.example.com" };
  const env = { ...inCommand, POSTHORN_HTTP_BASE_URL: "https://mail.example.com" };
  expect(await cliBeside(posthorn, ["way", "try", "added"], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining("added works"),
  });
  expect(tokens.asked).toHaveLength(2);
});

test("the doctor logs in with the token as well, and says why there is none", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  tokens.answer = () => refusedToken(400, "unauthorized_client", "AADSTS700016: Application 'app-1' was not found");
  const { posthorn } = await startedWith(wayTo(relay, tokens.url));
  await using _ = posthorn;
  const { store, secrets, clock, server } = posthorn;
  const log = createLog({ level: "error", format: "text", clock, write: () => undefined });
  const kept = new WayTokens({ store, secrets, clock, log });
  const ways = server.ways.all.filter(({ name }) => name === "office");
  const found = () => lookAtWaysInStore({ config: DEFAULTS, ways, tokens: kept });
  expect(await found()).toMatchObject([
    { check: "way office", state: "wrong", text: expect.stringContaining("AADSTS700016") },
  ]);
  tokens.answer = null;
  await kept.askAgain("office");
  expect(await found()).toMatchObject([{ check: "way office", state: "ok" }]);
});

test("a person signs in on another screen, and the way sends by their right", async () => {
  await using tokens = new TokenService("/shop/oauth2/v2.0/token");
  const { relay } = await relayFor();
  await using _relay = relay;
  const settings = { clientId: "app-1", scope: "https://outlook.office.com/SMTP.Send offline_access" };
  const { posthorn, backup } = await startedWith(wayTo(relay, tokens.url, settings));
  await using _ = posthorn;
  const owner = await somebody(posthorn, "OWNER");
  await send(posthorn);
  expect([tokens.asked.length, backup.sent.length]).toEqual([0, 1]);
  expect((await stateOf(posthorn, owner)).state).toMatchObject({
    reply: expect.stringContaining("Nobody has signed in"),
  });
  const [device_code, user_code] = ["device-1", "ABCD-EFGH"];
  const [verification_uri, expires_in, interval] = ["https://login.example/device", 900, 5];
  tokens.answer = () => Response.json({ device_code, user_code, verification_uri, expires_in, interval });
  const { body: begun } = await owner.ask("POST /installation/ways/office/sign-in");
  expect(begun).toMatchObject({ code: user_code, url: verification_uri, expiresAt: "2026-03-01T09:15:00.000Z" });
  expect(JSON.stringify(begun)).not.toContain(device_code);
  const check = async (ticket = begun.ticket) =>
    (await owner.ask("POST /installation/ways/office/sign-in/check", { body: { ticket } })).body;
  tokens.answer = () => refusedToken(400, "authorization_pending", "AADSTS70016: Authorization is pending.");
  expect(await check()).toMatchObject({ state: "WAITING", problem: null });
  tokens.answer = () => tokens.token({ refresh_token: "of a person" });
  expect(await check()).toMatchObject({ state: "DONE", problem: null });
  expect(tokens.asked.at(-1)).toMatchObject({ device_code, grant_type: expect.stringContaining("device_code") });
  await sendOnceBack(posthorn, owner);
  expect([relay.mails.length, backup.sent.length]).toEqual([1, 1]);
  tokens.answer = null;
  posthorn.clock.advance(50 * MINUTE_MS);
  await posthorn.settle();
  expect(tokens.asked.at(-1)).toMatchObject({ grant_type: "refresh_token", refresh_token: "of a person" });
  const { body } = await owner.ask("GET /audit?of=installation");
  expect(body.data).toMatchObject([
    { action: "checkSignInForWay", targetName: "office" },
    { action: "signInForWay", targetName: "office" },
  ]);
});

test("a sign-in that was declined, is too late or forged leaves the way as it is", async () => {
  await using tokens = new TokenService("/shop/oauth2/v2.0/token");
  const { relay } = await relayFor();
  await using _relay = relay;
  const { posthorn } = await startedWith(wayTo(relay, tokens.url, { clientId: "app-1", scope: "send" }));
  await using _ = posthorn;
  const [device_code, user_code, verification_uri] = ["device-1", "ABCD", "https://login.example/device"];
  tokens.answer = () => Response.json({ device_code, user_code, verification_uri, expires_in: 900 });
  const owner = await somebody(posthorn, "OWNER");
  const { body: begun } = await owner.ask("POST /installation/ways/office/sign-in");
  const check = async (ticket = begun.ticket) =>
    (await owner.ask("POST /installation/ways/office/sign-in/check", { body: { ticket } })).body;
  tokens.answer = () => refusedToken(400, "authorization_declined", "The end user declined.");
  expect(await check()).toMatchObject({ state: "FAILED", problem: expect.stringContaining("declined") });
  tokens.answer = () => tokens.token();
  expect(await check()).toMatchObject({ state: "FAILED", problem: expect.stringContaining("offline_access") });
  expect(await check("forged")).toMatchObject({ state: "FAILED" });
  const taken = async (way: string) => (await owner.ask(`POST /installation/ways/${way}/sign-in`)).body.error;
  expect(await taken("default")).toMatchObject({ code: "CONFLICT", reason: "no_sign_in" });
  tokens.answer = () => refusedToken(400, "unauthorized_client", "AADSTS7000218: not allowed for this app");
  expect(await taken("office")).toMatchObject({
    reason: "sign_in_refused",
    message: expect.stringContaining("AADSTS"),
  });
  posthorn.clock.advance(15 * MINUTE_MS);
  expect(await check()).toMatchObject({ state: "FAILED", problem: expect.stringContaining("expired") });
  expect(
    await posthorn.store.read((reader) => reader.all`select way from way_tokens where ends_at is not null`),
  ).toEqual([]);
});

const GOOGLE = { clientId: "app-1", clientSecret: SECRET };
/** Where the browser comes back to: it is registered at Google. */
const BACK = "http://mail.example.com/app/settings/ways";

type Ended = { readonly ticket: string; readonly answer?: string | null };

/** A way at Google for which nobody has signed in, and its owner. */
async function startedAtGoogle() {
  const tokens = new TokenService("/oauth2.googleapis.com/token");
  const visit = agreeingAtGoogle(tokens, SECRET);
  const { relay } = await relayFor();
  const { posthorn, backup } = await startedWith(wayTo(relay, tokens.url, GOOGLE));
  const owner = await somebody(posthorn, "OWNER");
  const begin = async (by = owner) => (await by.ask("POST /installation/ways/office/sign-in")).body;
  const end = async (body: Ended, by = owner) =>
    (await by.ask("POST /installation/ways/office/sign-in/check", { body })).body;
  const codesAsked = () => tokens.asked.filter(({ grant_type }) => grant_type === "authorization_code").length;
  return {
    ...{ tokens, visit, relay, posthorn, backup, owner, begin, end, codesAsked },
    async [Symbol.asyncDispose]() {
      for (const one of [posthorn, relay, tokens]) await one[Symbol.asyncDispose]();
    },
  };
}

test("a person signs in at Google in their browser, and the way sends by their right", async () => {
  await using google = await startedAtGoogle();
  const { tokens, visit, relay, posthorn, backup, owner, begin, end } = google;
  const tried = async () => (await owner.ask("POST /installation/ways/office/try")).body;
  expect(await tried()).toMatchObject({ works: false, problem: expect.stringContaining("Nobody has signed in") });
  expect(tokens.asked).toEqual([]);
  const { url, ticket, ...begun } = await begin();
  expect(begun).toEqual({ code: null, intervalSeconds: null, expiresAt: "2026-03-01T09:10:00.000Z" });
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin + pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ client_id: "app-1", redirect_uri: BACK, response_type: "code", scope: "https://mail.google.com/" },
    ...{ access_type: "offline", prompt: "consent", login_hint: "news@shop.example" },
    ...{ state: expect.any(String), code_challenge: expect.any(String), code_challenge_method: "S256" },
  });
  expect(await end({ ticket })).toEqual({ state: "WAITING", problem: null, problemCode: null });
  expect(await end({ ticket, answer: visit(url) })).toEqual({ state: "DONE", problem: null, problemCode: null });
  expect(await tried()).toMatchObject({ works: true });
  await send(posthorn);
  expect([relay.mails.length, backup.sent.length]).toEqual([1, 0]);
  posthorn.clock.advance(50 * MINUTE_MS);
  await posthorn.settle();
  expect(tokens.asked.at(-1)).toMatchObject({ grant_type: "refresh_token", refresh_token: "of a person" });
  const { body } = await owner.ask("GET /audit?of=installation");
  expect(body.data.slice(0, 2)).toMatchObject([{ action: "checkSignInForWay" }, { action: "signInForWay" }]);
  const kept = await posthorn.store.read((reader) => reader.all`select * from way_tokens where way = 'office'`);
  const shown = JSON.stringify([kept, await stateOf(posthorn, owner), posthorn.logLines, url, ticket]);
  for (const secret of [SECRET, "of a person", "4/0A-1"]) expect(shown).not.toContain(secret);
});

test("the answer of another sign-in is not taken, whether its state or its code is the other's", async () => {
  await using google = await startedAtGoogle();
  const { visit, begin, end, codesAsked } = google;
  const [mine, other] = [await begin(), await begin()];
  const theirs = visit(other.url);
  const planted = { state: "FAILED", problemCode: "OTHER_ANSWER" };
  expect(await end({ ticket: mine.ticket, answer: theirs })).toMatchObject(planted);
  expect(await end({ ticket: mine.ticket, answer: theirs.replace(/state=[^&]*&/, "") })).toMatchObject(planted);
  const from = visit(mine.url).replace("accounts.google.com", "accounts.evil.example");
  expect(await end({ ticket: mine.ticket, answer: from })).toMatchObject(planted);
  expect(codesAsked()).toBe(0);
  const bent = theirs.replace(/state=[^&]*/, `state=${new URL(mine.url).searchParams.get("state")}`);
  expect(await end({ ticket: mine.ticket, answer: bent })).toMatchObject({
    ...{ state: "FAILED", problem: "invalid_grant: Malformed auth code.", problemCode: null },
  });
});

test("a sign-in is ended by the session that has begun it, in a page of this server, and in time", async () => {
  await using google = await startedAtGoogle();
  const { visit, posthorn, owner, begin, end, codesAsked } = google;
  const { url, ticket } = await begin();
  const answer = visit(url);
  const other = await somebody(posthorn, "OWNER", "ben@example.com");
  expect(await end({ ticket, answer }, other)).toMatchObject({ state: "FAILED", problemCode: "OTHER_SESSION" });
  const route = "POST /installation/ways/office/sign-in/check";
  const crossing = await owner.ask(route, { body: { ticket, answer }, headers: { "sec-fetch-site": "cross-site" } });
  expect(crossing.body.error.code).toBe("CROSS_SITE");
  posthorn.clock.advance(10 * MINUTE_MS);
  expect(await end({ ticket, answer })).toMatchObject({ state: "FAILED", problemCode: "EXPIRED" });
  expect(codesAsked()).toBe(0);
});

test("a sign-in counts once: its code is not shown to the service again, which would end the tokens", async () => {
  await using google = await startedAtGoogle();
  const { visit, begin, end, codesAsked } = google;
  const { url, ticket } = await begin();
  const answer = visit(url);
  for (let sent = 0; sent < 2; sent++) expect(await end({ ticket, answer })).toMatchObject({ state: "DONE" });
  expect(codesAsked()).toBe(1);
  const again = await begin();
  const state = new URL(again.url).searchParams.get("state");
  const reused = answer.replace(/state=[^&]*/, `state=${state}`);
  expect(await end({ ticket: again.ticket, answer: reused })).toMatchObject({
    problem: expect.stringContaining("invalid_grant"),
  });
});

test("a sign-in at Google that is declined, or that Google does not end, leaves the way as it is, and says why", async () => {
  await using google = await startedAtGoogle();
  const { tokens, visit, posthorn, owner, begin, end } = google;
  const declined = await begin();
  const state = new URL(declined.url).searchParams.get("state");
  const answer = `?error=access_denied&state=${state}`;
  expect(await end({ ticket: declined.ticket, answer })).toMatchObject({ state: "FAILED", problemCode: "DECLINED" });
  const tried = async (found: () => Response) => {
    const { url, ticket } = await begin();
    tokens.answer = found;
    return end({ ticket, answer: visit(url) });
  };
  expect(await tried(() => tokens.token())).toMatchObject({ state: "FAILED", problemCode: "NO_REFRESH_TOKEN" });
  expect(await tried(() => new Response("", { status: 503 }))).toMatchObject({ state: "FAILED", problemCode: null });
  const { ticket, url } = await begin();
  await tokens[Symbol.asyncDispose]();
  expect(await end({ ticket, answer: visit(url) })).toMatchObject({ problem: expect.stringContaining("reached") });
  const route = "PATCH /installation/ways/added";
  const login = { auth: "oauth2", user: "news@shop.example", tokenUrl: tokens.url, ...GOOGLE };
  await owner.ask("POST /installation/ways", { body: { name: "added", kind: "smtp", host: "127.0.0.1", ...login } });
  const { body: old } = await owner.ask("POST /installation/ways/added/sign-in");
  await owner.ask(route, { body: { user: "else@shop.example" } });
  const changed = await owner.ask("POST /installation/ways/added/sign-in/check", {
    body: { ticket: old.ticket, answer: visit(old.url) },
  });
  expect(changed.body).toMatchObject({ state: "FAILED", problemCode: "CHANGED" });
  expect(
    await posthorn.store.read((reader) => reader.all`select way from way_tokens where ends_at is not null`),
  ).toEqual([]);
});

test.skipIf(ENGINE === "sqlite")(
  "a node ends the sign-in that another has begun, and the first sends by it",
  async () => {
    await using google = await startedAtGoogle();
    const { tokens, visit, relay, posthorn, owner, begin } = google;
    const other = await startedWith(wayTo(relay, tokens.url, GOOGLE), {
      clock: posthorn.clock,
      dataDir: posthorn.dataDir,
    });
    await using _ = other.posthorn;
    const { url, ticket } = await begin();
    const there = new Somebody(other.posthorn, owner.cookie, owner.workspace);
    const { body } = await there.ask("POST /installation/ways/office/sign-in/check", {
      body: { ticket, answer: visit(url) },
    });
    expect(body).toMatchObject({ state: "DONE" });
    expect((await owner.ask("POST /installation/ways/office/try")).body).toMatchObject({ works: true });
    await send(posthorn);
    expect(relay.mails).toHaveLength(1);
    expect(tokens.asked).toHaveLength(1);
  },
);

test("a copy of an installation, from which nothing leaves, asks for no token", async () => {
  await using tokens = new TokenService();
  const { relay } = await relayFor();
  await using _relay = relay;
  const way = wayTo(relay, tokens.url);
  await using captures = await startPosthorn({ config: { relay: way.relay } });
  await captures.settle();
  const { posthorn } = await startedWith(way);
  await using _ = posthorn;
  await posthorn.store.write(holdAll);
  await posthorn.settle();
  expect(tokens.asked).toEqual([]);
  await posthorn.store.write(releaseAll);
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  expect(tokens.asked).toHaveLength(1);
});

// What strangers may do: sign-ups by a public key or on a page, limited by address and network; leaving never is.
import { expect, test } from "bun:test";
import { mailsSent } from "../support/mails.ts";
import type { Posthorn, Reply } from "../support/posthorn.ts";
import { ask, everything, type Key } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Behind a proxy that is trusted; three sign-ups a minute for each client, twelve for its network. */
function start(): Promise<Posthorn> {
  return workspace({ config: { http: { trustedProxies: ["127.0.0.1"] }, limits: { signUpsPerMinute: 3 } } });
}

let people = 0;
type Track = { readonly from?: string; readonly email?: string; readonly key?: Key; readonly body?: object };

function track(
  posthorn: Posthorn,
  { from, email = `p${people++}@example.com`, key = "public", body }: Track,
): Promise<Reply> {
  const headers: Record<string, string> = from === undefined ? {} : { "x-forwarded-for": from };
  return ask(posthorn, "POST /v1/track", { key, headers, body: { email, event: "visit", ...body } });
}

test("one client may make so many contacts in a minute; what was refused leaves no trace, and others go on (slow)", async () => {
  await using posthorn = await start();
  const from = "198.51.100.1";
  for (let count = 0; count < 3; count++) expect((await track(posthorn, { from })).status).toBe(200);
  const before = await everything(posthorn);
  const refused = await track(posthorn, { from });
  expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "RATE_LIMIT_EXCEEDED",
    "60",
  ]);
  expect(await everything(posthorn)).toEqual(before);
  expect((await track(posthorn, { from: "198.51.100.2" })).status).toBe(200);
  expect((await track(posthorn, { from, key: "secret" })).status).toBe(200);
  posthorn.clock.advance(MINUTE_MS);
  expect((await track(posthorn, { from })).status).toBe(200);
});

test("events of people who are known are not counted", async () => {
  await using posthorn = await start();
  const from = "198.51.100.1";
  const email = "ada@example.com";
  for (let count = 0; count < 10; count++) expect((await track(posthorn, { from, email })).status).toBe(200);
});

test("a network may do four times as much as a client of it; what an IPv6 client has is one address", async () => {
  await using posthorn = await start();
  const statuses: number[] = [];
  for (let host = 1; host <= 13; host++) statuses.push((await track(posthorn, { from: `198.51.100.${host}` })).status);
  expect(statuses).toEqual([...Array<number>(12).fill(200), 429]);
  const v6: number[] = [];
  for (let host = 1; host <= 4; host++) v6.push((await track(posthorn, { from: `2a00:1450:1:2::${host}` })).status);
  expect(v6).toEqual([200, 200, 200, 429]);
});

test("a client cannot pass for another one", async () => {
  await using posthorn = await start();
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++)
    statuses.push((await track(posthorn, { from: `203.0.113.${count}, 198.51.100.1` })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test("where clients cannot be told apart, or there is no limit, none is limited (slow)", async () => {
  const unlimited = [
    { limits: { signUpsPerMinute: 3 } },
    { http: { trustedProxies: ["127.0.0.1"] }, limits: { signUpsPerMinute: 0 } },
  ];
  for (const config of unlimited) {
    await using posthorn = await workspace({ config });
    for (let count = 0; count < 5; count++) expect((await track(posthorn, { from: "198.51.100.1" })).status).toBe(200);
  }
});

test("a stranger with a public key uses up no more of the workspace's requests than one client may make", async () => {
  await using posthorn = await start();
  const [from, email] = ["198.51.100.1", "ada@example.com"];
  const left = async () => Number((await ask(posthorn, "GET /templates")).headers.get("ratelimit-remaining"));
  for (let count = 0; count < 30; count++) expect((await track(posthorn, { from, email })).status).toBe(200);
  const before = await left();
  const refused = await track(posthorn, { from, email });
  expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "RATE_LIMIT_EXCEEDED",
    "60",
  ]);
  expect(refused.headers.get("ratelimit-remaining")).toBe(String(before));
  for (let count = 0; count < 5; count++) {
    const body = { subscribed: false, data: { count } };
    expect((await track(posthorn, { from, email, body })).status).toBe(200);
  }
  expect(await left()).toBe(before - 1);
  const others = await Promise.all(Array.from({ length: 31 }, () => track(posthorn, { from: "198.51.100.2", email })));
  expect(others.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await track(posthorn, { from: "198.51.100.3", email })).status).toBe(429);
  expect((await track(posthorn, { from, email, key: "secret" })).status).toBe(200);
  posthorn.clock.advance(MINUTE_MS);
  expect((await track(posthorn, { from, email })).status).toBe(200);
});

test("where public keys unsubscribe nobody, a client that asks too often is not let in for that", async () => {
  await using posthorn = await start();
  await ask(posthorn, "PATCH /workspace", { body: { publicKeys: { unsubscribe: false } } });
  const one = { from: "198.51.100.1", email: "ada@example.com", body: { subscribed: false } };
  for (let count = 0; count < 30; count++) expect((await track(posthorn, one)).status).toBe(200);
  expect((await track(posthorn, one)).status).toBe(429);
});

test("who hands on requests and is not trusted is warned of once (slow)", async () => {
  for (const [trustedProxies, warnings] of [
    [[], 1],
    [["127.0.0.1"], 0],
  ] as const) {
    await using posthorn = await workspace({ config: { http: { trustedProxies: [...trustedProxies] } } });
    for (let count = 0; count < 3; count++) await track(posthorn, { from: "198.51.100.1" });
    await track(posthorn, {});
    expect(posthorn.logLines.filter((line) => line.includes("trusted_proxies"))).toHaveLength(warnings);
  }
});

test("an answer under an Idempotency-Key is given again, and not counted", async () => {
  await using posthorn = await start();
  const question = {
    key: "public" as const,
    headers: { "x-forwarded-for": "198.51.100.1", "idempotency-key": "k" },
    body: { email: "ada@example.com", event: "visit" },
  };
  for (let count = 0; count < 5; count++) expect((await ask(posthorn, "POST /v1/track", question)).status).toBe(200);
});

test("an address is sent three confirmation mails a day; events go on without, and a request for another is told when (slow)", async () => {
  await using posthorn = await workspace();
  const input = { email: "ada@example.com", body: { doubleOptIn: true } };
  for (let count = 0; count < 4; count++) {
    expect((await track(posthorn, input)).status).toBe(200);
    posthorn.clock.advance(HOUR_MS);
  }
  expect(await mailsSent(posthorn)).toHaveLength(3);
  expect((await posthorn.eventNames()).filter((name) => name === "visit")).toHaveLength(4);
  const explicit = { ...input, body: { doubleOptIn: true, subscribed: true } };
  const refused = await track(posthorn, explicit);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(20 * 3600)]);
  expect((await track(posthorn, { ...explicit, key: "secret" })).status).toBe(200);
  expect(await mailsSent(posthorn)).toHaveLength(4);
  posthorn.clock.advance(20 * HOUR_MS);
  expect((await track(posthorn, explicit)).status).toBe(200);
  expect(await mailsSent(posthorn)).toHaveLength(5);
});

/** Asks for a mail in so many words. */
const SIGN_UP = { doubleOptIn: true, subscribed: true };

test("a sign-up that is refused costs no mail", async () => {
  await using posthorn = await workspace();
  const [email, body] = ["ada@example.com", SIGN_UP];
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
  for (let count = 0; count < 4; count++) expect((await track(posthorn, { email, body })).status).toBe(409);
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = ${tx.now}`);
  expect((await track(posthorn, { email, body })).status).toBe(200);
  expect(await mailsSent(posthorn)).toHaveLength(1);
});

test("a mailbox is one address, whatever tags are put to its name", async () => {
  await using posthorn = await workspace();
  const statuses: number[] = [];
  for (const email of ["ada@example.com", "ada+1@example.com", "ada+2+3@example.com", "ada+4@example.com"])
    statuses.push((await track(posthorn, { email, body: SIGN_UP })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await track(posthorn, { email: "ada+4@example.org", body: SIGN_UP })).status).toBe(200);
});

test("a client causes ten times as many of these mails in a day as it may sign up in a minute, its network forty times (slow)", async () => {
  await using posthorn = await start();
  const mailed: number[] = [];
  for (let host = 1; host <= 5; host++) {
    for (let minute = 0; minute < 11; minute++) {
      for (let count = 0; count < 3; count++)
        expect((await track(posthorn, { from: `198.51.100.${host}`, body: { doubleOptIn: true } })).status).toBe(200);
      posthorn.clock.advance(MINUTE_MS);
    }
    mailed.push((await mailsSent(posthorn)).length);
  }
  expect(mailed).toEqual([30, 60, 90, 120, 120]);
  expect((await track(posthorn, { from: "198.51.100.9", body: SIGN_UP })).status).toBe(429);
  expect((await track(posthorn, { from: "203.0.113.1", body: SIGN_UP })).status).toBe(200);
});

test("where no mail goes, nobody gets more time to confirm", async () => {
  await using posthorn = await workspace();
  const input = { email: "ada@example.com", body: { doubleOptIn: true } };
  const expiresAt = async () => (await ask(posthorn, "GET /contacts")).body.data[0].expiresAt;
  for (let count = 0; count < 3; count++) {
    await track(posthorn, input);
    posthorn.clock.advance(HOUR_MS);
  }
  const before = await expiresAt();
  expect((await track(posthorn, input)).status).toBe(200);
  expect((await track(posthorn, { ...input, body: SIGN_UP })).status).toBe(429);
  expect(await expiresAt()).toBe(before);
});

test("subscribing on a page is limited by the client; unsubscribing never is", async () => {
  await using posthorn = await start();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", doubleOptIn: true } });
  await posthorn.settle();
  const raw = posthorn.transport.sent.at(-1)?.raw.toString().replace(/=\r\n/g, "") ?? "";
  const token = /\/subscribe\/([\w-]+)/.exec(raw)?.[1] ?? "";
  const headers = { "x-forwarded-for": "198.51.100.1" };
  const post = async (page: string) => (await ask(posthorn, `POST /${page}/${token}`, { key: "none", headers })).status;
  const manage = async (subscribed: boolean) => {
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const route = `POST /manage/${token}`;
    return (await ask(posthorn, route, { key: "none", headers: form, body: `subscribed=${subscribed}` })).status;
  };
  expect([await post("subscribe"), await post("subscribe"), await manage(true)]).toEqual([200, 200, 200]);
  expect([await post("subscribe"), await manage(true)]).toEqual([429, 429]);
  for (let count = 0; count < 5; count++) {
    expect([await post("unsubscribe"), await manage(false)]).toEqual([200, 200]);
  }
});

test("what a provider ignores in an address makes no other mailbox", async () => {
  await using posthorn = await workspace();
  const spelt = ["a.d.a@gmail.com", "ada@gmail.com", "ad.a+x@googlemail.com", "a.da@gmail.com", "ada+1@gmail.com"];
  const statuses = [];
  for (const email of spelt) statuses.push((await track(posthorn, { email, body: SIGN_UP })).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await mailsSent(posthorn)).toHaveLength(3);
});

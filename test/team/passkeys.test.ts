// Passkeys: made, used alone or beside the password, as a proof, and refused when something about them is not right.
import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { Authenticator } from "../support/authenticator.ts";
import { askAsNobody, firstOwner, PASSWORD, patiently, signedIn, somebody, type Somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { countOf, everything } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ORIGIN = "http://localhost:8484";
const ADA = { email: "ada@example.com", password: PASSWORD };

const started = () => workspace({ config: { http: { baseUrl: ORIGIN } } });

async function add(who: Somebody, authenticator = new Authenticator(ORIGIN)): Promise<Authenticator> {
  const asked = await who.ask("POST /me/passkeys/options");
  const body = { name: "Laptop", passkey: authenticator.create(asked.body) };
  expect((await who.ask("POST /me/passkeys", { body })).status).toBe(201);
  return authenticator;
}

const askFor = async (posthorn: Posthorn) => (await askAsNobody(posthorn, "POST /session/passkey-options", {})).body;
const enterWith = (posthorn: Posthorn, passkey: Json) => askAsNobody(posthorn, "POST /session/passkey", { passkey });

test("the first owner may come in with a passkey alone, and then has no password to lose (slow)", async () => {
  await using posthorn = await started();
  const token = await posthorn.store.write(welcomeToken);
  const entry = { token, email: "ada@example.com", name: "Ada" };
  const asked = await askAsNobody(posthorn, "POST /links/passkey-options", entry);
  expect(asked.body.options).toMatchObject({
    rp: { id: "localhost" },
    user: { name: "ada@example.com", displayName: "Ada" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const authenticator = new Authenticator(ORIGIN);
  const passkey = authenticator.create(asked.body);
  const entered = await askAsNobody(posthorn, "POST /links/accept", { ...entry, passkey, passkeyName: "Phone" });
  expect(entered.body).toMatchObject({ owner: true, hasPassword: false });
  const ada = await signedIn(posthorn, entered);
  const [only] = (await ada.ask("GET /me/passkeys")).body;
  expect(only).toMatchObject({ name: "Phone", usedAt: null });
  const refused = await ada.ask(`DELETE /me/passkeys/${only.id}`);
  expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
  const again = await enterWith(posthorn, authenticator.get(await askFor(posthorn)));
  expect([again.status, again.body.email]).toEqual([200, "ada@example.com"]);
  const wrong = await patiently(posthorn, askAsNobody(posthorn, "POST /session", ADA));
  expect(wrong.body.error.code).toBe("SIGN_IN_FAILED");
});

test("a passkey is added, signs in, proves who somebody is, and is removed", async () => {
  await using posthorn = await started();
  const ada = await firstOwner(posthorn);
  const authenticator = await add(ada);
  posthorn.clock.advance(11 * MINUTE_MS);
  const { body: early } = await ada.ask("POST /keys", { body: { name: "Shop" } });
  expect(early.error.code).toBe("PROOF_NEEDED");
  const proof = { passkey: authenticator.get(await askFor(posthorn)) };
  expect((await ada.ask("POST /session/proof", { body: proof })).status).toBe(200);
  expect((await ada.ask("POST /keys", { body: { name: "Shop" } })).status).toBe(201);
  const [passkey] = (await ada.ask("GET /me/passkeys")).body;
  expect(passkey.usedAt).not.toBeNull();
  expect((await ada.ask(`DELETE /me/passkeys/${passkey.id}`)).status).toBe(204);
  expect((await enterWith(posthorn, authenticator.get(await askFor(posthorn)))).status).toBe(401);
  const { data } = (await ada.ask("GET /audit?of=installation")).body;
  expect(data.map(({ action }: Json) => action)).toEqual([
    ...["signInFailed", "removePasskey", "addPasskey", "acceptLink"],
  ]);
});

test("a passkey beside the password is asked for once the password is right", async () => {
  await using posthorn = await started();
  const ada = await firstOwner(posthorn);
  const change = { body: { passkeyRequired: true } };
  expect((await ada.ask("PATCH /me", change)).status).toBe(409);
  const authenticator = await add(ada);
  expect((await ada.ask("PATCH /me", change)).body.passkeyRequired).toBe(true);
  const [only] = (await ada.ask("GET /me/passkeys")).body;
  expect((await ada.ask(`DELETE /me/passkeys/${only.id}`)).status).toBe(409);
  const enter = (body: object) => patiently(posthorn, askAsNobody(posthorn, "POST /session", body));
  expect((await enter({ ...ADA, password: "wrong words of mine" })).body.error.code).toBe("SIGN_IN_FAILED");
  const half = await enter(ADA);
  expect([half.status, half.body.error.code, half.headers.get("set-cookie")]).toEqual([401, "PASSKEY_NEEDED", null]);
  const stranger = await add(await somebody(posthorn, "ADMIN"));
  const foreign = await enter({ ...ADA, passkey: stranger.get(await askFor(posthorn)) });
  expect([foreign.status, foreign.body.error.code]).toEqual([401, "SIGN_IN_FAILED"]);
  expect((await enter({ ...ADA, passkey: authenticator.get(await askFor(posthorn)) })).status).toBe(200);
});

describe("a passkey that a stranger may have added", () => {
  const required = { body: { passkeyRequired: true } };

  /** Signed in with a password; a passkey is needed beside it. */
  const locked = async (posthorn: Posthorn) => {
    const ada = await firstOwner(posthorn);
    const authenticator = await add(ada);
    expect((await ada.ask("PATCH /me", required)).status).toBe(200);
    const { id } = (await ada.ask("GET /me")).body;
    const recover = async () => (await ada.ask(`POST /users/${id}/link`)).body.link.split("#")[1] as string;
    const getsIn = async () => (await enterWith(posthorn, authenticator.get(await askFor(posthorn)))).status;
    return { ada, recover, getsIn };
  };

  test("is named by a link to recover access, and ends with it", async () => {
    await using posthorn = await started();
    const { recover, getsIn } = await locked(posthorn);
    const token = await recover();
    expect((await askAsNobody(posthorn, "POST /links/look", { token })).body.passkeys).toEqual(["Laptop"]);
    const entered = await askAsNobody(posthorn, "POST /links/accept", { token, password: "four new words of mine" });
    expect(entered.body).toMatchObject({ hasPassword: true, passkeyRequired: false });
    expect(await getsIn()).toBe(401);
    const again = { ...ADA, password: "four new words of mine" };
    expect((await askAsNobody(posthorn, "POST /session", again)).status).toBe(200);
  });

  test("stays if whoever recovers access chooses so, and is needed as before", async () => {
    await using posthorn = await started();
    const { recover, getsIn } = await locked(posthorn);
    const entry = { token: await recover(), password: "four new words of mine", keepPasskeys: true };
    expect((await askAsNobody(posthorn, "POST /links/accept", entry)).body.passkeyRequired).toBe(true);
    expect(await getsIn()).toBe(200);
  });

  test("ends where access is recovered with a passkey, and so does the old password", async () => {
    await using posthorn = await started();
    const { recover, getsIn } = await locked(posthorn);
    const token = await recover();
    const asked = await askAsNobody(posthorn, "POST /links/passkey-options", { token });
    const mine = new Authenticator(ORIGIN);
    const entered = await askAsNobody(posthorn, "POST /links/accept", { token, passkey: mine.create(asked.body) });
    expect(entered.body).toMatchObject({ hasPassword: false, passkeyRequired: false });
    expect(await getsIn()).toBe(401);
    expect((await enterWith(posthorn, mine.get(await askFor(posthorn)))).status).toBe(200);
    expect((await patiently(posthorn, askAsNobody(posthorn, "POST /session", ADA))).status).toBe(401);
  });

  test("ends with a new password, unless it is kept", async () => {
    await using posthorn = await started();
    const { ada, getsIn } = await locked(posthorn);
    const change = { password: "four new words of mine" };
    expect((await ada.ask("PUT /me/password", { body: { ...change, keepPasskeys: true } })).status).toBe(204);
    expect(await getsIn()).toBe(200);
    expect((await ada.ask("PUT /me/password", { body: change })).status).toBe(204);
    expect(await getsIn()).toBe(401);
    expect((await ada.ask("GET /me")).body.passkeyRequired).toBe(false);
  });
});

describe("a passkey's answer is refused", () => {
  /** What it was answered; nothing is left of it but its line in the audit log. */
  const refused = async (answer: (options: Json, good: Authenticator, posthorn: Posthorn) => Json) => {
    await using posthorn = await started();
    const good = await add(await somebody(posthorn, "OWNER"));
    const options = await askFor(posthorn);
    const passkey = answer(options, good, posthorn);
    const before = await everything(posthorn);
    const { status, body } = await enterWith(posthorn, passkey);
    const after = await everything(posthorn);
    const noted = after["audit"]?.pop();
    expect(after).toEqual(before);
    expect(noted).toMatchObject({ action: "signInFailed", target: null });
    return [status, body.error?.code];
  };

  const WRONG: readonly (readonly [why: string, answer: Parameters<typeof refused>[0]])[] = [
    ["nobody has it", (options) => new Authenticator(ORIGIN).get(options)],
    [
      "it answers a challenge that is not ours",
      (options, good) =>
        good.get({ options: { ...options.options, challenge: Buffer.alloc(38).toString("base64url") } }),
    ],
    [
      "it was asked by another site",
      (options, good) => {
        Object.assign(good, { origin: "http://evil.localhost:8484" });
        return good.get(options);
      },
    ],
    ["it is for another host", (options, good) => good.get({ options: { ...options.options, rpId: "example.com" } })],
    [
      "nobody was verified",
      (options, good) => {
        Object.assign(good, { isVerified: false });
        return good.get(options);
      },
    ],
    [
      "the signature is another's",
      (options, good) => {
        const other = new Authenticator(ORIGIN).get(options);
        return { ...good.get(options), response: other.response };
      },
    ],
    [
      "it comes after five minutes",
      (options, good, posthorn) => {
        posthorn.clock.advance(5 * MINUTE_MS + 1);
        return good.get(options);
      },
    ],
  ];

  test.each(WRONG)("if %s", async (_, answer) => {
    expect(await refused(answer)).toEqual([401, "SIGN_IN_FAILED"]);
  });

  test("if it was used before", async () => {
    await using posthorn = await started();
    const authenticator = await add(await somebody(posthorn, "OWNER"));
    const passkey = authenticator.get(await askFor(posthorn));
    expect((await enterWith(posthorn, passkey)).status).toBe(200);
    expect((await enterWith(posthorn, passkey)).body.error.code).toBe("SIGN_IN_FAILED");
    posthorn.clock.advance(10 * MINUTE_MS);
    await posthorn.settle();
    posthorn.clock.advance(60 * MINUTE_MS);
    await posthorn.settle();
    expect(await countOf(posthorn, "spent_challenges")).toBe(0);
  });

  test("if it was made for somebody else", async () => {
    await using posthorn = await started();
    const [ada, eve] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "ADMIN")];
    const asked = await ada.ask("POST /me/passkeys/options");
    const body = { name: "Laptop", passkey: new Authenticator(ORIGIN).create(asked.body) };
    const { status, body: answer } = await eve.ask("POST /me/passkeys", { body });
    expect([status, answer.error.errors[0].field]).toEqual([422, "passkey"]);
    expect((await ada.ask("POST /me/passkeys", { body })).status).toBe(201);
    expect((await ada.ask("POST /me/passkeys", { body })).status).toBe(422);
  });
});

test.each([
  ["http://127.0.0.1:8484", "a host name, not an IP address"],
  ["https://192.0.2.1", "a host name, not an IP address"],
  ["http://mail.example.com", "https"],
  ["https://mail.example.com", null],
  ["http://localhost:8484", null],
])("under %s passkeys are offered, or it is said what they need: %p", async (baseUrl, need) => {
  await using posthorn = await workspace({ config: { http: { baseUrl } } });
  const { passkeys } = (await askAsNobody(posthorn, "GET /session")).body;
  const reason = need && `Passkeys need ${need} in base_url, which is ${baseUrl}.`;
  expect(passkeys).toEqual({ offered: need === null, reason });
  const asked = await askAsNobody(posthorn, "POST /session/passkey-options", {});
  expect([asked.status, asked.body.error?.message]).toEqual(need === null ? [200, undefined] : [409, reason]);
});

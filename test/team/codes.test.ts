// Codes beside the password: an authenticator app, recovery codes, what is taken once, and what an owner resets.
import { describe, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { Authenticator } from "../support/authenticator.ts";
import { mailSent } from "../support/mails.ts";
import { askAsNobody, firstOwner, PASSWORD, patiently, signedIn, somebody, type Somebody } from "../support/people.ts";
import type { Json, Posthorn, Reply } from "../support/posthorn.ts";
import { countOf, everything } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };
const STEP_MS = 30_000;

/** What an app on a phone shows. */
class App {
  readonly #totp: TOTP;
  constructor(
    private readonly posthorn: Posthorn,
    readonly secret: string,
  ) {
    this.#totp = new TOTP({ secret });
  }
  /** Steps from now. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: this.posthorn.clock.nowMs() + steps * STEP_MS });
  }
}

async function setUp(who: Somebody): Promise<{ readonly app: App; readonly recoveryCodes: readonly string[] }> {
  const app = new App(who.posthorn, (await who.ask("POST /me/totp")).body.secret);
  const { status, body } = await who.ask("POST /me/totp/confirm", { body: { code: app.code() } });
  expect(status).toBe(200);
  return { app, recoveryCodes: body.recoveryCodes };
}

/** Ada with an app, half a minute after she has set it up. */
async function withApp(posthorn: Posthorn) {
  const ada = await firstOwner(posthorn);
  const made = await setUp(ada);
  posthorn.clock.advance(STEP_MS);
  return { ada, ...made };
}

const enter = (posthorn: Posthorn, code?: string) =>
  patiently(posthorn, askAsNobody(posthorn, "POST /session", { ...ADA, ...(code === undefined ? {} : { code }) }));
const said = ({ status, body }: Reply) => [status, body.error?.code, body.error?.reason];
const WRONG = [401, "SIGN_IN_FAILED", "wrong_code"];

describe("an authenticator app", () => {
  test("counts once a code of it is entered, and its secret is shown once and stored encrypted", async () => {
    await using posthorn = await workspace();
    const ada = await firstOwner(posthorn);
    const { secret, uri } = (await ada.ask("POST /me/totp")).body;
    expect(uri).toStartWith(`otpauth://totp/Posthorn:ada%40example.com?issuer=Posthorn&secret=${secret}&`);
    expect((await ada.ask("GET /me")).body).toMatchObject({ totp: false, recoveryCodesLeft: 0 });
    expect((await enter(posthorn)).status).toBe(200);
    const wrong = await ada.ask("POST /me/totp/confirm", { body: { code: "000000" } });
    expect([wrong.status, wrong.body.error.errors[0]]).toMatchObject([422, { field: "code", code: "wrong_code" }]);
    const code = new App(posthorn, secret).code();
    const { recoveryCodes } = (await ada.ask("POST /me/totp/confirm", { body: { code } })).body;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await ada.ask("GET /me")).body).toMatchObject({ totp: true, recoveryCodesLeft: 10 });
    expect(said(await ada.ask("POST /me/totp"))).toEqual([409, "CONFLICT", "totp_on"]);
    expect(said(await ada.ask("POST /me/totp/confirm", { body: { code } }))).toEqual([
      ...[409, "CONFLICT", "totp_not_begun"],
    ]);
    const stored = JSON.stringify(await everything(posthorn));
    for (const one of [secret, ...recoveryCodes, ...recoveryCodes.map((text: string) => text.replaceAll("-", ""))])
      expect(stored).not.toContain(one);
  });

  test("that was not confirmed is replaced by the next one", async () => {
    await using posthorn = await workspace();
    const ada = await firstOwner(posthorn);
    const lost = new App(posthorn, (await ada.ask("POST /me/totp")).body.secret);
    const kept = new App(posthorn, (await ada.ask("POST /me/totp")).body.secret);
    const confirm = async (app: App) => (await ada.ask("POST /me/totp/confirm", { body: { code: app.code() } })).status;
    expect([await confirm(lost), await confirm(kept)]).toEqual([422, 200]);
  });

  test("is asked for its code once the password is right", async () => {
    await using posthorn = await workspace();
    const { app } = await withApp(posthorn);
    const wrong = { ...ADA, password: "wrong words of mine", code: app.code() };
    const guessed = await patiently(posthorn, askAsNobody(posthorn, "POST /session", wrong));
    expect(said(guessed)).toEqual([401, "SIGN_IN_FAILED", undefined]);
    const half = await enter(posthorn);
    expect([half.status, half.body.error.code, half.headers.get("set-cookie")]).toEqual([401, "CODE_NEEDED", null]);
    expect((await enter(posthorn, `${app.code().slice(0, 3)} ${app.code().slice(3)}`)).status).toBe(200);
  });

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])("%p steps from now its code is answered %p", async (steps, status) => {
    await using posthorn = await workspace();
    const { app } = await withApp(posthorn);
    posthorn.clock.advance(MINUTE_MS);
    expect((await enter(posthorn, app.code(steps))).status).toBe(status);
  });

  test("shows a code that is taken once: not again, not one before it, and not the one of the set-up", async () => {
    await using posthorn = await workspace();
    const { app } = await withApp(posthorn);
    expect(said(await enter(posthorn, app.code(-1)))).toEqual(WRONG);
    const code = app.code();
    expect((await enter(posthorn, code)).status).toBe(200);
    expect(said(await enter(posthorn, code))).toEqual(WRONG);
    posthorn.clock.advance(STEP_MS);
    expect((await enter(posthorn, app.code(1))).status).toBe(200);
    expect(said(await enter(posthorn, app.code()))).toEqual(WRONG);
  });

  test("lets one in of many who send its code at once", async () => {
    await using posthorn = await workspace();
    const { app } = await withApp(posthorn);
    const code = app.code();
    const answers = await Promise.all(Array.from({ length: 5 }, () => enter(posthorn, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test("is guessed at no more often than a password, also by those who know the password", async () => {
    await using posthorn = await workspace();
    const { app } = await withApp(posthorn);
    const wrong = app.code(5);
    const answers: number[] = [];
    for (let guess = 0; guess < 11; guess++) answers.push((await enter(posthorn, wrong)).status);
    expect(answers).toEqual([...Array<number>(10).fill(401), 429]);
    expect((await enter(posthorn, app.code())).status).toBe(429);
    posthorn.clock.advance(10 * MINUTE_MS);
    expect((await enter(posthorn, app.code())).status).toBe(200);
    const { data } = (await (await somebody(posthorn, "OWNER")).ask("GET /audit?of=installation")).body;
    expect(data.map(({ action }: Json) => action)).toContain("signInFailed");
  });

  test("proves who somebody is, with the password", async () => {
    await using posthorn = await workspace();
    const { ada, app } = await withApp(posthorn);
    posthorn.clock.advance(11 * MINUTE_MS);
    const prove = (body: object) => patiently(posthorn, ada.ask("POST /session/proof", { body }));
    expect((await ada.ask("POST /me/totp/recovery-codes")).body.error.code).toBe("PROOF_NEEDED");
    expect((await prove({ password: PASSWORD })).body.error.code).toBe("CODE_NEEDED");
    expect((await prove({ code: app.code() })).status).toBe(422);
    expect((await prove({ password: PASSWORD, code: app.code() })).status).toBe(200);
    expect((await ada.ask("POST /me/totp/recovery-codes")).status).toBe(200);
  });

  test("is not asked where a passkey is used (slow)", async () => {
    const origin = "http://localhost:8484";
    await using posthorn = await workspace({ config: { http: { baseUrl: origin } } });
    const { ada } = await withApp(posthorn);
    const authenticator = new Authenticator(origin);
    const made = authenticator.create((await ada.ask("POST /me/passkeys/options")).body);
    expect((await ada.ask("POST /me/passkeys", { body: { name: "Laptop", passkey: made } })).status).toBe(201);
    const answer = async () =>
      authenticator.get((await askAsNobody(posthorn, "POST /session/passkey-options", {})).body);
    const beside = await askAsNobody(posthorn, "POST /session", { ...ADA, passkey: await answer() });
    const alone = await askAsNobody(posthorn, "POST /session/passkey", { passkey: await answer() });
    expect([beside.status, alone.status]).toEqual([200, 200]);
  });

  test("of another key of the server says so, and a recovery code lets its user in", async () => {
    await using posthorn = await workspace();
    const { app, recoveryCodes } = await withApp(posthorn);
    await posthorn.server.store.write((tx) => tx.run`update totp_secrets set secret = 'of another key'`);
    expect(said(await enter(posthorn, app.code()))).toEqual([401, "SIGN_IN_FAILED", "unreadable_app"]);
    expect((await enter(posthorn, recoveryCodes[0])).status).toBe(200);
  });

  test("is removed with its recovery codes, by its user", async () => {
    await using posthorn = await workspace();
    const { ada } = await withApp(posthorn);
    await ada.ask("POST /me/totp/recovery-codes");
    expect((await ada.ask("DELETE /me/totp")).status).toBe(204);
    expect(said(await ada.ask("DELETE /me/totp"))).toEqual([409, "CONFLICT", "totp_off"]);
    expect(said(await ada.ask("POST /me/totp/recovery-codes"))).toEqual([409, "CONFLICT", "totp_off"]);
    expect([await countOf(posthorn, "totp_secrets"), await countOf(posthorn, "recovery_codes")]).toEqual([0, 0]);
    expect((await enter(posthorn)).status).toBe(200);
    const { data } = (await ada.ask("GET /audit?of=installation")).body;
    const actions = data.map(({ action }: Json) => action);
    expect(actions).toEqual([
      ...["signIn", "removeTotp", "renewRecoveryCodes", "confirmTotp", "setUpTotp", "acceptLink"],
    ]);
  });
});

describe("a recovery code", () => {
  test("stands for a code, once, however it is typed", async () => {
    await using posthorn = await workspace();
    const { ada, recoveryCodes } = await withApp(posthorn);
    const [first = "", second = ""] = recoveryCodes;
    expect((await enter(posthorn, first)).status).toBe(200);
    expect(said(await enter(posthorn, first))).toEqual(WRONG);
    expect((await enter(posthorn, second.toLowerCase().replaceAll("-", " "))).status).toBe(200);
    expect((await ada.ask("GET /me")).body.recoveryCodesLeft).toBe(8);
  });

  test("ends when there are new ones", async () => {
    await using posthorn = await workspace();
    const { ada, recoveryCodes } = await withApp(posthorn);
    const renewed = (await ada.ask("POST /me/totp/recovery-codes")).body.recoveryCodes;
    expect(said(await enter(posthorn, recoveryCodes[0]))).toEqual(WRONG);
    expect((await enter(posthorn, renewed[0])).status).toBe(200);
    expect(await countOf(posthorn, "recovery_codes")).toBe(9);
  });

  test("lets in its own user alone", async () => {
    await using posthorn = await workspace();
    await withApp(posthorn);
    const stranger = await setUp(await somebody(posthorn, "ADMIN"));
    expect(said(await enter(posthorn, stranger.recoveryCodes[0]))).toEqual(WRONG);
    expect(said(await enter(posthorn, stranger.app.code()))).toEqual(WRONG);
  });
});

describe("an owner", () => {
  const userIn = async (owner: Somebody, email: string) =>
    (await owner.ask("GET /users")).body.data.find((user: Json) => user.email === email);

  test("sees who has a second factor, and resets one that is lost; its user is told by email (slow)", async () => {
    await using posthorn = await workspace({
      config: { delivery: { transport: "ses" }, ses: { region: "eu-central-1" } },
    });
    await withApp(posthorn);
    const eve = await somebody(posthorn, "OWNER", "eve@example.com");
    const ada = await userIn(eve, ADA.email);
    expect([ada.secondFactors, (await userIn(eve, "eve@example.com")).secondFactors]).toEqual([["TOTP"], []]);
    expect((await eve.ask(`DELETE /users/${ada.id}/totp`)).status).toBe(204);
    expect(said(await eve.ask(`DELETE /users/${ada.id}/totp`))).toEqual([409, "CONFLICT", "totp_off"]);
    expect((await userIn(eve, ADA.email)).secondFactors).toEqual([]);
    const notice = await mailSent(posthorn);
    expect((await enter(posthorn)).status).toBe(200);
    expect(notice.to).toMatchObject({ text: ADA.email });
    expect(notice.text).toContain("OWNER has removed your authenticator app");
    const { data } = (await eve.ask("GET /audit?of=installation")).body;
    expect(data.find(({ action }: Json) => action === "resetTotp")).toMatchObject({ target: ada.id });
  });

  test("alone may do so, with a fresh proof", async () => {
    await using posthorn = await workspace();
    const { ada } = await withApp(posthorn);
    const { id } = (await ada.ask("GET /me")).body;
    const admin = await somebody(posthorn, "ADMIN");
    expect((await admin.ask(`DELETE /users/${id}/totp`)).status).toBe(403);
    posthorn.clock.advance(11 * MINUTE_MS);
    expect((await ada.ask(`DELETE /users/${id}/totp`)).body.error.code).toBe("PROOF_NEEDED");
    expect(await countOf(posthorn, "totp_secrets")).toBe(1);
  });

  test.each([
    [false, 200],
    [true, 401],
  ])(
    "makes a link to recover access: if it keeps what is there (%p), the new password alone is %p",
    async (keepPasskeys, status) => {
      await using posthorn = await workspace();
      const { ada } = await withApp(posthorn);
      const { id } = (await ada.ask("GET /me")).body;
      const token = (await ada.ask(`POST /users/${id}/link`)).body.link.split("#")[1];
      expect((await askAsNobody(posthorn, "POST /links/look", { token })).body.totp).toBe(true);
      const entry = { token, password: "four new words of mine", keepPasskeys };
      const entered = await askAsNobody(posthorn, "POST /links/accept", entry);
      await signedIn(posthorn, entered);
      expect(entered.body.totp).toBe(keepPasskeys);
      const again = { email: ADA.email, password: entry.password };
      expect((await askAsNobody(posthorn, "POST /session", again)).status).toBe(status);
    },
  );
});

describe("a second factor for everybody", () => {
  const RULE = "PUT /installation/second-factor";
  const from = (posthorn: Posthorn, inMs: number) => ({
    body: { requiredFrom: new Date(posthorn.clock.nowMs() + inMs).toISOString() },
  });

  test("is due from a moment on: then users without one reach their own account alone, and set one up there", async () => {
    await using posthorn = await workspace();
    const ada = await firstOwner(posthorn);
    const eve = await somebody(posthorn, "OWNER", "eve@example.com");
    await setUp(eve);
    const bob = await somebody(posthorn, "EDITOR");
    expect((await eve.ask(RULE, from(posthorn, 5 * MINUTE_MS))).status).toBe(200);
    expect((await ada.ask("GET /installation/second-factor")).body).toEqual(from(posthorn, 5 * MINUTE_MS).body);
    const due = from(posthorn, 5 * MINUTE_MS).body.requiredFrom;
    const dueIn = async (who: Somebody) => (await who.ask("GET /me")).body.secondFactorDueAt;
    expect([await dueIn(eve), await dueIn(ada), await dueIn(bob)]).toEqual([null, due, due]);
    expect((await bob.ask("GET /templates")).status).toBe(200);
    posthorn.clock.advance(5 * MINUTE_MS);
    for (const route of ["GET /templates", "GET /workspace"])
      expect(said(await bob.ask(route))).toEqual([403, "FORBIDDEN", "second_factor"]);
    expect(said(await ada.ask("GET /users"))).toEqual([403, "FORBIDDEN", "second_factor"]);
    expect((await eve.ask("GET /users")).status).toBe(200);
    const again = await signedIn(posthorn, await enter(posthorn));
    expect((await again.ask("GET /templates")).status).toBe(403);
    await setUp(again);
    expect((await again.ask("GET /templates")).status).toBe(200);
    expect((await ada.ask("GET /users")).status).toBe(200);
    expect((await eve.ask(RULE, { body: { requiredFrom: null } })).body).toEqual({ requiredFrom: null });
    expect((await bob.ask("GET /templates")).status).toBe(200);
  });

  test("is a passkey too, unless the password alone gets around it", async () => {
    const origin = "http://localhost:8484";
    await using posthorn = await workspace({ config: { http: { baseUrl: origin } } });
    const ada = await firstOwner(posthorn);
    await ada.ask(RULE, from(posthorn, 0));
    const made = new Authenticator(origin).create((await ada.ask("POST /me/passkeys/options")).body);
    expect((await ada.ask("POST /me/passkeys", { body: { name: "Laptop", passkey: made } })).status).toBe(201);
    expect((await ada.ask("GET /templates")).status).toBe(403);
    expect((await ada.ask("PATCH /me", { body: { passkeyRequired: true } })).body.secondFactorDueAt).toBeNull();
    expect((await ada.ask("GET /templates")).status).toBe(200);
  });

  test("is set by owners alone, with a fresh proof", async () => {
    await using posthorn = await workspace();
    const [admin, owner] = [await somebody(posthorn, "ADMIN"), await somebody(posthorn, "OWNER")];
    expect((await admin.ask(RULE, from(posthorn, 0))).status).toBe(403);
    expect((await owner.ask(RULE, { body: { requiredFrom: "soon" } })).status).toBe(422);
    posthorn.clock.advance(11 * MINUTE_MS);
    expect((await owner.ask(RULE, from(posthorn, 0))).body.error.code).toBe("PROOF_NEEDED");
    expect((await owner.ask("GET /installation/second-factor")).body).toEqual({ requiredFrom: null });
  });
});

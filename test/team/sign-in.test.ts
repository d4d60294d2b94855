// How people come in and go: the link of the first start, passwords, sessions, and what slows down guessing.
import { describe, expect, spyOn, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { Passwords } from "../../src/operator/team/session/password.ts";
import { SignInLimits } from "../../src/operator/team/session/sign-in-limits.ts";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import {
  askAsNobody,
  cookieIn,
  firstOwner,
  OWN_PAGE,
  PASSWORD,
  patiently,
  signedIn,
  somebody,
} from "../support/people.ts";
import { TestClock } from "../support/clock.ts";
import { startPosthorn, type Posthorn, type Reply } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };

const signIn = (posthorn: Posthorn, body: object) => patiently(posthorn, askAsNobody(posthorn, "POST /session", body));
const look = (posthorn: Posthorn, token: string) =>
  patiently(posthorn, askAsNobody(posthorn, "POST /links/look", { token }));
const useLink = (posthorn: Posthorn, body: object) =>
  patiently(posthorn, askAsNobody(posthorn, "POST /links/accept", body));

describe("the link of the first start", () => {
  test("lets the first owner in, once, and the page of sign-in knows who exists", async () => {
    await using posthorn = await startPosthorn();
    const state = async () => (await askAsNobody(posthorn, "GET /session")).body;
    expect(await state()).toEqual({
      signedIn: false,
      hasUsers: false,
      passkeys: { offered: false, reason: expect.stringContaining("an IP address") },
      passwords: true,
      providers: [],
    });
    const token = await posthorn.store.write(welcomeToken);
    const looked = await askAsNobody(posthorn, "POST /links/look", { token });
    expect(looked.body).toMatchObject({ kind: "WELCOME", email: null, role: "OWNER", known: false, workspace: null });
    const entry = { token, email: "Ada@Example.com", name: " Ada ", password: PASSWORD };
    const ada = await askAsNobody(posthorn, "POST /links/accept", entry);
    expect(ada.body).toMatchObject({ email: "ada@example.com", name: "Ada", owner: true, hasPassword: true });
    expect(ada.body.workspaces).toMatchObject([{ name: "default", role: "OWNER", disabled: false }]);
    expect((await state()).hasUsers).toBe(true);
    const again = await useLink(posthorn, { ...entry, email: "eve@example.com" });
    expect([again.status, again.body.error.code]).toEqual([404, "LINK_NOT_FOUND"]);
    expect(await posthorn.store.write(welcomeToken)).toBeNull();
  });

  test("is over after a day, and when somebody else has come in", async () => {
    await using posthorn = await startPosthorn();
    const isThere = async (token: string | null) => (await look(posthorn, token ?? "")).status === 200;
    const late = await posthorn.store.write(welcomeToken);
    posthorn.clock.advance(DAY_MS - MINUTE_MS);
    expect(await isThere(late)).toBe(true);
    posthorn.clock.advance(2 * MINUTE_MS);
    const other = await posthorn.store.write(welcomeToken);
    expect([await isThere(late), await isThere(other)]).toEqual([false, true]);
    await firstOwner(posthorn);
    expect(await isThere(other)).toBe(false);
    posthorn.clock.advance(2 * DAY_MS);
    await posthorn.settle();
    expect(await countOf(posthorn, "invitations")).toBe(0);
  });

  test("lets one first owner in, also if two links of two starts are used at once", async () => {
    await using posthorn = await startPosthorn();
    const tokens = [await posthorn.store.write(welcomeToken), await posthorn.store.write(welcomeToken)];
    const replies = await Promise.all(
      tokens.map((token, number) =>
        useLink(posthorn, { ...ADA, token, name: "Ada", email: `ada.${number}@example.com` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect([await countOf(posthorn, "users"), await countOf(posthorn, "invitations")]).toEqual([1, 0]);
  });

  test("takes no weak password, and leaves no trace then", async () => {
    await using posthorn = await startPosthorn();
    const token = await posthorn.store.write(welcomeToken);
    const before = await everything(posthorn);
    const refused: readonly [password: string | null, code: string][] = [
      ["short", "too_small"],
      ["password123", "common"],
      ["PassWord123", "common"],
      ["aaaaaaaaaaaaaa", "common"],
      ["ada@example.com", "common"],
      [null, "required"],
    ];
    for (const [password, code] of refused) {
      const reply = await askAsNobody(posthorn, "POST /links/accept", { token, ...ADA, name: "Ada", password });
      expect([password, reply.status, reply.body.error.errors[0]]).toMatchObject([
        ...[password, 422],
        { field: "password", code },
      ]);
    }
    expect(await everything(posthorn)).toEqual(before);
  });
});

describe("the code of the first start", () => {
  const WRONG = "BBBB-CCCC-DDDD";

  test("is three groups of four letters, and may be typed in any case, without its lines", async () => {
    await using posthorn = await startPosthorn();
    const code = (await posthorn.store.write(welcomeToken)) ?? "";
    expect(code).toMatch(/^([B-DF-HJ-NP-TV-Z]{4}-){2}[B-DF-HJ-NP-TV-Z]{4}$/);
    for (const typed of [code, code.toLowerCase(), ` ${code.replaceAll("-", " ")} `, code.replaceAll("-", "")])
      expect([typed, (await look(posthorn, typed)).status]).toEqual([typed, 200]);
    const entry = { ...ADA, token: code.toLowerCase(), name: "Ada" };
    expect((await useLink(posthorn, entry)).body.owner).toBe(true);
  });

  test("is slowed down like a password when it is wrong, wherever it is tried, and refused after ten tries", async () => {
    await using posthorn = await startPosthorn();
    const code = (await posthorn.store.write(welcomeToken)) ?? "";
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      const before = posthorn.clock.monotonicMs();
      const tried = n % 2 === 0 ? look(posthorn, WRONG) : useLink(posthorn, { ...ADA, token: WRONG, name: "Eve" });
      expect((await tried).body.error.code).toBe("LINK_NOT_FOUND");
      waits.push(posthorn.clock.monotonicMs() - before);
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000]);
    const refused = await look(posthorn, code);
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
    posthorn.clock.advance(10 * MINUTE_MS);
    expect((await look(posthorn, code)).status).toBe(200);
  });

  test("is slowed down alone: links of others are too long to guess", async () => {
    await using posthorn = await startPosthorn();
    const ada = await firstOwner(posthorn);
    for (let n = 0; n < 11; n++) await look(posthorn, WRONG);
    const { link } = (await ada.ask("POST /invitations", { body: { email: "bob@example.com", role: "EDITOR" } })).body;
    expect((await look(posthorn, link.split("#")[1])).status).toBe(200);
    expect((await look(posthorn, "x".repeat(43))).status).toBe(404);
  });

  test("lets one owner in, if two people use it at once", async () => {
    await using posthorn = await startPosthorn();
    const token = await posthorn.store.write(welcomeToken);
    const replies = await Promise.all(
      ["ada@example.com", "eve@example.com"].map((email) => useLink(posthorn, { ...ADA, token, name: "One", email })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await countOf(posthorn, "users")).toBe(1);
  });
});

describe("a password", () => {
  test("lets in, and a wrong one is answered as an unknown address is", async () => {
    await using posthorn = await startPosthorn();
    await firstOwner(posthorn);
    const right = await signIn(posthorn, { email: " ADA@example.com ", password: PASSWORD });
    expect([right.status, right.body.email]).toEqual([200, "ada@example.com"]);
    expect((await (await signedIn(posthorn, right)).ask("GET /me")).body).toEqual(right.body);
    const wrong = await signIn(posthorn, { ...ADA, password: "three words of yours" });
    const unknown = await signIn(posthorn, { ...ADA, email: "nobody@example.com" });
    const said = ({ status, headers, body: { error } }: Reply) => [
      status,
      headers.get("set-cookie"),
      { ...error, requestId: "" },
    ];
    expect(said(wrong)).toMatchObject([401, null, { code: "SIGN_IN_FAILED" }]);
    expect(said(unknown)).toEqual(said(wrong));
  });

  test("that is wrong is answered later each time, and after ten tries there is only a refusal, for a right one too", async () => {
    await using posthorn = await startPosthorn();
    await firstOwner(posthorn);
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      const before = posthorn.clock.monotonicMs();
      expect((await signIn(posthorn, { ...ADA, password: `wrong words ${n}` })).status).toBe(401);
      waits.push(posthorn.clock.monotonicMs() - before);
    }
    const delays = [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000];
    expect(waits).toEqual(delays);
    const refused = await signIn(posthorn, ADA);
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
    posthorn.clock.advance(10 * MINUTE_MS);
    expect((await signIn(posthorn, ADA)).status).toBe(200);
  });

  test("is not tried more often because many requests come at once", async () => {
    await using posthorn = await startPosthorn();
    await firstOwner(posthorn);
    const tries = Array.from({ length: 30 }, (_, n) => signIn(posthorn, { ...ADA, password: `wrong words ${n}` }));
    const answers = (await Promise.all(tries)).map(({ status }) => status);
    expect(answers.filter((status) => status === 429)).toHaveLength(20);
  });

  test("is guessed no more often from many IPv6 addresses of one network than from one", async () => {
    await using posthorn = await startPosthorn({ config: { http: { trustedProxies: ["127.0.0.1"] } } });
    await firstOwner(posthorn);
    const guess = (host: number) => {
      const headers = { ...OWN_PAGE, "x-forwarded-for": `2001:db8:1:1::${host.toString(16)}` };
      const body = { ...ADA, password: `wrong words ${host}` };
      return patiently(posthorn, ask(posthorn, "POST /session", { key: "none", headers, body }));
    };
    const answers = [];
    for (let host = 1; host <= 11; host++) answers.push((await guess(host)).status);
    expect(answers).toEqual([...Array<number>(10).fill(401), 429]);
  });

  test("that could not be compared counts as no attempt", async () => {
    const limits = new SignInLimits(new TestClock());
    const attempt = { client: "192.0.2.1", account: "ada@example.com" };
    for (let n = 0; n < 10; n++) {
      const busy = limits.run(attempt, () => Promise.reject(new Error("Too many wait.")));
      await expect(busy).rejects.toThrow("Too many wait.");
    }
    expect(await limits.run(attempt, () => Promise.resolve("Ada"))).toBe("Ada");
  });

  test("that is changed ends the other sessions, and needs a proof that is younger than ten minutes", async () => {
    await using posthorn = await startPosthorn();
    const ada = await firstOwner(posthorn);
    const phone = await signedIn(posthorn, await signIn(posthorn, ADA));
    posthorn.clock.advance(10 * MINUTE_MS);
    const change = { password: "four other words of mine" };
    const early = await ada.ask("PUT /me/password", { body: change });
    expect([early.status, early.body.error.code]).toEqual([403, "PROOF_NEEDED"]);
    const wrong = await patiently(posthorn, ada.ask("POST /session/proof", { body: { password: "wrong words" } }));
    expect([wrong.status, wrong.body.error.code]).toEqual([401, "SIGN_IN_FAILED"]);
    const proof = await ada.ask("POST /session/proof", { body: { password: PASSWORD } });
    expect(Date.parse(proof.body.provenUntil) - posthorn.clock.nowMs()).toBe(10 * MINUTE_MS);
    expect((await ada.ask("PUT /me/password", { body: change })).status).toBe(204);
    expect([(await ada.ask("GET /me")).status, (await phone.ask("GET /me")).body.error.code]).toEqual([
      ...[200, "SESSION_ENDED"],
    ]);
    expect((await signIn(posthorn, ADA)).status).toBe(401);
    expect((await signIn(posthorn, { ...ADA, ...change })).status).toBe(200);
  });
});

test("strangers who guess at an account keep nobody from a proof in a session, whose own guesses are counted", async () => {
  await using posthorn = await startPosthorn();
  const ada = await firstOwner(posthorn);
  const prove = (password: string) => patiently(posthorn, ada.ask("POST /session/proof", { body: { password } }));
  for (let guess = 0; guess < 10; guess++) await patiently(posthorn, signIn(posthorn, { ...ADA, password: "a guess" }));
  expect((await signIn(posthorn, ADA)).status).toBe(429);
  expect((await prove(PASSWORD)).status).toBe(200);
  const answers: number[] = [];
  for (let guess = 0; guess < 11; guess++) answers.push((await prove("a guess")).status);
  expect(answers).toEqual([...Array(10).fill(401), 429]);
  expect((await prove(PASSWORD)).status).toBe(429);
});

test("a person who is signed in does not wait behind strangers who try many passwords", async () => {
  const passwords = new Passwords(new TestClock());
  const hash = await passwords.hash(PASSWORD, "session 1");
  const order: string[] = [];
  const compared = (owner: string) => passwords.isRight(PASSWORD, hash, owner).then(() => order.push(owner));
  await Promise.all([...Array.from({ length: 8 }, () => compared("strangers")), compared("session 1")]);
  // Two at a time: on a busy machine one that began later may end before.
  expect(order.indexOf("session 1")).toBeLessThan(4);
});

test("a password is the same however a keyboard writes its letters", async () => {
  await using posthorn = await startPosthorn();
  const token = await posthorn.store.write(welcomeToken);
  const [composed, apart] = ["fünf wörter für mich".normalize("NFC"), "fünf wörter für mich".normalize("NFD")];
  expect(composed).not.toBe(apart);
  await askAsNobody(posthorn, "POST /links/accept", { token, name: "Ada", ...ADA, password: composed });
  expect((await signIn(posthorn, { ...ADA, password: apart })).status).toBe(200);
});

test("an address is found as it was written at the invitation", async () => {
  await using posthorn = await startPosthorn();
  const email = "Ada@Bücher.example";
  await firstOwner(posthorn, email);
  for (const written of [email, ` ${email.toLowerCase()} `, "ada@xn--bcher-kva.example"])
    expect([written, (await signIn(posthorn, { email: written, password: PASSWORD })).status]).toEqual([written, 200]);
});

test("a password that is changed takes the link for a new one away", async () => {
  await using posthorn = await startPosthorn();
  const ada = await firstOwner(posthorn);
  const { id } = (await ada.ask("GET /me")).body;
  const { link } = (await ada.ask(`POST /users/${id}/link`)).body;
  expect((await ada.ask("PUT /me/password", { body: { password: "four other words of mine" } })).status).toBe(204);
  const looked = await askAsNobody(posthorn, "POST /links/look", { token: link.split("#")[1] });
  expect([looked.status, looked.body.error.code]).toEqual([404, "LINK_NOT_FOUND"]);
});

describe("a session", () => {
  test("that ends while its requests are under way refuses them", async () => {
    await using posthorn = await startPosthorn();
    const ada = await firstOwner(posthorn);
    const phone = await signedIn(posthorn, await signIn(posthorn, ADA));
    // The password is being compared until the session has ended.
    const { verify } = Bun.password;
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    using _ = spyOn(Bun.password, "verify").mockImplementation(async (...asked) => {
      begun.resolve();
      await ended.promise;
      return verify(...asked);
    });
    const proof = phone.ask("POST /session/proof", { body: { password: PASSWORD } });
    await begun.promise;
    const left = phone.ask("DELETE /session");
    const asked = Array.from({ length: 10 }, () => phone.ask("GET /me"));
    expect((await left).status).toBe(204);
    ended.resolve();
    expect((await proof).body.error.code).toBe("SESSION_ENDED");
    for (const { status } of await Promise.all(asked)) expect([200, 401]).toContain(status);
    expect((await ada.ask("GET /me")).status).toBe(200);
  });

  test("has a cookie that scripts and other hosts do not get, and only its hash is stored", async () => {
    const terms = async (baseUrl: string | null) => {
      await using posthorn = await startPosthorn({ config: { http: { baseUrl: baseUrl as never } } });
      const token = await posthorn.store.write(welcomeToken);
      const entry = { token, ...ADA, name: "Ada" };
      const { headers } = await askAsNobody(posthorn, "POST /links/accept", entry);
      const [value = "", ...rest] = (headers.getSetCookie()[0] ?? "").split("; ");
      const secret = value.split("=")[1] ?? "";
      expect([secret.length, JSON.stringify(await everything(posthorn)).includes(secret)]).toEqual([43, false]);
      return [value.split("=")[0], rest.join("; ")];
    };
    const common = "Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax";
    expect(await terms("https://mail.example.com")).toEqual(["__Host-posthorn", `${common}; Secure`]);
    expect(await terms("http://mail.example.com")).toEqual(["posthorn", common]);
  });

  test("ends after 14 days without a visit, and after 90 days in any case", async () => {
    await using posthorn = await startPosthorn();
    const [idle, busy] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "EDITOR")];
    const status = async (who: typeof idle) => (await who.ask("GET /me")).status;
    for (let days = 0; days < 84; days += 12) {
      posthorn.clock.advance(12 * DAY_MS);
      expect([days, await status(busy)]).toEqual([days, 200]);
      if (days === 0) expect(await status(idle)).toBe(200);
      if (days === 24) expect(await status(idle)).toBe(401);
    }
    posthorn.clock.advance(6 * DAY_MS);
    const over = await busy.ask("GET /me");
    expect([over.status, over.body.error.code]).toEqual([401, "SESSION_ENDED"]);
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
    expect(await countOf(posthorn, "sessions")).toBe(0);
  });

  test("is listed, and ended alone or with all others", async () => {
    await using posthorn = await startPosthorn();
    const ada = await firstOwner(posthorn);
    const more = async () => signedIn(posthorn, await signIn(posthorn, ADA));
    const [phone, tablet] = [await more(), await more()];
    const stranger = await somebody(posthorn, "ADMIN");
    const listed = (await ada.ask("GET /me/sessions")).body;
    expect(listed.map(({ current }: { current: boolean }) => current)).toEqual([false, false, true]);
    const [{ id }] = listed;
    const foreign = await stranger.ask(`DELETE /me/sessions/${id}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, "SESSION_NOT_FOUND"]);
    expect((await ada.ask(`DELETE /me/sessions/${id}`)).status).toBe(204);
    expect([(await tablet.ask("GET /me")).status, (await phone.ask("GET /me")).status]).toEqual([401, 200]);
    expect((await ada.ask("DELETE /me/sessions")).status).toBe(204);
    expect([(await phone.ask("GET /me")).status, (await ada.ask("GET /me")).status]).toEqual([401, 200]);
    expect((await stranger.ask("GET /me")).status).toBe(200);
  });

  test("that is signed out takes its cookie away", async () => {
    await using posthorn = await startPosthorn();
    const ada = await firstOwner(posthorn);
    const { status, headers } = await ada.ask("DELETE /session");
    expect([status, cookieIn(headers), headers.get("set-cookie")]).toEqual([
      ...[204, "posthorn=", expect.stringContaining("Max-Age=0")],
    ]);
    expect((await ada.ask("GET /me")).status).toBe(401);
  });
});

test("who hides the first steps hides them in every browser, and nobody else does", async () => {
  await using posthorn = await startPosthorn();
  const ada = await firstOwner(posthorn);
  const phone = await signedIn(posthorn, await signIn(posthorn, ADA));
  const stranger = await somebody(posthorn, "ADMIN");
  const hidden = async () =>
    Promise.all([ada, phone, stranger].map(async (one) => (await one.ask("GET /me")).body.firstStepsHidden));
  expect(await hidden()).toEqual([false, false, false]);
  await ada.ask("PATCH /me", { body: { firstStepsHidden: true } });
  expect(await hidden()).toEqual([true, true, false]);
  await phone.ask("PATCH /me", { body: { firstStepsHidden: false } });
  expect(await hidden()).toEqual([false, false, false]);
});

test("a session is found beside a cookie of another service that has the same name", async () => {
  await using posthorn = await startPosthorn();
  const { cookie, workspace } = await somebody(posthorn, "OWNER");
  const headers = { ...OWN_PAGE, cookie: `posthorn=theirs; other=1; ${cookie}`, "x-workspace": workspace };
  expect((await ask(posthorn, "GET /emails", { key: "none", headers })).status).toBe(200);
});

test("a session counts behind a proxy that asks browsers for a password of its own", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  const status = async (authorization: string) =>
    (await owner.ask("GET /emails", { headers: { authorization } })).status;
  expect(await status("Basic YWRhOnNlY3JldA==")).toBe(200);
  expect([await status("Bearer sk_unknown"), await status("Bearer")]).toEqual([401, 401]);
});

test("a cookie beside a key is not looked at, and one that is not ours is as none", async () => {
  await using posthorn = await startPosthorn();
  const headers = { ...OWN_PAGE, cookie: "posthorn=nonsense" };
  expect((await ask(posthorn, "GET /emails", { headers })).status).toBe(200);
  const without = await ask(posthorn, "GET /emails", { key: "none", headers });
  expect([without.status, without.body.error.code]).toEqual([401, "MISSING_AUTH"]);
});

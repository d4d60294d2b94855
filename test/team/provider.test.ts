// Signing in with a provider (OpenID Connect): what of its answer is checked, and who is let in as whom.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Config } from "../../src/base/config.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { recoveryToken } from "../../src/operator/team/invitations/link.ts";
import { userByEmail, type User } from "../../src/operator/team/queries.ts";
import { Authenticator } from "../support/authenticator.ts";
import {
  askAsNobody,
  firstOwner,
  OWN_PAGE,
  PASSWORD,
  patiently,
  signedIn,
  somebody,
  type Somebody,
} from "../support/people.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask, everything } from "../support/scenario.ts";
import { MIA, refusal, SignInProvider } from "../support/sign-in-provider.ts";
import { workspace } from "../support/workspace.ts";

let provider: SignInProvider;
beforeAll(async () => {
  provider = await SignInProvider.start();
});
afterAll(() => provider[Symbol.asyncDispose]());

const RULES = { roles: ["it = owner", "news = editor in default", "sales = marketer"] };
const SALES = { ...MIA, groups: ["sales"] };

async function withProvider(settings: Partial<Config["oidc"][number]> = RULES) {
  const posthorn = await workspace({ config: { oidc: [provider.settings(settings)] } });
  provider.startOver(posthorn);
  return posthorn;
}

const refused = (reason: string) => [401, "SIGN_IN_FAILED", reason];
const tried = async (posthorn: Posthorn, claims: object = SALES) =>
  refusal(await provider.tryToEnter(posthorn, claims as typeof MIA));
const byPassword = async (posthorn: Posthorn, email: string) =>
  patiently(posthorn, askAsNobody(posthorn, "POST /session", { email, password: PASSWORD }));
const rolesOf = async (who: Somebody) =>
  (await who.ask("GET /me")).body.workspaces.map(({ role }: { readonly role: string }) => role);

/** A member with a password, as before there was a provider. */
async function member(posthorn: Posthorn, role: "ADMIN" | "EDITOR", email = MIA.email): Promise<Somebody> {
  const who = await somebody(posthorn, role, email);
  expect((await who.ask("PUT /me/password", { body: { password: PASSWORD } })).status).toBe(204);
  return who;
}

/** What a page sends to link an account, or to prove something. */
async function asked(who: Somebody, name = "default") {
  const { url, ticket } = (await who.ask("POST /me/provider-options", { body: { provider: name } })).body;
  return { ticket, answer: await provider.visit(url) };
}

describe("a sign-in", () => {
  test("makes a user with the role of their group, and a session of a day", async () => {
    await using posthorn = await withProvider();
    const mia = await provider.enter(posthorn, { groups: ["everybody", "sales"] });
    const { body } = await mia.ask("GET /me");
    expect(body).toMatchObject({ email: "mia@example.com", name: "Mia Lang", owner: false, hasPassword: false });
    expect(body.workspaces).toMatchObject([{ name: "default", role: "MARKETER" }]);
    const lastsMs = () => Date.parse(body.session.expiresAt) - posthorn.clock.nowMs();
    expect(lastsMs()).toBe(24 * HOUR_MS);
    posthorn.clock.advance(23 * HOUR_MS);
    expect((await mia.ask("GET /me")).body.session.expiresAt).toBe(body.session.expiresAt);
    posthorn.clock.advance(HOUR_MS);
    expect(refusal(await mia.ask("GET /me"))).toEqual([401, "SESSION_ENDED", undefined]);
    await provider.enter(posthorn);
    expect((await everything(posthorn))["users"]).toHaveLength(1);
  });

  test("sends the browser with state, nonce and PKCE to the provider, and back to our page", async () => {
    await using posthorn = await withProvider();
    await provider.enter(posthorn, SALES);
    await provider.enter(posthorn, SALES);
    const [first, second] = provider.visits.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(first).toMatchObject({ response_type: "code", client_id: "posthorn", code_challenge_method: "S256" });
    expect(first?.["redirect_uri"]).toBe("http://127.0.0.1:8484/app/provider/default");
    expect(first?.["scope"]).toBe("openid email profile");
    for (const name of ["state", "nonce", "code_challenge"]) expect(first?.[name]).not.toBe(second?.[name]);
    expect(provider.asks).toBe(1);
  });

  test("asks for the groups where the provider has a scope for them, and takes them from userinfo too", async () => {
    await using posthorn = await withProvider();
    provider.says = { scopes_supported: ["openid", "groups"] };
    provider.info = { groups: ["news"] };
    posthorn.clock.advance(HOUR_MS);
    expect(await rolesOf(await provider.enter(posthorn))).toEqual(["EDITOR"]);
    expect(provider.visits[0]?.searchParams.get("scope")).toBe("openid email profile groups");
  });

  test("is offered by name to whoever is not signed in", async () => {
    await using posthorn = await withProvider();
    const { body } = await askAsNobody(posthorn, "GET /session");
    expect(body).toMatchObject({ passwords: true, providers: [{ name: "default", label: "Example" }] });
    const unknown = await askAsNobody(posthorn, "POST /session/provider-options", { provider: "other" });
    expect(refusal(unknown)).toEqual(refused("provider_unknown"));
  });
});

describe("an answer is refused", () => {
  test("with the state of another sign-in", async () => {
    await using posthorn = await withProvider();
    provider.person = SALES;
    const [mine, other] = [await provider.returnTo(posthorn), await provider.returnTo(posthorn)];
    const body = { ticket: mine.ticket, answer: other.answer };
    const answered = await provider.bring(posthorn, body);
    expect(refusal(answered)).toEqual(refused("provider_refused"));
  });

  test("with another nonce, and without one", async () => {
    await using posthorn = await withProvider();
    provider.bends = (token) => (token["nonce"] = "another");
    expect(await tried(posthorn)).toEqual(refused("provider_refused"));
    provider.bends = (token) => delete token["nonce"];
    expect(await tried(posthorn)).toEqual(refused("provider_refused"));
  });

  test("with the code of somebody else, whose proof key is another one", async () => {
    await using posthorn = await withProvider();
    provider.person = SALES;
    const [mine, other] = [await provider.returnTo(posthorn), await provider.returnTo(posthorn)];
    const [own, theirs] = [new URLSearchParams(mine.answer), new URLSearchParams(other.answer)];
    own.set("code", theirs.get("code") ?? "");
    const body = { ticket: mine.ticket, answer: `?${own}` };
    const answered = await provider.bring(posthorn, body);
    expect(refusal(answered)).toEqual(refused("provider_refused"));
  });

  test("of another issuer (RFC 9207), and without one where the provider names itself", async () => {
    await using posthorn = await withProvider();
    provider.returns = (query) => query.set("iss", "https://evil.example");
    expect(await tried(posthorn)).toEqual(refused("provider_refused"));
    provider.returns = (query) => query.set("iss", provider.issuer);
    expect(await tried(posthorn)).toEqual([200, undefined, undefined]);
    posthorn.clock.advance(HOUR_MS);
    provider.says = { authorization_response_iss_parameter_supported: true };
    expect(await tried(posthorn)).toEqual([200, undefined, undefined]);
    provider.returns = () => {};
    expect(await tried(posthorn)).toEqual(refused("provider_refused"));
  });

  test("with an ID token of another issuer, or for another client", async () => {
    await using posthorn = await withProvider();
    provider.bends = (token) => (token["iss"] = "https://evil.example");
    expect(await tried(posthorn)).toEqual(refused("provider_refused"));
    provider.bends = (token) => (token["aud"] = "another client");
    expect(await tried(posthorn)).toEqual(refused("provider_refused"));
  });

  test("with an ID token that is signed by nobody we know, while a new key of the provider counts at once", async () => {
    await using posthorn = await withProvider();
    await provider.enter(posthorn, SALES);
    await provider.changeKeys();
    await provider.enter(posthorn, SALES);
    provider.answers = (body) => {
      const [head, content, signature = ""] = String(body["id_token"]).split(".");
      body["id_token"] = [head, content, [...signature].toReversed().join("")].join(".");
    };
    expect(await tried(posthorn)).toEqual(refused("provider_refused"));
  });

  test.each([
    [-90, 401],
    [-30, 200],
    [30, 200],
    [90, 401],
  ])(
    "if the clock of the provider is so far away that its token is not good now: %p s is answered %p",
    async (...one) => {
      await using posthorn = await withProvider();
      const [seconds, status] = one;
      provider.bends = (token) => {
        const now = Number(token["iat"]) + seconds;
        Object.assign(token, { iat: now, nbf: now, exp: now });
        if (seconds > 0) token["exp"] = now + 300;
      };
      expect((await provider.tryToEnter(posthorn, SALES)).status).toBe(status);
    },
  );

  test("a second time, after ten minutes, and for something else", async () => {
    await using posthorn = await withProvider();
    provider.person = SALES;
    const enter = async (body: object) => refusal(await provider.bring(posthorn, body));
    const first = await provider.returnTo(posthorn);
    expect(await enter(first)).toEqual([200, undefined, undefined]);
    expect((await enter(first))[0]).toBe(401);
    const late = await provider.returnTo(posthorn);
    posthorn.clock.advance(10 * MINUTE_MS);
    expect(await enter(late)).toEqual(refused("provider_ticket"));
    const mia = await provider.enter(posthorn);
    expect(await enter(await asked(mia))).toEqual(refused("provider_ticket"));
    expect(await enter({ ticket: "v1.no ticket", answer: "?code=x" })).toEqual(refused("provider_ticket"));
  });

  test("in the words of the provider if that refuses, which nobody's log or audit takes for a way in", async () => {
    await using posthorn = await withProvider();
    const ada = await firstOwner(posthorn);
    provider.returns = (query) => {
      query.delete("code");
      query.set("error", "access_denied");
      query.set("error_description", "Mia may not use this app");
    };
    const { body } = await provider.tryToEnter(posthorn, SALES);
    expect(body.error.message).toBe("Example does not let you in: access_denied: Mia may not use this app");
    const { data } = (await ada.ask("GET /audit?of=installation")).body;
    expect(data[0]).toMatchObject({ action: "signInFailed", target: null });
    expect(JSON.stringify(await everything(posthorn))).not.toContain("mia@example.com");
  });

  test("more than ten times in ten minutes from one client unread", async () => {
    const config = { http: { trustedProxies: ["127.0.0.1"] }, oidc: [provider.settings(RULES)] };
    await using posthorn = await workspace({ config });
    provider.startOver(posthorn);
    provider.returns = (query) => query.set("state", "wrong");
    const from = async (client: string) => {
      const headers = { ...OWN_PAGE, "x-forwarded-for": client };
      const question = { key: "none", headers, body: await provider.returnTo(posthorn) } as const;
      return refusal(await patiently(posthorn, ask(posthorn, "POST /session/provider", question)))[1];
    };
    const codes = [];
    for (let i = 0; i < 11; i++) codes.push(await from("192.0.2.1"));
    expect(codes).toEqual([...Array(10).fill("SIGN_IN_FAILED"), "RATE_LIMIT_EXCEEDED"]);
    expect(await from("192.0.2.2")).toBe("SIGN_IN_FAILED");
  });
});

describe("a provider that is down", () => {
  test("is not asked at the start, keeps nobody else out, and lets people in once it is back", async () => {
    await using posthorn = await withProvider();
    await firstOwner(posthorn);
    expect(provider.asks).toBe(0);
    provider.isBroken = true;
    const begun = await askAsNobody(posthorn, "POST /session/provider-options", { provider: "default" });
    expect(refusal(begun)).toEqual(refused("provider_away"));
    expect(posthorn.logLines.join("\n")).toContain("a provider did not let somebody in");
    expect((await byPassword(posthorn, "ada@example.com")).status).toBe(200);
    provider.isBroken = false;
    const returned = await provider.returnTo(posthorn);
    provider.isBroken = true;
    const half = await provider.bring(posthorn, returned);
    expect(refusal(half)).toEqual(refused("provider_away"));
    provider.isBroken = false;
    await provider.enter(posthorn, SALES);
  });

  test("says nothing that is larger than half a megabyte", async () => {
    await using posthorn = await withProvider();
    provider.says = { padding: "x".repeat(600_000) };
    const begun = await askAsNobody(posthorn, "POST /session/provider-options", { provider: "default" });
    expect(refusal(begun)).toEqual(refused("provider_refused"));
    expect(begun.body.error.message).toContain("larger than 524288 bytes");
  });
});

describe("the first time", () => {
  test("a verified address says who somebody is; from then on the subject does", async () => {
    await using posthorn = await withProvider();
    const before = await member(posthorn, "ADMIN");
    const { id } = (await before.ask("GET /me")).body;
    const mia = await provider.enter(posthorn);
    expect((await mia.ask("GET /me")).body.id).toBe(id);
    expect(await rolesOf(mia)).toEqual(["ADMIN"]);
    const renamed = await provider.enter(posthorn, { email: "mia.berg@example.com" });
    expect((await renamed.ask("GET /me")).body).toMatchObject({ id, email: "mia@example.com" });
    const heir = await tried(posthorn, { ...MIA, sub: "mia-2" });
    expect(heir).toEqual([409, "CONFLICT", "identity_taken"]);
  });

  test.each([
    [{ email_verified: false }, "provider_address"],
    [{ email_verified: undefined }, "provider_address"],
    [{ email: undefined }, "provider_address"],
    [{ email_verified: false, xms_edov: true }, undefined],
    [{ email_verified: "true" }, undefined],
  ])("an address that the provider has not verified links nobody: %p", async (claims, reason) => {
    await using posthorn = await withProvider();
    await member(posthorn, "EDITOR");
    expect((await tried(posthorn, { ...SALES, ...claims }))[2]).toBe(reason);
  });

  test("an address in the ID token is not verified by what userinfo says of another one", async () => {
    await using posthorn = await withProvider();
    await member(posthorn, "ADMIN");
    provider.info = { email: "eve@example.com", email_verified: true };
    expect(await tried(posthorn, { ...SALES, email_verified: undefined })).toEqual([200, undefined, undefined]);
    expect((await everything(posthorn))["identities"]).toMatchObject([{ email: "eve@example.com" }]);
  });

  test("a name is one line, whatever the provider says", async () => {
    await using posthorn = await withProvider();
    const mia = await provider.enter(posthorn, { ...SALES, name: " Mia\0\r\nLang " });
    expect((await mia.ask("GET /me")).body.name).toBe("Mia Lang");
  });

  test("an owner, and whoever shows a second factor, is not linked by an address", async () => {
    await using posthorn = await withProvider();
    await firstOwner(posthorn, "mia@example.com");
    expect(await tried(posthorn)).toEqual(refused("provider_link_first"));
    const bob = await member(posthorn, "EDITOR", "bob@example.com");
    await posthorn.store.write(async (tx) => {
      const { seq } = (await userByEmail(tx, "bob@example.com")) as User;
      await tx.run`
        insert into totp_secrets (person, secret, confirmed_at, created_at) values (${seq}, 'x', ${tx.now}, ${tx.now})`;
    });
    expect(await tried(posthorn, { ...SALES, sub: "bob-1", email: "bob@example.com" })).toEqual(
      refused("provider_link_first"),
    );
    expect((await bob.ask("GET /me/identities")).body).toEqual([]);
  });

  test("somebody who is invited joins with the role of the invitation", async () => {
    await using posthorn = await withProvider();
    const ada = await firstOwner(posthorn);
    expect(await tried(posthorn, MIA)).toEqual(refused("provider_no_role"));
    await ada.ask("POST /invitations", { body: { email: "Mia@example.com", role: "SUPPORT" } });
    expect(await rolesOf(await provider.enter(posthorn, MIA))).toEqual(["SUPPORT"]);
    expect((await ada.ask("GET /invitations")).body.data).toEqual([]);
    expect(await rolesOf(await provider.enter(posthorn, MIA))).toEqual(["SUPPORT"]);
  });

  test("nobody becomes an owner by an invitation to an address alone", async () => {
    await using posthorn = await withProvider();
    const ada = await firstOwner(posthorn);
    await ada.ask("POST /invitations", { body: { email: MIA.email, role: "OWNER" } });
    expect(await tried(posthorn, MIA)).toEqual(refused("provider_no_role"));
  });

  test("only addresses of the domains that are allowed count, each time", async () => {
    await using posthorn = await withProvider({ ...RULES, allowedDomains: ["example.com"] });
    await provider.enter(posthorn, SALES);
    expect(await tried(posthorn, { ...SALES, email: "mia@elsewhere.example" })).toEqual(refused("provider_domain"));
    expect(await tried(posthorn, { ...SALES, email_verified: false })).toEqual(refused("provider_domain"));
  });
});

describe("a link", () => {
  test("is made by an owner in their account, with a proof, and is theirs to remove", async () => {
    await using posthorn = await withProvider();
    const ada = await firstOwner(posthorn);
    posthorn.clock.advance(HOUR_MS);
    expect(refusal(await ada.ask("POST /me/identities", { body: await asked(ada) }))[1]).toBe("PROOF_NEEDED");
    await ada.ask("POST /session/proof", { body: { password: PASSWORD } });
    const linked = await ada.ask("POST /me/identities", { body: await asked(ada) });
    expect(linked.body).toMatchObject({ provider: { name: "default", label: "Example" }, email: MIA.email });
    expect(refusal(await ada.ask("POST /me/identities", { body: await asked(ada) }))[2]).toBe("identity_taken");
    const again = await provider.enter(posthorn);
    expect((await again.ask("GET /me")).body).toMatchObject({ email: "ada@example.com", owner: true });
    const users = (await ada.ask("GET /users")).body.data;
    expect(users).toMatchObject([{ providers: ["Example"], owner: true, ownerFrom: null }]);
    expect((await ada.ask(`DELETE /me/identities/${linked.body.id}`)).status).toBe(204);
    expect((await ada.ask("GET /me/identities")).body).toEqual([]);
    expect(refusal(await ada.ask(`DELETE /me/identities/${linked.body.id}`))[1]).toBe("IDENTITY_NOT_FOUND");
    const { data } = (await ada.ask("GET /audit?of=installation")).body;
    const actions = data.map(({ action }: { readonly action: string }) => action);
    expect(actions).toEqual(["unlinkIdentity", "signInWithProvider", "linkIdentity", "acceptLink"]);
  });

  test("that is the only way in stays; with a password it may go, and the roles of the provider go with it", async () => {
    await using posthorn = await withProvider();
    const mia = await provider.enter(posthorn, SALES);
    const [{ id }] = (await mia.ask("GET /me/identities")).body;
    expect(refusal(await mia.ask(`DELETE /me/identities/${id}`))[2]).toBe("last_identity");
    await mia.ask("PUT /me/password", { body: { password: PASSWORD } });
    expect((await mia.ask(`DELETE /me/identities/${id}`)).status).toBe(204);
    const later = await signedIn(posthorn, await byPassword(posthorn, MIA.email));
    expect(await rolesOf(later)).toEqual([]);
  });

  test("ends with a link for a new password, as other ways in do", async () => {
    await using posthorn = await withProvider();
    const mia = await provider.enter(posthorn, SALES);
    const token = await posthorn.store.write(async (tx) =>
      recoveryToken(tx, (await userByEmail(tx, MIA.email)) as User),
    );
    expect((await askAsNobody(posthorn, "POST /links/accept", { token, password: PASSWORD })).status).toBe(200);
    expect((await mia.ask("GET /me")).status).toBe(401);
    expect((await byPassword(posthorn, MIA.email)).status).toBe(200);
  });
});

describe("a proof", () => {
  test("is a sign-in that the provider asked for just now", async () => {
    await using posthorn = await withProvider();
    const mia = await provider.enter(posthorn, SALES);
    posthorn.clock.advance(HOUR_MS);
    expect(refusal(await mia.ask("POST /me/totp"))[1]).toBe("PROOF_NEEDED");
    const proof = await asked(mia);
    expect(provider.visits.at(-1)?.searchParams.get("max_age")).toBe("0");
    expect((await mia.ask("POST /session/proof", { body: { provider: proof } })).status).toBe(200);
    expect((await mia.ask("POST /me/totp")).status).toBe(200);
  });

  test.each([
    ["an hour ago", { auth_time: 3_600 }, "provider_not_fresh"],
    ["at no moment that it names", { auth_time: null }, "provider_not_fresh"],
    ["as somebody else", { sub: "ben-1" }, "provider_other"],
  ])(
    "is none if the person entered a password %s",
    async (_, { auth_time: ago, sub }: Record<string, unknown>, reason) => {
      await using posthorn = await withProvider();
      const mia = await provider.enter(posthorn, SALES);
      posthorn.clock.advance(HOUR_MS);
      provider.bends = (token) => {
        if (ago === null) delete token["auth_time"];
        else if (typeof ago === "number") token["auth_time"] = Number(token["auth_time"]) - ago;
        if (sub) token["sub"] = sub;
      };
      provider.info = { sub: sub ?? MIA.sub };
      const answered = await mia.ask("POST /session/proof", { body: { provider: await asked(mia) } });
      expect(refusal(answered)).toEqual(refused(reason));
    },
  );

  test("comes with signing in only as far as the provider says when the password was entered", async () => {
    await using posthorn = await withProvider();
    provider.bends = (token) => (token["auth_time"] = Number(token["auth_time"]) - 3_600);
    const early = await provider.enter(posthorn, SALES);
    expect((await early.ask("GET /me")).body.session.provenUntil).toBeNull();
    provider.bends = (token) => delete token["auth_time"];
    const silent = await provider.enter(posthorn, SALES);
    expect((await silent.ask("GET /me")).body.session.provenUntil).toBeNull();
    provider.bends = () => {};
    const fresh = await provider.enter(posthorn, SALES);
    expect((await fresh.ask("POST /me/totp")).status).toBe(200);
  });
});

describe("passwords", () => {
  test("end for members who are linked, and stay for owners", async () => {
    await using posthorn = await withProvider();
    const ada = await firstOwner(posthorn);
    await ada.ask("POST /me/identities", { body: await asked(ada) });
    expect((await byPassword(posthorn, "ada@example.com")).status).toBe(200);
    await member(posthorn, "EDITOR", "bob@example.com");
    expect((await byPassword(posthorn, "bob@example.com")).status).toBe(200);
    await provider.enter(posthorn, { sub: "bob-1", email: "bob@example.com" });
    expect(refusal(await byPassword(posthorn, "bob@example.com"))).toEqual(refused("provider_only"));
  });

  test("end for everybody where only providers count, and the link of the command line still lets in", async () => {
    await using posthorn = await withProvider({ ...RULES, only: true });
    await firstOwner(posthorn);
    expect((await askAsNobody(posthorn, "GET /session")).body.passwords).toBe(false);
    expect(refusal(await byPassword(posthorn, "ada@example.com"))).toEqual(refused("provider_only"));
    const token = await posthorn.store.write(async (tx) =>
      recoveryToken(tx, (await userByEmail(tx, "ada@example.com")) as User),
    );
    const back = await askAsNobody(posthorn, "POST /links/accept", { token, password: "four other words of mine" });
    const ada = await signedIn(posthorn, back);
    const linked = await ada.ask("POST /me/identities", { body: await asked(ada) });
    expect(refusal(await ada.ask(`DELETE /me/identities/${linked.body.id}`))[2]).toBe("last_identity");
    expect((await (await provider.enter(posthorn)).ask("GET /me")).body.owner).toBe(true);
  });
});

test("a passkey of a member who is linked lets nobody in, and proves who they are once they are in", async () => {
  const origin = "http://localhost:8484";
  await using posthorn = await workspace({ config: { http: { baseUrl: origin }, oidc: [provider.settings(RULES)] } });
  provider.startOver(posthorn);
  const mia = await provider.enter(posthorn, SALES);
  const key = new Authenticator(origin);
  const made = key.create((await mia.ask("POST /me/passkeys/options")).body);
  expect((await mia.ask("POST /me/passkeys", { body: { name: "Phone", passkey: made } })).status).toBe(201);
  const answer = async () => key.get((await askAsNobody(posthorn, "POST /session/passkey-options", {})).body);
  const entered = await askAsNobody(posthorn, "POST /session/passkey", { passkey: await answer() });
  expect(refusal(entered)).toEqual(refused("provider_only"));
  posthorn.clock.advance(HOUR_MS);
  expect((await mia.ask("POST /session/proof", { body: { passkey: await answer() } })).status).toBe(200);
});

test("where only providers count, somebody invited joins with one, and not with a password", async () => {
  await using posthorn = await withProvider({ only: true });
  const ada = await somebody(posthorn, "OWNER", "ada@example.com");
  const { link } = (await ada.ask("POST /invitations", { body: { email: MIA.email, role: "SUPPORT", mail: false } }))
    .body;
  const entry = { token: link.split("#")[1], name: "Mia", password: PASSWORD };
  expect(refusal(await askAsNobody(posthorn, "POST /links/accept", entry))).toEqual(refused("provider_only"));
  expect(await rolesOf(await provider.enter(posthorn))).toEqual(["SUPPORT"]);
});

test("the provider answers for the second factor that everybody needs", async () => {
  await using posthorn = await withProvider();
  const ada = await firstOwner(posthorn);
  const requiredFrom = new Date(posthorn.clock.nowMs() - MINUTE_MS).toISOString();
  await ada.ask("PUT /installation/second-factor", { body: { requiredFrom } });
  expect(refusal(await ada.ask("GET /members"))[2]).toBe("second_factor");
  const mia = await provider.enter(posthorn, SALES);
  expect((await mia.ask("GET /members")).status).toBe(200);
  expect((await mia.ask("GET /me")).body.secondFactorDueAt).toBeNull();
});

// Members and invitations of a workspace, and the users of the installation.
import { describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../src/base/clock.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { askAsNobody, PASSWORD, signedIn, somebody, Somebody } from "../support/people.ts";
import { findLeftMail, markComplained, markDelivered } from "../../src/mail/emails/feedback/feedback.ts";
import { letter, mailSent } from "../support/mails.ts";
import { documentOf } from "../support/operations.ts";
import type { Changes, Json, Posthorn } from "../support/posthorn.ts";
import { countOf, everything } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { deleteWorkspace, findWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { workspace } from "../support/workspace.ts";

/** Of mail to the team: no step is done, and no sum of the overview or the statistics has it. */
async function expectNothingCounted(posthorn: Posthorn): Promise<void> {
  expect((await posthorn.call("GET /overview")).body.firstSteps.mailSent).toBe(false);
  const { since: _, isLowerBound: __, ...states } = (await posthorn.call("GET /statistics/states")).body;
  expect(Object.values(states).filter((count) => count !== 0)).toEqual([]);
  for (const by of ["", "?by=provider", "?by=sourceType"]) {
    const { series } = (await posthorn.call(`GET /statistics/mails${by}`)).body;
    const counts = series.flatMap(({ points }: Json) =>
      points.flatMap(({ at: _, ...point }: Json) => Object.values(point)),
    );
    expect(counts.filter((count: unknown) => typeof count === "number" && count !== 0)).toEqual([]);
  }
}

/** Where base_url is HTTPS the cookie has another name. */
function secure({ posthorn, cookie, workspace }: Somebody): Somebody {
  return new Somebody(posthorn, `__Host-${cookie}`, workspace);
}

const tokenIn = (link: string) => link.split("#")[1] ?? "";
/** Of the link in a mail. */
const tokenOf = (mail: unknown) => /\/app\/invitation#([\w-]{43})/.exec(String(mail))?.[1] ?? "";

async function invite(by: Somebody, role: string, email = "bob@example.com") {
  return by.ask("POST /invitations", { body: { email, role } });
}

function enter(posthorn: Posthorn, link: string) {
  return askAsNobody(posthorn, "POST /links/accept", { token: tokenIn(link), name: "Bob", password: PASSWORD });
}

describe("an invitation", () => {
  test("lets somebody in once, with the role that it names", async () => {
    await using posthorn = await workspace();
    const admin = await somebody(posthorn, "ADMIN");
    const { status, body } = await invite(admin, "EDITOR", "Bob@Example.com");
    expect([status, body.email, body.invitedBy]).toEqual([201, "bob@example.com", "ADMIN"]);
    expect(body.link).toMatch(/^http:\/\/127\.0\.0\.1:8484\/app\/invitation#[\w-]{43}$/);
    expect(Date.parse(body.expiresAt) - posthorn.clock.nowMs()).toBe(7 * DAY_MS);
    expect((await admin.ask("GET /invitations")).body.data).toMatchObject([{ id: body.id, role: "EDITOR" }]);
    expect(JSON.stringify(await everything(posthorn))).not.toContain(tokenIn(body.link));
    const looked = await askAsNobody(posthorn, "POST /links/look", { token: tokenIn(body.link) });
    expect(looked.body).toMatchObject({
      kind: "INVITATION",
      email: "bob@example.com",
      workspace: "example.test",
      known: false,
    });
    const entered = await enter(posthorn, body.link);
    expect(entered.body).toMatchObject({ email: "bob@example.com", owner: false, workspaces: [{ role: "EDITOR" }] });
    const bob = await signedIn(posthorn, entered);
    expect([(await bob.ask("GET /emails")).status, (await bob.ask("GET /invitations")).status]).toEqual([200, 403]);
    expect((await enter(posthorn, body.link)).status).toBe(404);
    expect((await admin.ask("GET /invitations")).body.total).toBe(0);
    const members = (await admin.ask("GET /members")).body.data;
    expect(members.map(({ email, role }: Json) => [email, role])).toEqual([
      ["admin@example.com", "ADMIN"],
      ["bob@example.com", "EDITOR"],
    ]);
  });

  test("that is a week old, was withdrawn, or was replaced by another lets nobody in", async () => {
    await using posthorn = await workspace();
    const admin = await somebody(posthorn, "ADMIN");
    const [first, second] = [(await invite(admin, "EDITOR")).body, (await invite(admin, "SUPPORT")).body];
    expect((await enter(posthorn, first.link)).status).toBe(404);
    expect((await admin.ask(`DELETE /invitations/${second.id}`)).status).toBe(204);
    expect((await enter(posthorn, second.link)).status).toBe(404);
    const gone = await admin.ask(`DELETE /invitations/${second.id}`);
    expect([gone.status, gone.body.error.code]).toEqual([404, "INVITATION_NOT_FOUND"]);
    const third = (await invite(admin, "SUPPORT")).body;
    posthorn.clock.advance(7 * DAY_MS + MINUTE_MS);
    expect((await enter(posthorn, third.link)).status).toBe(404);
    expect((await admin.ask("GET /invitations")).body.total).toBe(0);
    await posthorn.settle();
    expect([await countOf(posthorn, "invitations"), await countOf(posthorn, "users")]).toEqual([0, 1]);
  });

  test("of a user who exists is accepted by that user alone, who is signed in", async () => {
    await using posthorn = await workspace();
    const owner = await somebody(posthorn, "OWNER");
    const [bob, eve] = [await somebody(posthorn, "EDITOR", "bob@example.com"), await somebody(posthorn, "SUPPORT")];
    await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const [, other] = (await owner.ask("GET /me")).body.workspaces;
    const headers = { "x-workspace": other.id };
    const body = { email: "bob@example.com", role: "ADMIN" };
    const { link } = (await owner.ask("POST /invitations", { body, headers })).body;
    expect((await askAsNobody(posthorn, "POST /links/look", { token: tokenIn(link) })).body.known).toBe(true);
    const asNobody = await enter(posthorn, link);
    expect([asNobody.status, asNobody.body.error.code]).toEqual([401, "MISSING_AUTH"]);
    const accept = (who: Somebody) =>
      who.ask("POST /links/accept", { body: { token: tokenIn(link), password: "is ignored" } });
    expect((await accept(eve)).body.error.code).toBe("FORBIDDEN");
    expect((await accept(bob)).body.workspaces).toMatchObject([{ role: "EDITOR" }, { name: "other", role: "ADMIN" }]);
    const [before] = (await bob.ask("GET /members", { headers })).body.data;
    expect(before).toMatchObject({ email: "bob@example.com", role: "ADMIN" });
  });

  test("proves nothing of a user who exists: it opens no session, and makes no proof younger", async () => {
    await using posthorn = await workspace();
    const owner = await somebody(posthorn, "OWNER");
    const bob = await somebody(posthorn, "EDITOR", "bob@example.com");
    await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const [, other] = (await owner.ask("GET /me")).body.workspaces;
    const body = { email: "bob@example.com", role: "ADMIN" };
    const { link } = (await owner.ask("POST /invitations", { body, headers: { "x-workspace": other.id } })).body;
    posthorn.clock.advance(11 * MINUTE_MS);
    const accepted = await bob.ask("POST /links/accept", { body: { token: tokenIn(link) } });
    expect([accepted.headers.get("set-cookie"), accepted.body.session.provenUntil]).toEqual([null, null]);
    expect((await bob.ask("GET /me/sessions")).body).toHaveLength(1);
  });

  test("is not made of a member, of an owner by an admin, or without a fresh proof", async () => {
    await using posthorn = await workspace();
    const [owner, admin] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "ADMIN")];
    const code = async (by: Somebody, role: string, email?: string) => (await invite(by, role, email)).body.error?.code;
    expect(await code(admin, "EDITOR", "ADMIN@example.com")).toBe("CONFLICT");
    expect(await code(admin, "EDITOR", "owner@example.com")).toBe("CONFLICT");
    expect(await code(admin, "OWNER")).toBe("FORBIDDEN");
    expect(await code(admin, "BOSS")).toBe("VALIDATION_ERROR");
    const { link } = (await invite(owner, "OWNER")).body;
    expect((await enter(posthorn, link)).body.owner).toBe(true);
    posthorn.clock.advance(10 * MINUTE_MS);
    expect(await code(admin, "EDITOR", "cyd@example.com")).toBe("PROOF_NEEDED");
  });
});

describe("whoever may invite nobody any more", () => {
  const isOpen = async (posthorn: Posthorn, link: string) =>
    (await askAsNobody(posthorn, "POST /links/look", { token: tokenIn(link) })).status === 200;
  const idOf = async (who: Somebody) => (await who.ask("GET /me")).body.id;

  test.each([
    ["has another role", "PATCH /members", { role: "SUPPORT" }],
    ["was removed from the workspace", "DELETE /members", undefined],
    ["was removed altogether", "DELETE /users", undefined],
  ])("since they %p does not come back by an invitation of their own", async (_, route, body) => {
    await using posthorn = await workspace();
    const [owner, eve] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "ADMIN", "eve@example.com")];
    const { link } = (await invite(eve, "ADMIN", "eve@elsewhere.example")).body;
    const { link: others } = (await invite(owner, "EDITOR", "cyd@example.com")).body;
    expect(await isOpen(posthorn, link)).toBe(true);
    const reply = await owner.ask(`${route}/${await idOf(eve)}`, body ? { body } : {});
    expect(reply.status).toBeLessThan(300);
    expect([await isOpen(posthorn, link), await isOpen(posthorn, others)]).toEqual([false, true]);
  });

  test("as an owner leaves no owner and no new password behind", async () => {
    await using posthorn = await workspace();
    const owner = await somebody(posthorn, "OWNER");
    const [eve, bob] = [await somebody(posthorn, "OWNER", "eve@example.com"), await somebody(posthorn, "ADMIN")];
    const { link } = (await invite(eve, "OWNER", "eve@elsewhere.example")).body;
    const { link: ofBob } = (await eve.ask(`POST /users/${await idOf(bob)}/link`)).body;
    expect([await isOpen(posthorn, link), await isOpen(posthorn, ofBob)]).toEqual([true, true]);
    await owner.ask(`PATCH /users/${await idOf(eve)}`, { body: { owner: false } });
    expect([await isOpen(posthorn, link), await isOpen(posthorn, ofBob)]).toEqual([false, false]);
  });

  test("a member who is removed does not come back by an invitation that was still open", async () => {
    await using posthorn = await workspace();
    const admin = await somebody(posthorn, "ADMIN");
    const { link } = (await invite(admin, "EDITOR", "bob@example.com")).body;
    const bob = await somebody(posthorn, "SUPPORT", "bob@example.com");
    await admin.ask(`DELETE /members/${await idOf(bob)}`);
    expect(await isOpen(posthorn, link)).toBe(false);
  });
});

describe("the mail of an invitation", () => {
  const LEAVING = {
    delivery: { transport: "ses" },
    ses: { region: "eu-central-1" },
    http: { baseUrl: "https://mail.example.com" },
  } as const;

  test("leaves from the workspace's own address, makes no contact, and only its recipient can read it (slow)", async () => {
    await using posthorn = await workspace({ config: LEAVING });
    const admin = secure(await somebody(posthorn, "ADMIN"));
    const { body } = await invite(admin, "DEVELOPER");
    expect([body.mailed, body.notMailedReason, body.link]).toEqual([true, null, null]);
    await posthorn.settle();
    const sent = await mailSent(posthorn);
    const token = tokenOf(sent.html);
    expect((await askAsNobody(posthorn, "POST /links/look", { token })).body.email).toBe("bob@example.com");
    expect([sent.from?.value[0]?.address, sent.subject]).toEqual([
      ...["no-reply@example.test", "ADMIN invites you to example.test"],
    ]);
    expect(await countOf(posthorn, "contacts")).toBe(0);
    const [mail] = (await admin.ask("GET /emails")).body.data;
    expect(mail).toMatchObject({ status: "SENT", contactId: null });
    const document = await documentOf(posthorn);
    const paths = Object.keys(document.paths).filter(
      (path) => /^\/emails\/\{id\}/.test(path) && document.paths[path].get,
    );
    expect(paths).toContain("/emails/{id}/raw");
    for (const path of paths) {
      const reply = await admin.ask(`GET ${path.replace("{id}", mail.id).replace("{n}", "0")}`);
      expect([path, JSON.stringify(reply.body).includes(token)]).toEqual([path, false]);
    }
  });

  test.each<[string, HandoverOutcome]>([
    ["accepted", { kind: "accepted", reply: "250 2.0.0 queued" }],
    ["refused", { kind: "failed", reply: "554 5.7.1 no" }],
    ["bounced", { kind: "bounced", reply: "550 5.1.1 unknown" }],
  ])("that was %p leaves no link in the store, and is not sent again", async (_, outcome) => {
    await using posthorn = await workspace({ config: LEAVING });
    const admin = secure(await somebody(posthorn, "ADMIN"));
    await invite(admin, "DEVELOPER");
    const stored = async () => JSON.stringify(await everything(posthorn));
    const token = tokenOf(await stored());
    const held = async () => (await stored()).includes(token);
    expect(await held()).toBe(true);
    posthorn.transport.answer = () => outcome;
    await posthorn.settle();
    expect(await held()).toBe(false);
    expect((await askAsNobody(posthorn, "POST /links/look", { token })).status).toBe(200);
    const [{ id }] = (await admin.ask("GET /emails")).body.data;
    const again = await admin.ask(`POST /emails/${id}/resend`);
    expect([again.status, again.body.error.code]).toEqual([400, "EMAIL_STATE"]);
  });

  test.each<[string, HandoverOutcome[], object]>([
    ["taken", [{ kind: "accepted", reply: "250 Ok" }], {}],
    ["refused", [{ kind: "failed", reply: "554 5.7.1 no" }], {}],
    ["bounced", [{ kind: "bounced", reply: "550 5.1.1 unknown" }], {}],
    ["perhaps taken", [{ kind: "unanswered", reply: "no answer" }], {}],
    ["deferred", [{ kind: "later", reply: "451 4.7.1 later" }], {}],
  ])("that was %p counts in no sum, and is nobody's first email (slow)", async (_, [outcome]) => {
    await using posthorn = await workspace({ config: LEAVING });
    const admin = secure(await somebody(posthorn, "ADMIN"));
    await invite(admin, "DEVELOPER");
    posthorn.transport.answer = () => outcome as HandoverOutcome;
    await posthorn.settle();
    await expectNothingCounted(posthorn);
    const [{ id }] = (await admin.ask("GET /emails")).body.data;
    for (const tell of [markDelivered, markComplained])
      await posthorn.store.write(async (tx) => {
        const mail = await findLeftMail(tx, id);
        if (mail && mail !== "early") await tell(tx, mail);
      });
    await posthorn.settle();
    await expectNothingCounted(posthorn);
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    await posthorn.call("POST /v1/send", letter);
    await posthorn.settle();
    const { firstSteps } = (await posthorn.call("GET /overview")).body;
    const { accepted, sent } = (await posthorn.call("GET /statistics/states")).body;
    expect([firstSteps.mailSent, accepted, sent]).toEqual([true, 1, 1]);
  });

  test("that is cancelled counts in no sum either", async () => {
    await using posthorn = await workspace({ config: LEAVING });
    const admin = secure(await somebody(posthorn, "ADMIN"));
    await invite(admin, "DEVELOPER");
    const [{ id }] = (await admin.ask("GET /emails")).body.data;
    expect((await admin.ask(`DELETE /emails/${id}`)).status).toBeLessThan(300);
    await expectNothingCounted(posthorn);
  });

  test("is not sent where no mail leaves, without a verified domain, or unasked", async () => {
    const because = async (config: Changes, body: object = {}) => {
      await using posthorn = await workspace({ config });
      const made = await somebody(posthorn, "ADMIN");
      const admin = config.http ? secure(made) : made;
      if (Object.hasOwn(body, "unverified"))
        await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
      const reply = await admin.ask("POST /invitations", {
        body: { email: "bob@example.com", role: "EDITOR", ...body },
      });
      expect(await countOf(posthorn, "emails")).toBe(0);
      return [reply.body.mailed, reply.body.notMailedReason];
    };
    expect(await because({})).toEqual([false, "CAPTURE"]);
    expect(await because(LEAVING, { mail: false })).toEqual([false, "NOT_WANTED"]);
    expect(await because(LEAVING, { unverified: true })).toEqual([false, "NO_DOMAIN"]);
  });
});

describe("an address is proven", () => {
  const LEAVING = {
    delivery: { transport: "ses" },
    ses: { region: "eu-central-1" },
    http: { baseUrl: "https://mail.example.com" },
  } as const;
  const entry = { name: "Bob", password: PASSWORD };

  /** Of everybody whom the workspace knows, by address. */
  async function proven(by: Somebody): Promise<Record<string, boolean>> {
    const { data } = (await by.ask("GET /members")).body;
    return Object.fromEntries(data.map(({ email, addressProven }: Json) => [email, addressProven]));
  }

  test("by an invitation that was mailed and shown to nobody", async () => {
    await using posthorn = await workspace({ config: LEAVING });
    const admin = secure(await somebody(posthorn, "ADMIN"));
    await invite(admin, "EDITOR");
    await posthorn.settle();
    const token = tokenOf((await mailSent(posthorn)).html);
    expect((await askAsNobody(posthorn, "POST /links/accept", { token, ...entry })).status).toBe(200);
    expect(await proven(admin)).toEqual({ "admin@example.com": false, "bob@example.com": true });
  });

  test.each([
    ["that no mail could carry", {}, {}],
    ["that its maker wanted to pass on", LEAVING, { mail: false }],
  ])("not by one %s: its maker may have used it", async (_, config: Changes, body) => {
    await using posthorn = await workspace({ config });
    const made = await somebody(posthorn, "ADMIN");
    const admin = config.http ? secure(made) : made;
    const invited = { email: "boss@example.com", role: "EDITOR", ...body };
    const { link } = (await admin.ask("POST /invitations", { body: invited })).body;
    await enter(posthorn, link);
    expect((await proven(admin))["boss@example.com"]).toBe(false);
  });

  test("to a user who is known by the mailed link that they accept, and not any more once somebody has made them a new way in", async () => {
    await using posthorn = await workspace({ config: LEAVING });
    const owner = secure(await somebody(posthorn, "OWNER"));
    const bob = secure(await somebody(posthorn, "EDITOR", "bob@example.com"));
    await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const [, other] = (await owner.ask("GET /me")).body.workspaces;
    const headers = { "x-workspace": other.id };
    await owner.ask("POST /invitations", { body: { email: "bob@example.com", role: "EDITOR" }, headers });
    await posthorn.settle();
    const token = tokenOf((await mailSent(posthorn)).html);
    await bob.ask("POST /links/accept", { body: { token } });
    const users = async () => (await owner.ask("GET /users")).body.data;
    const of = async (email: string) => (await users()).find((one: Json) => one.email === email);
    const { id, addressProven } = await of("bob@example.com");
    expect(addressProven).toBe(true);
    const { link } = (await owner.ask(`POST /users/${id}/link`)).body;
    await askAsNobody(posthorn, "POST /links/accept", { token: tokenIn(link), password: PASSWORD });
    expect((await of("bob@example.com")).addressProven).toBe(false);
  });
});

describe("a member", () => {
  test("gets another role, and leaves, at once; owners and strangers are not the workspace's to change", async () => {
    await using posthorn = await workspace();
    const [owner, admin] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "ADMIN")];
    const bob = await somebody(posthorn, "EDITOR", "bob@example.com");
    const idOf = async (who: Somebody) => (await who.ask("GET /me")).body.id;
    const [ownerId, bobId] = [await idOf(owner), await idOf(bob)];
    expect((await bob.ask("GET /keys")).status).toBe(403);
    const changed = await admin.ask(`PATCH /members/${bobId}`, { body: { role: "DEVELOPER" } });
    expect([changed.status, changed.body.role, (await bob.ask("GET /keys")).status]).toEqual([200, "DEVELOPER", 200]);
    expect((await admin.ask(`DELETE /members/${bobId}`)).status).toBe(204);
    const outside = await bob.ask("GET /keys");
    expect([outside.status, outside.body.error.code]).toEqual([404, "WORKSPACE_NOT_FOUND"]);
    expect((await bob.ask("GET /me")).body.workspaces).toEqual([]);
    for (const [id, status] of [
      [ownerId, 409],
      [bobId, 404],
      ["0199a3b4-0000-7000-8000-000000000000", 404],
    ]) {
      expect((await admin.ask(`PATCH /members/${id}`, { body: { role: "EDITOR" } })).status).toBe(status);
      expect((await admin.ask(`DELETE /members/${id}`)).status).toBe(status);
    }
    expect((await admin.ask(`PATCH /members/${bobId}`, { body: { role: "OWNER" } })).status).toBe(422);
  });
});

describe("a user", () => {
  test("is listed, made an owner and removed by owners; the last owner stays", async () => {
    await using posthorn = await workspace();
    const [owner, bob] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "EDITOR", "bob@example.com")];
    const { data } = (await owner.ask("GET /users")).body;
    expect(data).toMatchObject([
      { email: "bob@example.com", owner: false, workspaces: [{ name: "default", role: "EDITOR" }] },
      { email: "owner@example.com", owner: true, workspaces: [] },
    ]);
    const [{ id: bobId }, { id: ownerId }] = data;
    const last = await owner.ask(`PATCH /users/${ownerId}`, { body: { owner: false } });
    expect([last.status, last.body.error.message]).toEqual([409, "This is the last owner."]);
    expect((await owner.ask(`DELETE /users/${ownerId}`)).status).toBe(409);
    expect((await owner.ask(`PATCH /users/${bobId}`, { body: { owner: true } })).body.owner).toBe(true);
    expect((await bob.ask(`PATCH /users/${ownerId}`, { body: { owner: false } })).status).toBe(200);
    expect((await owner.ask("GET /users")).status).toBe(403);
    expect((await bob.ask(`DELETE /users/${ownerId}`)).status).toBe(204);
    expect((await owner.ask("GET /me")).body.error.code).toBe("SESSION_ENDED");
    expect(await countOf(posthorn, "users")).toBe(1);
  });

  test("who is locked out gets a link from an owner", async () => {
    await using posthorn = await workspace();
    const [owner, bob] = [await somebody(posthorn, "OWNER"), await somebody(posthorn, "EDITOR", "bob@example.com")];
    const { id } = (await bob.ask("GET /me")).body;
    const { body } = await owner.ask(`POST /users/${id}/link`);
    expect(Date.parse(body.expiresAt) - posthorn.clock.nowMs()).toBe(DAY_MS);
    expect((await enter(posthorn, body.link)).body).toMatchObject({ email: "bob@example.com", hasPassword: true });
    expect((await bob.ask("GET /me")).status).toBe(401);
  });
});

test("of a deleted workspace no role, invitation or entry stays, and its people do", async () => {
  await using posthorn = await workspace();
  const admin = await somebody(posthorn, "ADMIN");
  await invite(admin, "EDITOR");
  await posthorn.store.write(async (tx) => deleteWorkspace(tx, (await findWorkspace(tx, "default")).seq));
  const left = await Promise.all(
    ["memberships", "invitations", "audit", "users"].map((table) => countOf(posthorn, table)),
  );
  expect(left).toEqual([0, 0, 0, 1]);
  expect((await admin.ask("GET /me")).body.workspaces).toEqual([]);
  expect((await admin.ask("GET /emails")).body.error.code).toBe("WORKSPACE_NOT_FOUND");
});

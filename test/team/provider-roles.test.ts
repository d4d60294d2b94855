// Roles by the groups of a provider: given, changed and ended at each sign-in, and not by hand.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Config } from "../../src/base/config.ts";
import { decisionOf } from "../../src/operator/team/oidc/roles.ts";
import { firstOwner, somebody, type Somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { MIA, refusal, SignInProvider } from "../support/sign-in-provider.ts";
import { workspace } from "../support/workspace.ts";

let provider: SignInProvider;
beforeAll(async () => {
  provider = await SignInProvider.start();
});
afterAll(() => provider[Symbol.asyncDispose]());

const RULES = ["it = owner", "leads = admin in default", "sales = marketer", "news = editor in Shop"];

async function withProvider(settings: Partial<Config["oidc"][number]> = {}) {
  const posthorn = await workspace({ config: { oidc: [provider.settings({ roles: RULES, ...settings })] } });
  provider.startOver(posthorn);
  const ada = await firstOwner(posthorn);
  await ada.ask("POST /workspaces", { body: { name: "Shop" } });
  return { posthorn, ada };
}

const enter = (posthorn: Posthorn, ...groups: string[]) => provider.enter(posthorn, { ...MIA, groups });
const attempt = async (posthorn: Posthorn, ...groups: string[]) =>
  refusal(await provider.tryToEnter(posthorn, { ...MIA, groups }))[2];

/** By workspace. */
async function rolesOf(who: Somebody): Promise<Readonly<Record<string, string>>> {
  const { workspaces } = (await who.ask("GET /me")).body;
  return Object.fromEntries(workspaces.map(({ name, role }: Json) => [name, role]));
}

const isIn = async (who: Somebody) => (await who.ask("GET /me")).status === 200;
const auditOf = async (who: Somebody, action: string, of: "workspace" | "installation" = "workspace") =>
  (await who.ask(`GET /audit?of=${of}`)).body.data.filter((one: Json) => one.action === action);

describe("groups", () => {
  test("give the role of the first rule that fits, in each workspace", async () => {
    const { posthorn } = await withProvider();
    await using _ = posthorn;
    const mia = await enter(posthorn, "news", "sales", "leads");
    expect(await rolesOf(mia)).toEqual({ default: "ADMIN", Shop: "MARKETER" });
    expect(await rolesOf(await enter(posthorn, "news"))).toEqual({ Shop: "EDITOR" });
  });

  test("may be in a claim of its own, one by itself, with a sign of equality in its name", async () => {
    const roles = ["CN=news,OU=groups = support in default"];
    const { posthorn } = await withProvider({ roles, groupsClaim: "https://example.com/groups" });
    await using _ = posthorn;
    const mia = await provider.enter(posthorn, { "https://example.com/groups": "CN=news,OU=groups" });
    expect(await rolesOf(mia)).toEqual({ default: "SUPPORT" });
  });

  test("may have a role in a workspace that is named by its id", () => {
    const shop = { seq: 7, id: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f", name: "Shop" };
    const settings = { roles: [`news = editor in ${shop.id}`], defaultRole: null };
    const { byGroups } = decisionOf(settings, ["news"], [{ ...shop, seq: 1, id: "another", name: "default" }, shop]);
    expect([...byGroups.roles]).toEqual([[7, "EDITOR"]]);
  });

  test("that are gone end the role and every session", async () => {
    const { posthorn, ada } = await withProvider();
    await using _ = posthorn;
    const phone = await enter(posthorn, "sales", "leads");
    const laptop = await enter(posthorn, "sales", "leads");
    expect(await isIn(phone)).toBe(true);
    const later = await enter(posthorn, "sales");
    expect([await isIn(phone), await isIn(laptop), await isIn(later)]).toEqual([false, false, true]);
    expect(await rolesOf(later)).toEqual({ default: "MARKETER", Shop: "MARKETER" });
    expect(await attempt(posthorn)).toBe("provider_no_role");
    expect(await isIn(later)).toBe(false);
    expect((await ada.ask("GET /members")).body.data).toHaveLength(1);
    const [ended] = await auditOf(ada, "endRoleByProvider");
    expect(ended).toMatchObject({ by: { name: "Example", id: null }, targetName: "Mia Lang", reason: "MARKETER" });
    expect(await auditOf(ada, "giveRoleByProvider")).toHaveLength(2);
  });

  test("that stay leave the other sessions alone", async () => {
    const { posthorn } = await withProvider();
    await using _ = posthorn;
    const phone = await enter(posthorn, "sales");
    await enter(posthorn, "sales", "something else");
    expect(await isIn(phone)).toBe(true);
  });

  test("make an owner, and no longer one; the last owner stays", async () => {
    const { posthorn, ada } = await withProvider();
    await using _ = posthorn;
    const mia = await enter(posthorn, "it");
    expect((await mia.ask("GET /me")).body.owner).toBe(true);
    const users = (await ada.ask("GET /users")).body.data;
    const { id } = users.find(({ email }: Json) => email === MIA.email);
    expect(users).toMatchObject([{ ownerFrom: null }, { ownerFrom: "Example", providers: ["Example"] }]);
    expect(refusal(await ada.ask(`PATCH /users/${id}`, { body: { owner: false } }))[2]).toBe("provider_decides");
    const demoted = await enter(posthorn, "sales");
    expect((await demoted.ask("GET /me")).body.owner).toBe(false);
    expect(await isIn(mia)).toBe(false);
    const again = await enter(posthorn, "it");
    const adas = (await ada.ask("GET /me")).body.id;
    expect((await again.ask(`DELETE /users/${adas}`)).status).toBe(204);
    expect((await (await enter(posthorn, "sales")).ask("GET /me")).body.owner).toBe(true);
  });

  test("nobody has a role for lets nobody in, or with the standard one", async () => {
    const { posthorn } = await withProvider();
    {
      await using _ = posthorn;
      expect(await attempt(posthorn, "visitors")).toBe("provider_no_role");
    }
    const open = await withProvider({ defaultRole: "support in Shop" });
    await using _ = open.posthorn;
    expect(await rolesOf(await enter(open.posthorn, "visitors"))).toEqual({ Shop: "SUPPORT" });
    expect(await rolesOf(await enter(open.posthorn, "leads"))).toEqual({ default: "ADMIN" });
  });

  test("for a workspace that is not there give nothing", async () => {
    const { posthorn } = await withProvider({ roles: ["news = editor in Elsewhere", "news = support in Shop"] });
    await using _ = posthorn;
    expect(await rolesOf(await enter(posthorn, "news"))).toEqual({ Shop: "SUPPORT" });
  });
});

describe("a role given by hand", () => {
  test("stays beside those of groups, and keeps its user from the standard one", async () => {
    const { posthorn } = await withProvider({ defaultRole: "support" });
    await using _ = posthorn;
    await somebody(posthorn, "EDITOR", MIA.email);
    expect(await rolesOf(await enter(posthorn))).toEqual({ default: "EDITOR" });
    expect(await rolesOf(await enter(posthorn, "news"))).toEqual({ default: "EDITOR", Shop: "EDITOR" });
    expect(await rolesOf(await enter(posthorn))).toEqual({ default: "EDITOR" });
  });

  test("gives way to that of a group for the same workspace", async () => {
    const { posthorn } = await withProvider();
    await using _ = posthorn;
    const before = await somebody(posthorn, "EDITOR", MIA.email);
    expect(await rolesOf(await enter(posthorn, "leads"))).toEqual({ default: "ADMIN" });
    expect(await isIn(before)).toBe(false);
    expect(await attempt(posthorn)).toBe("provider_no_role");
  });
});

test("what a provider decides is not changed by hand, and says so", async () => {
  const { posthorn, ada } = await withProvider();
  await using _ = posthorn;
  await enter(posthorn, "leads");
  const member = (await ada.ask("GET /members")).body.data.find(({ email }: Json) => email === MIA.email);
  expect(member).toMatchObject({ role: "ADMIN", roleFrom: "Example" });
  const change = await ada.ask(`PATCH /members/${member.id}`, { body: { role: "EDITOR" } });
  expect(refusal(change)).toEqual([409, "CONFLICT", "provider_decides"]);
  expect(change.body.error.values).toEqual({ provider: "Example" });
  expect(refusal(await ada.ask(`DELETE /members/${member.id}`))[2]).toBe("provider_decides");
});

test("a second provider is another one: its people, its groups, its name", async () => {
  await using second = await SignInProvider.start();
  const further = { ...second.settings({ roles: ["news = support in default"] }), name: "partners", label: "Partners" };
  await using posthorn = await workspace({ config: { oidc: [provider.settings({ roles: RULES }), further] } });
  provider.startOver(posthorn);
  second.startOver(posthorn);
  const mia = await enter(posthorn, "leads");
  const [{ provider: first }] = (await mia.ask("GET /me/identities")).body;
  expect(first).toEqual({ name: "default", label: "Example" });
  second.person = { ...MIA, email: "ben@example.com", groups: ["news", "leads"] };
  const ben = await second.enter(posthorn, {}, "partners");
  expect(await rolesOf(ben)).toEqual({ default: "SUPPORT" });
  expect((await ben.ask("GET /me")).body.email).toBe("ben@example.com");
  const mixed = await provider.returnTo(posthorn);
  const other = await second.returnTo(posthorn, "partners");
  expect(refusal(await provider.bring(posthorn, { ticket: mixed.ticket, answer: other.answer }))[2]).toBe(
    "provider_refused",
  );
});

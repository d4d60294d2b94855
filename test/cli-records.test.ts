// Workspaces and keys from the command line, beside a running server that sees each change at once.
import type { MailToSend } from "../src/mail/emails/queries.ts";
import { mailBySeq } from "../src/mail/emails/sending-queries.ts";
import { describe, expect, test } from "bun:test";
import { iso } from "../src/base/clock.ts";
import { park } from "../src/mail/emails/email.ts";
import { mailQueue } from "../src/mail/emails/queue/queue-queries.ts";
import { takeInTurn } from "../src/store/turns.ts";
import { cliBeside, jsonBeside } from "./support/cli.ts";
import { letter } from "./support/mails.ts";
import { startPosthorn, type Posthorn } from "./support/posthorn.ts";
import { ask, everything } from "./support/scenario.ts";
import { sharedPosthorn } from "./support/shared.ts";
import { addWorkspace } from "./support/workspaces.ts";
import { workspace } from "./support/workspace.ts";

const KEYS = { public: expect.stringMatching(/^pk_\w{48}$/), secret: expect.stringMatching(/^sk_\w{48}$/) };
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** What a request with this key is answered. */
async function statusFor(posthorn: Posthorn, key: string): Promise<number> {
  return (await posthorn.call("GET /emails", undefined, { authorization: `Bearer ${key}` })).status;
}

/** On the list of the installation, which outlives the workspace. */
const DELETED = [expect.objectContaining({ action: "workspace delete", workspace: null })];

const shared = sharedPosthorn();

describe("a workspace", () => {
  test("is made with a key set that the server takes at once", async () => {
    await using posthorn = await workspace();
    const made = await jsonBeside(posthorn, ["workspace", "create", "acme"]);
    expect(made).toEqual({ workspace: { id: ID, name: "acme" }, keys: { id: ID, ...KEYS } });
    expect(await statusFor(posthorn, made.keys.secret)).toBe(200);
  });

  test("shows its keys to a person as well", async () => {
    await using posthorn = await workspace();
    const { code, out } = await cliBeside(posthorn, ["workspace", "create", "acme"]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Created the workspace acme \([0-9a-f-]{36}\)\. .+\n\n  secret  sk_\w{48}\n  public  pk_\w{48}\n$/,
    );
  });

  test.each([
    ["default", "A workspace default already exists."],
    [" acme", "A workspace's name is 1 to 100 characters, without line breaks or space around it."],
    ["", "A workspace's name is 1 to 100 characters, without line breaks or space around it."],
  ])("is not made with the name %j", async (name, said) => {
    const posthorn = shared();
    const ended = await cliBeside(posthorn, ["workspace", "create", name]);
    expect(ended).toEqual({ code: 1, out: "", err: said });
    expect(await jsonBeside(posthorn, ["workspace", "list"])).toHaveLength(1);
  });

  test("is listed with its state", async () => {
    await using posthorn = await startPosthorn({ tracking: true });
    const { workspace } = await jsonBeside(posthorn, ["workspace", "create", "acme"]);
    await cliBeside(posthorn, ["workspace", "disable", workspace.id]);
    const settings = { tracking: "ENABLED", language: "en", postalAddress: null, doubleOptIn: false, createdAt: TIME };
    expect(await jsonBeside(posthorn, ["workspace", "list"])).toEqual([
      { ...settings, id: ID, name: "default", disabled: false, disabledAt: null },
      { ...settings, id: workspace.id, name: "acme", disabled: true, disabledAt: TIME },
    ]);
    const { out } = await cliBeside(posthorn, ["workspace", "list"]);
    expect(out.split("\n").map((line) => line.split(/  +/).slice(1))).toEqual([
      ["NAME", "LANGUAGE", "TRACKING", "STATE"],
      ["default", "en", "enabled", "enabled"],
      ["acme", "en", "enabled", expect.stringMatching(/^disabled since \S+$/)],
    ]);
  });

  test("that is disabled is refused, and its queue waits until it is enabled again", async () => {
    await using posthorn = await workspace();
    await posthorn.call("POST /v1/send", { ...letter, to: ["ada@example.com", "bob@example.com"] });
    const disabled = await cliBeside(posthorn, ["workspace", "disable", "default"]);
    expect(disabled).toEqual({ code: 0, out: "default is disabled; 2 queued emails are held.", err: "" });
    expect(await statusFor(posthorn, posthorn.keys.secret)).toBe(403);
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual([]);
    expect((await cliBeside(posthorn, ["workspace", "enable", "default"])).code).toBe(0);
    expect(await statusFor(posthorn, posthorn.keys.secret)).toBe(200);
    await posthorn.settle();
    expect(posthorn.transport.recipients.sort()).toEqual(["ada@example.com", "bob@example.com"]);
  });

  test("that is enabled again just before a claimed mail of its is put back lets that leave", async () => {
    await using posthorn = await workspace();
    const { store, transport } = posthorn;
    await posthorn.call("POST /v1/send", letter);
    const [claimed] = await store.write((tx) =>
      takeInTurn(tx, mailQueue({ lane: 0, leaseUntil: tx.now, only: null }), 1),
    );
    const mail = await store.read((reader) => mailBySeq(reader, claimed?.seq ?? 0, iso(posthorn.clock.nowMs())));
    await store.write((tx) => park(tx, mail as MailToSend));
    await posthorn.settle();
    expect(transport.recipients).toEqual(["ada@example.com"]);
  });

  test("is deleted with all that is its own and nothing that is another's, but not by mistake", async () => {
    await using posthorn = await startPosthorn();
    const before = await everything(posthorn);
    const { secret } = await addWorkspace(posthorn, { name: "acme", domain: "acme.example" });
    const key = { bearer: secret };
    const to = Array.from({ length: 50 }, (_, index) => `p${index}@example.com`);
    for (const name of ["a", "b", "c"])
      await ask(posthorn, "POST /v1/send", {
        key,
        headers: { "idempotency-key": name },
        body: { ...letter, from: `${name}@acme.example`, to },
      });
    await posthorn.settle();
    await ask(posthorn, "POST /v1/send", { key, body: { ...letter, from: "d@acme.example", to } });
    const full = await everything(posthorn);
    const unsure = await cliBeside(posthorn, ["workspace", "delete", "acme"]);
    expect([unsure.code, unsure.err]).toEqual([
      1,
      expect.stringMatching(/^This deletes the workspace acme .+ add --yes\.$/),
    ]);
    expect(await everything(posthorn)).toEqual(full);
    const ended = await cliBeside(posthorn, ["workspace", "delete", "acme", "--yes"]);
    // It says how far it is if that takes long.
    expect([ended.code, ended.out]).toEqual([0, "The workspace acme is deleted."]);
    expect(ended.err).toMatch(/^(\w+: \d+ deleted\s*)*$/);
    const selectors = [{ domain_name: "acme.example", selector: "posthorn2603" }];
    expect(await everything(posthorn)).toEqual({ ...before, audit: DELETED, former_selectors: selectors });
    expect(await statusFor(posthorn, secret)).toBe(401);
  });

  test("is deleted with records that refer to each other", async () => {
    await using posthorn = await startPosthorn();
    const before = await everything(posthorn);
    const key = { bearer: (await addWorkspace(posthorn, { name: "acme", domain: "acme.example" })).secret };
    const made = async (route: string, body: object) => (await ask(posthorn, route, { key, body })).body;
    const text = { subject: "News", body: "<p>News</p>", from: "hello@acme.example" };
    const template = await made("POST /templates", { name: "Letter", ...text, type: "TRANSACTIONAL" });
    const condition = { groups: [{ filters: [{ field: "subscribed", value: true }] }] };
    const segment = await made("POST /segments", { name: "Readers", condition, trackMembership: true });
    const friends = await made("POST /segments", { name: "Friends", type: "STATIC" });
    await made("POST /topics", { key: "news", name: { en: "News" } });
    await made("POST /suppressions", { domain: "blocked.example", reason: "manual" });
    await made("POST /forms", { name: "News", segmentId: friends.id, consent: { wording: { en: "Yes." } } });
    const audience = { audienceType: "SEGMENT", segmentId: segment.id };
    await made("POST /campaigns", { name: "Draft", ...text, ...audience });
    const campaign = (await made("POST /campaigns", { name: "Sent", ...text, ...audience })).data;
    const steps = [
      { type: "SEND_EMAIL", name: "Letter", config: { templateId: template.id } },
      { type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } },
    ];
    await made("POST /workflows", { name: "Welcome", eventName: "signup", enabled: true, steps });
    await made("POST /v1/track", { email: "ada@example.com", event: "signup" });
    await posthorn.settle();
    await made(`POST /campaigns/${campaign.id}/send`, {});
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual(["ada@example.com", "ada@example.com"]);
    expect((await cliBeside(posthorn, ["workspace", "delete", "acme", "--yes"])).code).toBe(0);
    await posthorn.settle();
    expect(await everything(posthorn)).toEqual({ ...before, audit: DELETED, former_selectors: [expect.anything()] });
  });

  test.each(["disable", "enable", "delete"])("that is not there cannot be changed: %s", async (verb) => {
    const posthorn = shared();
    const ended = await cliBeside(posthorn, ["workspace", verb, "acme", ...(verb === "delete" ? ["--yes"] : [])]);
    expect(ended).toEqual({ code: 1, out: "", err: "There is no workspace acme." });
  });
});

describe("a workspace that is reset", () => {
  test("has nothing in it but its keys, domains, settings and people, and takes mail at once", async () => {
    await using posthorn = await startPosthorn();
    await addWorkspace(posthorn, { name: "acme", domain: "acme.example" });
    const before = await everything(posthorn);
    const made = async (route: string, body: object) => (await ask(posthorn, route, { body })).body;
    const text = { subject: "News", body: "<p>News</p>", from: "hello@example.test" };
    const template = await made("POST /templates", { name: "Letter", ...text, type: "TRANSACTIONAL", alias: "letter" });
    const condition = { groups: [{ filters: [{ field: "subscribed", value: true }] }] };
    const segment = await made("POST /segments", { name: "Readers", condition, trackMembership: true });
    const friends = await made("POST /segments", { name: "Friends", type: "STATIC" });
    await made("POST /topics", { key: "news", name: { en: "News" } });
    await made("POST /suppressions", { domain: "blocked.example", reason: "manual" });
    await made("POST /forms", { name: "News", segmentId: friends.id, consent: { wording: { en: "Yes." } } });
    const audience = { audienceType: "SEGMENT", segmentId: segment.id };
    await made("POST /campaigns", { name: "Draft", ...text, ...audience });
    const { data: campaign } = await made("POST /campaigns", { name: "Sent", ...text, ...audience });
    const steps = [
      { type: "SEND_EMAIL", name: "Letter", config: { templateId: template.id } },
      { type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } },
    ];
    await made("POST /workflows", { name: "Welcome", eventName: "signup", enabled: true, steps });
    await made("POST /webhooks", { url: "https://shop.example/hook", events: ["email.*"] });
    await made("POST /v1/track", { email: "ada@example.com", event: "signup" });
    await posthorn.settle();
    await made(`POST /campaigns/${campaign.id}/send`, {});
    await posthorn.settle();
    // Changes that wait, and one that is parked; what nobody's row takes away with it.
    await posthorn.store.write(async (tx) => {
      await tx.run`insert into outbox (workspace, subjects, for_endpoints, due_at)
        values (1, '[]', 0, '9999'), (1, '[]', 1, '9999'), (1, '[]', 1, null)`;
      await tx.run`insert into leaving_answers (id, workspace, reason, words, created_at, updated_at)
        values ('1', 1, 'other', 'Too loud.', '', '')`;
      await tx.run`insert into duplicate_searches (workspace, id, state, begun_at) values (1, '1', 'COMPLETED', '')`;
    });
    const reset = await cliBeside(posthorn, ["reset", "--workspace", "default", "--test"]);
    expect(reset).toEqual({ code: 0, out: "The workspace default is empty.", err: "" });
    await posthorn.settle();
    const { audit, ...after } = await everything(posthorn);
    // When loops look next, and when a key was used last, is nothing that is in it.
    expect({ ...after, turns: [], key_sets: [], audit: [] }).toEqual({ ...before, turns: [], key_sets: [], audit: [] });
    expect(audit).toContainEqual(expect.objectContaining({ action: "reset" }));
    expect((await ask(posthorn, "GET /contacts")).body.total).toBe(0);
    expect((await ask(posthorn, "POST /v1/send", { body: letter })).status).toBe(200);
    await posthorn.settle();
    expect(posthorn.transport.recipients.at(-1)).toBe(letter.to);
  });

  test("is not reset without --test, nor where mail really leaves", async () => {
    const posthorn = shared();
    const unsure = await cliBeside(posthorn, ["reset", "--workspace", "default"]);
    expect([unsure.code, unsure.err]).toEqual([
      1,
      "This deletes everything in the workspace default but its settings. To confirm, add --test.",
    ]);
    const real = {
      POSTHORN_DELIVERY_TRANSPORT: "smtp",
      POSTHORN_RELAY_HOST: "relay.example",
      POSTHORN_HTTP_BASE_URL: "https://mail.example.com",
    };
    const refused = await cliBeside(posthorn, ["reset", "--workspace", "default", "--test"], real);
    expect([refused.code, refused.err]).toEqual([
      1,
      "Only an installation that captures email can be reset; delivery.transport is smtp.",
    ]);
  });
});

describe("a key set", () => {
  test("is taken at once, and refused at once when it is revoked", async () => {
    await using posthorn = await workspace();
    const keys = await jsonBeside(posthorn, ["key", "create", "--workspace", "default"]);
    expect(keys).toEqual({ id: ID, ...KEYS, domains: null, permissions: "full", allowedIps: null, expiresAt: null });
    expect(await statusFor(posthorn, keys.secret)).toBe(200);
    expect((await cliBeside(posthorn, ["key", "revoke", keys.id])).code).toBe(0);
    expect(await statusFor(posthorn, keys.secret)).toBe(401);
    const again = await cliBeside(posthorn, ["key", "revoke", keys.id]);
    expect(again).toEqual({ code: 1, out: "", err: `There is no active key set ${keys.id}.` });
  });

  test("is scoped to the domains that were named, however they were written", async () => {
    await using posthorn = await workspace();
    const words = ["--domain", " A.Example, b.example.", "--domain", "c.example", "--domain", "a.example"];
    const keys = await jsonBeside(posthorn, ["key", "create", "--workspace", "default", ...words]);
    expect(keys.domains).toEqual(["a.example", "b.example", "c.example"]);
    const reply = await posthorn.call("POST /v1/send", letter, { authorization: `Bearer ${keys.secret}` });
    expect([reply.status, reply.body.error.code]).toEqual([403, "DOMAIN_NOT_ALLOWED"]);
  });

  test.each(["", "a.example,", "nodot", "a b.example", "hello@a.example"])(
    "is not made for %j, least of all unscoped",
    async (domain) => {
      const posthorn = shared();
      const ended = await cliBeside(posthorn, ["key", "create", "--workspace", "default", `--domain=${domain}`]);
      expect({ ...ended, err: "" }).toEqual({ code: 1, out: "", err: "" });
      expect(ended.err).toEndWith("is not a domain name.");
      expect(await jsonBeside(posthorn, ["key", "list"])).toHaveLength(1);
    },
  );

  test("is listed without its keys", async () => {
    await using posthorn = await startPosthorn();
    const { workspace } = await jsonBeside(posthorn, ["workspace", "create", "acme"]);
    const words = ["--workspace", "acme", "--domain", "a.example", "--name", "shop"];
    const { id } = await jsonBeside(posthorn, ["key", "create", ...words]);
    await cliBeside(posthorn, ["key", "revoke", id]);
    const [first, shop, ...others] = await jsonBeside(posthorn, ["key", "list", "--workspace", workspace.id]);
    const limits = { permissions: "full", allowedIps: null, expiresAt: null, formerSecretUntil: null };
    const acme = { workspace: "acme", createdAt: TIME, updatedAt: TIME, ...limits };
    expect(first).toEqual({ ...acme, id: ID, name: null, domains: null, lastUsedAt: null, revokedAt: null });
    expect(shop).toEqual({ ...acme, id, name: "shop", domains: ["a.example"], lastUsedAt: null, revokedAt: TIME });
    expect(others).toEqual([]);
    expect((await cliBeside(posthorn, ["key", "list"])).out.split("\n")).toHaveLength(4);
  });

  test("may do less, end, and be for some addresses alone", async () => {
    await using posthorn = await workspace();
    const create = (...words: readonly string[]) =>
      cliBeside(posthorn, ["key", "create", "--workspace", "default", "--json", ...words]);
    const words = ["--permissions", "send", "--expires", "2027-01-31", "--allow-ip", "192.0.2.1,10.0.0.0/8"];
    expect(JSON.parse((await create(...words)).out)).toMatchObject({
      permissions: "send",
      allowedIps: ["192.0.2.1", "10.0.0.0/8"],
      expiresAt: "2027-01-31T00:00:00.000Z",
    });
    expect((await create("--permissions", "write")).err).toBe(
      "--permissions is full, send, read or content, not “write”.",
    );
    for (const wrong of ["--allow-ip=", "--expires=tomorrow", "--expires=2020-01-01"])
      expect((await create(wrong)).code).toBe(1);
    expect(await jsonBeside(posthorn, ["key", "list"])).toHaveLength(2);
  });

  test("says which events the workspace's public keys may record, if it is told so", async () => {
    await using posthorn = await workspace();
    const events = async () => (await posthorn.call("GET /workspace")).body.publicKeys.events;
    await jsonBeside(posthorn, [
      "key",
      "create",
      "--workspace",
      "default",
      "--event",
      "visit,signup",
      "--event",
      "seen",
    ]);
    expect(await events()).toEqual(["visit", "signup", "seen"]);
    await jsonBeside(posthorn, ["key", "create", "--workspace", "default"]);
    expect(await events()).toEqual(["visit", "signup", "seen"]);
  });

  test("needs a workspace that is there", async () => {
    await using posthorn = await workspace();
    const ended = await cliBeside(posthorn, ["key", "create", "--workspace", "acme"]);
    expect(ended).toEqual({ code: 1, out: "", err: "There is no workspace acme." });
  });
});

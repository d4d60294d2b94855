// The audit log: whatever a person changes is on it, once, in the transaction of the change.
import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { disableWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { openSession } from "../../src/operator/team/session/session.ts";
import { putOn } from "../support/brakes.ts";
import { cliBeside } from "../support/cli.ts";
import { documentOf, operationsOf } from "../support/operations.ts";
import { firstOwner, OWN_PAGE, patiently, somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function entries(who: Somebody, of = "workspace"): Promise<Json[]> {
  const found: Json[] = [];
  for (let page = 1; ; page++) {
    const { data, totalPages } = (await who.ask(`GET /audit?pageSize=100&page=${page}&of=${of}`)).body;
    found.push(...data);
    if (page >= totalPages) return found.toReversed();
  }
}

const actions = async (who: Somebody, of?: string) => (await entries(who, of)).map(({ action }) => action);

/** Not noted: they only look, or compute again what is there, or are calls that are noted each by itself. */
const UNNOTED = [
  "tryWay",
  "previewWay",
  "verifyDomain",
  "verifyLinkHost",
  "checkImport",
  "importFrom",
  "computeSegment",
  "proveIdentity",
  "askToAddPasskey",
  "planContent",
];

test("no call that changes something is forgotten", async () => {
  await using posthorn = await startPosthorn();
  const owner = await firstOwner(posthorn);
  const done = await everyChange(posthorn, owner);
  const noted = [...(await actions(owner)), ...(await actions(owner, "installation"))];
  expect(done.filter((name) => !noted.includes(name) && !UNNOTED.includes(name))).toEqual([]);
  const changing = operationsOf(await documentOf(posthorn)).filter(
    ({ method, operation }) =>
      operation.security.some((kind: object) => "session" in kind) &&
      (operation["x-proof"] || (method !== "GET" && operation["x-permission"] !== "read")),
  );
  // A new call that changes something gets its line below.
  const tried = [...done, ...UNNOTED, ...ELSEWHERE, ...ALIASES, ...OWN_TESTS];
  expect(changing.map(({ operation }) => operation.operationId).filter((name) => !tried.includes(name))).toEqual([]);
});

/** Other ways to ask for a call that has its line, and is what the list names. */
const ALIASES = ["trackEventAlias", "refreshSegmentAlias"];

/** Of these the makers of routes, which the others have as well, write the entry. */
const ELSEWHERE = ["removePasskey", "setSecondFactorRule", "retryWebhook", "advanceTestClock"];

/** Noted by hand, with tests of their own. */
const OWN_TESTS = [
  ...["addPasskey", "signOut", "exportWorkspace", "importWorkspace"],
  ...["setUpTotp", "confirmTotp", "renewRecoveryCodes", "removeTotp", "resetTotp"],
  ...["signInForWay", "checkSignInForWay"],
  ...["updateConfiguration", "confirmConfiguration", "undoConfiguration"],
  ...["askOwnProvider", "linkIdentity", "unlinkIdentity"],
];

/** Carries out each call that changes something, once; answers their names. */
async function everyChange(posthorn: Posthorn, owner: Somebody): Promise<string[]> {
  const document = await documentOf(posthorn);
  const operations = operationsOf(document);
  const done: string[] = [];
  const act = async (route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Json> => {
    const reply = await owner.ask(route, { headers, ...(body === undefined ? {} : { body }) });
    expect([route, reply.status, reply.status < 300 ? "" : reply.body]).toEqual([route, reply.status, ""]);
    const [method, path = ""] = route.split(" ");
    const meant = operations.find(
      (one) =>
        one.method === method &&
        new RegExp(`^${one.path.replace(/\{name\}/g, "[a-z]+").replace(/\{\w+\}/g, "[0-9a-f-]{36}")}$`).test(path),
    );
    done.push(meant?.operation.operationId);
    return reply.body;
  };
  const mail = { from: "shop@example.test", subject: "Hi", body: "<p>Hi</p>" };
  const sent = await act("POST /v1/send", { ...mail, to: "bob@example.com" });
  const batch = await act("POST /v1/send/batch", {
    emails: [{ ...mail, to: "bob@example.com", sendAt: new Date(posthorn.clock.nowMs() + 3_600_000).toISOString() }],
  });
  await act(`PATCH /emails/${batch.data.results[0].emails[0].email}`, { sendAt: null });
  await act(`DELETE /emails/${sent.data.emails[0].email}`);
  const inAnHour = new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString();
  const planned = { ...mail, to: "bob@example.com", sendAt: inAnHour };
  const [first] = (await act("POST /v1/send/batch", { emails: [planned] })).data.results;
  await act(`PATCH /emails/${first.emails[0].email}`, { sendAt: null });
  const kept = (await owner.ask("POST /v1/send", { body: { ...mail, to: "bob@example.com" } })).body;
  await posthorn.settle();
  await act(`POST /emails/${kept.data.emails[0].email}/resend`);
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "unanswered", reply: "Timeout" });
  for (const fate of ["arrived", "not-arrived"]) {
    const { data } = (await owner.ask("POST /v1/send", { body: { ...mail, to: "bob@example.com" } })).body;
    await posthorn.settle();
    await act(`POST /emails/${data.emails[0].email}/${fate}`);
  }
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 refused" });
  await owner.ask("POST /v1/send", { body: { ...mail, to: "bob@example.com" } });
  await posthorn.settle();
  const { jobId } = await act("POST /emails/retry", { filter: {} });
  await act(`POST /emails/retry/jobs/${jobId}/cancel`);
  await act("POST /content/apply", { items: [{ kind: "topics", name: "releases", fields: { name: { en: "News" } } }] });
  await act("POST /v1/track", { email: "cyd@example.com", event: "seen" });
  const person = await act("POST /contacts", { email: "ada@example.com" });
  await act(`PATCH /contacts/${person.id}`, { data: { plan: "pro" } });
  const twin = await act("POST /contacts", { email: "ada@old.example" });
  const merged = await act("POST /contacts/merge", { into: person.id, from: [twin.id] });
  await act(`POST /contacts/merges/${merged.id}/undo`);
  await posthorn.settle();
  await act("POST /contacts/duplicates");
  await posthorn.settle();
  const { searchId } = (await owner.ask("GET /contacts/duplicates/merge")).body;
  await act("POST /contacts/duplicates/merge", { searchId });
  await act("POST /contacts/duplicates/dismiss", { contactIds: [person.id, twin.id] });
  const contactIds = [person.id];
  await act("POST /contacts/bulk-unsubscribe", { contactIds });
  await act("POST /contacts/bulk-subscribe", { contactIds });
  await posthorn.settle();
  await act("GET /contacts/export");
  await act("POST /contacts/export", { contactIds });
  await act(`GET /contacts/${person.id}/export`);
  await act(`GET /contacts/${person.id}/consent/evidence`);
  const file =
    "--b\r\ncontent-disposition: form-data; name=file; filename=a.csv\r\n\r\nemail\ndan@example.com\n\r\n--b--\r\n";
  const imported = await act("POST /contacts/import", file, { "content-type": "multipart/form-data; boundary=b" });
  await act("POST /suppressions/imports", file, { "content-type": "multipart/form-data; boundary=b" });
  await act("GET /suppressions/export");
  const segment = await act("POST /segments", { name: "Pro", type: "STATIC" });
  await act(`PATCH /segments/${segment.id}`, { name: "Pros" });
  await act(`POST /segments/${segment.id}/members`, { emails: ["ada@example.com"] });
  await act(`DELETE /segments/${segment.id}/members`, { emails: ["ada@example.com"] });
  await act(`DELETE /segments/${segment.id}`);
  const template = await act("POST /templates", { ...mail, name: "Hi", type: "MARKETING" });
  await act(`PATCH /templates/${template.id}`, { subject: "Hello" });
  await act(`POST /templates/${template.id}/publish`);
  const [version] = (await owner.ask(`GET /templates/${template.id}/versions`)).body.versions;
  await act(`POST /templates/${template.id}/versions/${version.id}/restore`, {});
  await act(`POST /templates/${template.id}/test`, { email: "ada@example.com" });
  await act(`DELETE /templates/${(await act(`POST /templates/${template.id}/duplicate`)).id}`);
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await act(`DELETE /images/${(await act("POST /images", { name: "a.png", content: pixel })).id}`);
  const topic = await act("POST /topics", { key: "news", name: { en: "News" } });
  await act(`PATCH /topics/${topic.id}`, { default: "out" });
  await act("POST /contacts/fields/rename", { from: "Kundennr.", to: "kundennr" });
  await act("POST /contacts/bulk-topics", { filter: {}, topics: { news: "in" } });
  await act(`DELETE /topics/${topic.id}`);
  const form = await act("POST /forms", { name: "News" });
  await act(`PATCH /forms/${form.id}`, { enabled: false });
  await act(`DELETE /forms/${form.id}`);
  const suppression = await act("POST /suppressions", { domain: "example.net" });
  await act(`DELETE /suppressions/${suppression.id}`);
  const block = await act("POST /blocks", { name: "Signature" });
  await act(`PUT /blocks/${block.id}`, { name: "Ours" });
  await act(`DELETE /blocks/${block.id}`);
  const webhook = await act("POST /webhooks", { url: "https://hooks.example.com", events: ["domain.*"] });
  await act(`PATCH /webhooks/${webhook.id}`, { description: "The shop" });
  await act(`POST /webhooks/${webhook.id}/rotate-secret`, {});
  const { deliveryId } = await act(`POST /webhooks/${webhook.id}/test`, { type: "domain.failing" });
  await act(`POST /webhooks/${webhook.id}/deliveries/${deliveryId}/replay`);
  await act(`POST /webhooks/${webhook.id}/replay`, { since: "2026-03-01T00:00:00Z" });
  await act(`DELETE /webhooks/${webhook.id}`);
  await act("PUT /workspace/brand", { colors: { accent: "#9a5b12" } });
  const campaign = (await act("POST /campaigns", { ...mail, name: "News", audienceType: "ALL" })).data;
  await act(`PUT /campaigns/${campaign.id}`, { name: "More news" });
  const [said] = (await owner.ask(`GET /campaigns/${campaign.id}/versions`)).body.versions;
  await act(`POST /campaigns/${campaign.id}/versions/${said.id}/restore`, {});
  await act(`POST /campaigns/${campaign.id}/test`, { email: "ada@example.com" });
  await act(`DELETE /campaigns/${(await act(`POST /campaigns/${campaign.id}/duplicate`)).data.id}`);
  const later = { scheduledFor: new Date(posthorn.clock.nowMs() + DAY_MS).toISOString() };
  await owner.ask(`POST /campaigns/${campaign.id}/send`, { body: later });
  await act(`POST /campaigns/${campaign.id}/unschedule`);
  const sold = { ...mail, name: "Refused", audienceType: "ALL" };
  const refused = (await owner.ask("POST /campaigns", { body: sold })).body.data;
  await owner.ask(`POST /campaigns/${refused.id}/send`, { body: {} });
  await posthorn.settle();
  await act(`POST /campaigns/${refused.id}/again`, {});
  await act(`GET /campaigns/${refused.id}/recipients/export`);
  await act(`POST /campaigns/${campaign.id}/send`, {});
  await act(`POST /campaigns/${campaign.id}/pause`);
  await act(`POST /campaigns/${campaign.id}/resume`);
  await act(`POST /campaigns/${campaign.id}/cancel`);
  const flow = await act("POST /workflows", { name: "Flow", eventName: "seen" });
  await act(`DELETE /workflows/${(await act(`POST /workflows/${flow.id}/duplicate`)).id}`);
  const step = await act(`POST /workflows/${flow.id}/steps`, {
    type: "DELAY",
    name: "Wait",
    config: { amount: 1, unit: "days" },
  });
  await act(`PATCH /workflows/${flow.id}/steps/${step.id}`, { name: "Wait a day" });
  const hook = { type: "WEBHOOK", name: "Tell", config: { url: "https://example.com" }, autoConnect: false };
  const { id: told } = await act(`POST /workflows/${flow.id}/steps`, hook);
  await act(`POST /workflows/${flow.id}/steps/${told}/retry`);
  await act(`DELETE /workflows/${flow.id}/steps/${told}`);
  const [led] = (await owner.ask(`GET /workflows/${flow.id}`)).body.transitions;
  await act(`DELETE /workflows/${flow.id}/transitions/${led.id}`);
  await act(`POST /workflows/${flow.id}/transitions`, {
    fromStepId: flow.steps[0].id,
    toStepId: step.id,
  });
  const drawn = [{ ref: step.id, type: "DELAY", name: "Wait", config: { amount: 2, unit: "days" } }];
  const way = [{ fromStepId: "trigger", toStepId: step.id }];
  await act(`PUT /workflows/${flow.id}`, { steps: drawn, transitions: way });
  await act(`PATCH /workflows/${flow.id}`, { enabled: true });
  const execution = await act(`POST /workflows/${flow.id}/executions`, { contactId: person.id });
  await act(`DELETE /workflows/${flow.id}/executions/${execution.id}`);
  await act(`POST /workflows/${flow.id}/executions/cancel-all`);
  await act(`DELETE /workflows/${flow.id}/steps/${step.id}`);
  await act(`DELETE /workflows/${flow.id}`);
  await posthorn.settle();
  await act(`POST /contacts/import/${imported.jobId}/undo`);
  await act("POST /contacts/bulk-delete", { contactIds });
  await act(`DELETE /contacts/${(await owner.ask("GET /contacts?limit=1")).body.data[0].id}`);
  await act("PUT /workspace/link-host", { host: "links.shop.example" });
  await act("DELETE /workspace/link-host");
  const domain = await act("POST /domains", { domain: "shop.example" });
  await act(`DELETE /domains/${domain.id}`);
  const { data } = (await owner.ask("GET /domains")).body;
  await act(`POST /domains/${data[0].id}/rotate`);
  const warmup = `/domains/${data[0].id}/warmup`;
  await act(`PUT ${warmup}`, { days: [50] });
  for (const what of ["pause", "resume", "skip", "restart"]) await act(`POST ${warmup}/${what}`);
  const ofWay = "/installation/ways/default/warmup";
  await act(`PUT ${ofWay}`, { days: [50] });
  for (const what of ["pause", "resume", "skip", "restart"]) await act(`POST ${ofWay}/${what}`);
  await act("PATCH /workspace", { language: "de" });
  await act("POST /workspace/rotate-webhook-secret");
  const { id: key } = await act("POST /keys", { name: "Shop" });
  await act(`PATCH /keys/${key}`, { allowedIps: ["192.0.2.1"] });
  await act(`POST /keys/${key}/rotate`, {});
  await act(`POST /keys/${key}/scheduled/cancel`);
  await act(`DELETE /keys/${key}`);
  const invitation = await act("POST /invitations", { email: "eve@example.com", role: "EDITOR" });
  await act(`DELETE /invitations/${invitation.id}`);
  const bob = (await (await somebody(posthorn, "EDITOR", "bob@example.com")).ask("GET /me")).body;
  await act(`PATCH /members/${bob.id}`, { role: "SUPPORT" });
  await act(`DELETE /members/${bob.id}`);
  await act(`POST /users/${bob.id}/link`);
  await act(`PATCH /users/${bob.id}`, { owner: true });
  await act(`DELETE /users/${bob.id}`);
  await act(`PATCH /workspaces/${(await act("POST /workspaces", { name: "Shop" })).id}`, { disabled: true });
  await act("PATCH /me", { name: "Ada Lovelace" });
  await act("PUT /me/password", { password: "four other words of mine" });
  await act("DELETE /me/sessions");
  await posthorn.store.write((tx) => openSession(tx, 1, "a phone"));
  const [phone] = (await owner.ask("GET /me/sessions")).body;
  await act(`DELETE /me/sessions/${phone.id}`);
  await act("POST /installation/ways", { name: "backup", kind: "capture" });
  await act("PATCH /installation/ways/backup", { price: 1 });
  await act("POST /installation/ways/backup/pause");
  await act("POST /installation/ways/backup/resume");
  await act("PUT /installation/way-rules", { rules: [{ name: "All", ways: [{ name: "default" }] }] });
  await act("DELETE /installation/ways/backup");
  await act(`DELETE /queue/brakes/${(await putOn(posthorn)).id}`);
  return done;
}

test("an entry says who, what, when and by which request; a replay and a refusal make none", async () => {
  await using posthorn = await workspace();
  const admin = await somebody(posthorn, "ADMIN");
  const headers = { "idempotency-key": "once", "x-request-id": "mine-1" };
  const make = () => admin.ask("POST /segments", { body: { name: "Pro", type: "STATIC" }, headers });
  const [made] = [await make(), await make()];
  await admin.ask("POST /segments", { body: { name: "" } });
  await admin.ask("PATCH /segments/0199a3b4-0000-7000-8000-000000000000", { body: { name: "X" } });
  const { id } = (await admin.ask("GET /me")).body;
  expect(await entries(admin)).toEqual([
    {
      id: expect.any(String),
      at: expect.stringMatching(/^2026-03-01T09:00:00/),
      action: "createSegment",
      by: { kind: "PERSON", id, name: "ADMIN" },
      target: made.body.id,
      ...{ targetKind: "segments", targetName: "Pro", targetExists: true, fields: [], times: 1 },
      lastAt: expect.stringMatching(/^2026-03-01T09:00:00/),
      reason: null,
      requestId: "mine-1",
    },
  ]);
});

describe("what was changed", () => {
  const said = ({ action, targetName, targetExists, fields, times }: Json) => [
    action,
    targetName,
    targetExists,
    fields.join(" "),
    times,
  ];
  const mail = { from: "shop@example.test", subject: "Hi", body: "<p>Hi</p>", type: "MARKETING" };

  test("has the name that it had then, its fields, and one entry a sitting", async () => {
    await using posthorn = await workspace();
    const [admin, editor] = [await somebody(posthorn, "ADMIN"), await somebody(posthorn, "EDITOR")];
    const { id } = (await admin.ask("POST /templates", { body: { ...mail, name: "Welcome" } })).body;
    const change = (who: Somebody, body: object) => who.ask(`PATCH /templates/${id}`, { body });
    await change(admin, { subject: "One" });
    posthorn.clock.advance(9 * MINUTE_MS);
    await change(admin, { body: "<p>Two</p>" });
    await change(editor, { subject: "Three" });
    posthorn.clock.advance(9 * MINUTE_MS);
    await change(admin, { name: "Über uns", subject: "Four" });
    posthorn.clock.advance(11 * MINUTE_MS);
    await change(admin, { subject: "Five" });
    const all = await entries(admin);
    expect(all.map(said)).toEqual([
      ["createTemplate", "Welcome", true, "", 1],
      ["updateTemplate", "Welcome", true, "subject body name", 3],
      ["updateTemplate", "Welcome", true, "subject", 1],
      ["updateTemplate", "Über uns", true, "subject", 1],
    ]);
    const sittingMs = Date.parse(all[1].lastAt) - Date.parse(all[1].at);
    expect(Math.round(sittingMs / MINUTE_MS)).toBe(18);
    await admin.ask(`DELETE /templates/${id}`);
    expect((await entries(admin)).map(said).at(-1)).toEqual(["deleteTemplate", "Über uns", false, "", 1]);
    for (const words of ["über", "ÜBER", "uber U"]) {
      const found = (await admin.ask(`GET /audit?search=${encodeURIComponent(words)}`)).body;
      expect(found.data.map(said)).toEqual([
        ["deleteTemplate", "Über uns", false, "", 1],
        ["updateTemplate", "Über uns", false, "subject", 1],
      ]);
    }
    expect((await admin.ask(`GET /audit?target=${id}`)).body.total).toBe(5);
  });

  test("is shown with the record to everybody who may read it, and to nobody of another workspace", async () => {
    await using posthorn = await workspace();
    const [admin, support] = [await somebody(posthorn, "ADMIN"), await somebody(posthorn, "SUPPORT")];
    const { id } = (await admin.ask("POST /templates", { body: { ...mail, name: "Welcome" } })).body;
    const key = (await admin.ask("POST /keys", { body: { name: "Shop" } })).body;
    expect((await support.ask("GET /audit")).status).toBe(403);
    const { data } = (await support.ask(`GET /audit/changes?target=${id}`)).body;
    expect(data.map(({ action, by }: Json) => [action, by.name])).toEqual([["createTemplate", "ADMIN"]]);
    expect((await support.ask(`GET /audit/changes?target=${key.id}`)).body.total).toBe(0);
    const { secret } = await addWorkspace(posthorn, { name: "curious", domain: "curious.test" });
    const strange = await ask(posthorn, `GET /audit/changes?target=${id}`, { key: { bearer: secret } });
    expect(strange.body.total).toBe(0);
  });
});

test("keys are on the list where they change keys, domains and settings, and nowhere else", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
  const { id } = (await ask(posthorn, "POST /keys", { body: { name: "Shop" } })).body;
  await ask(posthorn, "PATCH /workspace", { body: { language: "de" } });
  const { data } = (await ask(posthorn, "GET /audit")).body;
  expect(data.map(({ action, by, target }: Json) => [action, by.kind, target])).toEqual([
    ["updateWorkspace", "KEY", expect.any(String)],
    ["createKey", "KEY", id],
  ]);
  const ofKeys = (await ask(posthorn, "GET /audit?kind=KEY")).body;
  expect(ofKeys.data).toEqual(data);
  expect((await ask(posthorn, "GET /audit?kind=PERSON")).body.total).toBe(0);
  expect((await ask(posthorn, `GET /audit?by=${data[0].by.id}`)).body.data).toEqual(
    data.filter(({ by }: Json) => by.id === data[0].by.id),
  );
  expect((await ask(posthorn, "GET /audit?kind=NOBODY")).status).toBe(400);
  const installation = await ask(posthorn, "GET /audit?of=installation");
  expect([installation.status, installation.body.error.code]).toEqual([403, "FORBIDDEN"]);
});

test("signing in, users and the command line are on the list of the installation, for owners alone", async () => {
  await using posthorn = await workspace();
  const owner = await firstOwner(posthorn);
  await cliBeside(posthorn, ["user", "add", "bob@example.com", "--workspace", "default", "--role", "admin"]);
  await owner.ask("DELETE /session");
  const other = await somebody(posthorn, "OWNER");
  expect(await actions(other, "installation")).toEqual(["acceptLink", "user add", "signOut"]);
  const [, added] = await entries(other, "installation");
  expect(added.by).toEqual({ kind: "COMMAND_LINE", id: null, name: null });
  const admin = await somebody(posthorn, "ADMIN");
  expect((await admin.ask("GET /audit?of=installation")).body.error.code).toBe("FORBIDDEN");
  expect(await actions(admin)).toEqual([]);
});

describe("a sign-in that fails", () => {
  const PROXIED = { config: { http: { trustedProxies: ["127.0.0.1"] } } };
  const ADA = { email: "ada@example.com", password: "wrong words of mine" };

  async function fail(posthorn: Posthorn, body: object, client = "192.0.2.7"): Promise<number> {
    const headers = { ...OWN_PAGE, "x-forwarded-for": client, "x-request-id": "mine-1" };
    return (await patiently(posthorn, ask(posthorn, "POST /session", { key: "none", headers, body }))).status;
  }

  test("is on the list once an hour for each user, and once for all unknown addresses", async () => {
    await using posthorn = await startPosthorn(PROXIED);
    const owner = await firstOwner(posthorn);
    const { id } = (await owner.ask("GET /me")).body;
    await fail(posthorn, ADA);
    for (const number of [1, 2, 3]) await fail(posthorn, { ...ADA, email: `nobody.${number}@example.com` });
    await fail(posthorn, ADA, "192.0.2.8");
    const failed = async () =>
      (await entries(owner, "installation")).filter(({ action }: Json) => action === "signInFailed");
    const by = { kind: "PERSON", id: null, name: null };
    const said = {
      ...{ id: expect.any(String), at: expect.any(String), action: "signInFailed", by, requestId: "mine-1" },
      ...{
        targetKind: null,
        targetName: null,
        targetExists: null,
        fields: [],
        times: 1,
        reason: null,
        lastAt: expect.any(String),
      },
    };
    expect(await failed()).toEqual([
      { ...said, target: id },
      { ...said, target: null },
    ]);
    posthorn.clock.advance(HOUR_MS);
    await fail(posthorn, ADA);
    expect(await failed()).toHaveLength(3);
    expect(await actions(owner)).toEqual([]);
  });

  test("is a line in the log, once a minute for each client, without an address or a password", async () => {
    await using posthorn = await startPosthorn(PROXIED);
    const owner = await firstOwner(posthorn);
    const { id } = (await owner.ask("GET /me")).body;
    for (let number = 0; number < 3; number++) await fail(posthorn, ADA);
    await fail(posthorn, { ...ADA, email: "nobody@example.com" }, "2001:db8::7");
    posthorn.clock.advance(MINUTE_MS);
    await fail(posthorn, ADA);
    const lines = posthorn.logLines.filter((line) => line.includes("could not sign in"));
    expect(lines.map((line) => line.replace(/^\S+ /, ""))).toEqual([
      `warn  somebody could not sign in client=192.0.2.7 user=${id} requestId=mine-1`,
      "warn  somebody could not sign in client=2001:db8::7 requestId=mine-1",
      `warn  somebody could not sign in client=192.0.2.7 user=${id} requestId=mine-1 moreSinceLastLine=2`,
    ]);
    expect(posthorn.logLines.join()).not.toContain("ada@example.com");
  });

  test("is refused after too many, which is another line", async () => {
    await using posthorn = await startPosthorn(PROXIED);
    await firstOwner(posthorn);
    const statuses: number[] = [];
    for (let number = 0; number < 12; number++) statuses.push(await fail(posthorn, ADA));
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(posthorn.logLines.filter((line) => line.includes("sign-ins are refused"))).toEqual([
      expect.stringContaining("sign-ins are refused: too many have failed client=192.0.2.7"),
    ]);
  });

  test("by the proof of a session is on the list, too", async () => {
    await using posthorn = await workspace();
    const owner = await firstOwner(posthorn);
    const { id } = (await owner.ask("GET /me")).body;
    await patiently(posthorn, owner.ask("POST /session/proof", { body: { password: "wrong words of mine" } }));
    expect((await entries(owner, "installation")).at(-1)).toMatchObject({ action: "signInFailed", target: id });
  });
});

test.each([
  [10, 0],
  [0, 1],
])("an entry is kept for %p days; 0 means forever", async (auditDays, left) => {
  await using posthorn = await workspace({ config: { limits: { auditDays } } });
  await ask(posthorn, "POST /keys", { body: { name: "Shop" } });
  posthorn.clock.advance(9 * DAY_MS);
  await posthorn.settle();
  expect(await countOf(posthorn, "audit")).toBe(1);
  posthorn.clock.advance(2 * DAY_MS);
  await posthorn.settle();
  expect(await countOf(posthorn, "audit")).toBe(left);
});

test("what a disabled workspace refuses is on no list", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  await posthorn.store.write((tx) => disableWorkspace(tx, "default"));
  expect((await owner.ask("POST /keys", { body: {} })).status).toBe(403);
  expect(await countOf(posthorn, "audit")).toBe(0);
});

test("webhooks are named by their descriptions, or by their URLs", async () => {
  await using posthorn = await workspace();
  const owner = await firstOwner(posthorn);
  const named = { url: "https://shop.example.com/told", description: "The shop", events: ["*"] };
  const { id } = (await owner.ask("POST /webhooks", { body: named })).body;
  await owner.ask("POST /webhooks", { body: { url: "https://crm.example.com/told", events: ["*"] } });
  await owner.ask(`PATCH /webhooks/${id}`, { body: { enabled: false } });
  await owner.ask(`DELETE /webhooks/${id}`);
  const seen = (await entries(owner)).filter(({ targetKind }) => targetKind === "webhooks");
  expect(seen.map(({ targetName, targetExists }) => [targetName, targetExists])).toEqual([
    ["The shop", false],
    ["https://crm.example.com/told", true],
    ["The shop", false],
    ["The shop", false],
  ]);
});

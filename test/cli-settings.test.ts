// `posthorn settings`: what owners have set in the interface, as the command line sees and drops it.
import { expect, test } from "bun:test";
import { cliBeside, jsonBeside } from "./support/cli.ts";
import { somebody } from "./support/people.ts";
import { workspace } from "./support/workspace.ts";

const PATH = "/installation/configuration";

async function withSettings() {
  const posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const values = { "limits.audit_days": 30, "retention.mail_days": 90, "watch.spamhaus_key": "abcdefghijklmnop" };
  expect((await owner.ask(`PATCH ${PATH}`, { body: { values } })).status).toBe(200);
  const valueOf = async (key: string) =>
    (await owner.ask(`GET ${PATH}`)).body.data.find((one: { readonly key: string }) => one.key === key).value;
  return { posthorn, owner, valueOf };
}

test("lists what owners have set, without secrets, and says what the file overrides (slow)", async () => {
  const { posthorn } = await withSettings();
  await using _ = posthorn;
  const file = { POSTHORN_LIMITS_AUDIT_DAYS: "7" };
  expect(await jsonBeside(posthorn, ["settings", "list"], file)).toMatchObject([
    { key: "limits.audit_days", value: 30, problem: "is set by POSTHORN_LIMITS_AUDIT_DAYS, which wins" },
    { key: "retention.mail_days", value: 90, problem: null },
    { key: "watch.spamhaus_key", value: "(secret)", problem: null },
  ]);
  const { out } = await cliBeside(posthorn, ["check-config"], file);
  expect(out).toContain("Owners have set in the interface: retention.mail_days, watch.spamhaus_key.");
  expect(out).toContain("limits.audit_days is kept and not used: it is set by POSTHORN_LIMITS_AUDIT_DAYS");
  const { needs } = JSON.parse((await cliBeside(posthorn, ["status", "--json"], file)).out);
  expect(needs).toContainEqual(expect.stringContaining("The setting limits.audit_days is kept and not used"));
  const doctor = await cliBeside(posthorn, ["doctor"], file);
  expect(doctor.out).toContain("drop it: posthorn settings reset limits.audit_days");
});

test("drops one, or all of it, and the running server follows (slow)", async () => {
  const { posthorn, owner, valueOf } = await withSettings();
  await using _ = posthorn;
  expect(await jsonBeside(posthorn, ["settings", "reset", "retention.mail_days"])).toEqual({
    dropped: ["retention.mail_days"],
  });
  await posthorn.settle();
  expect([await valueOf("retention.mail_days"), await valueOf("limits.audit_days")]).toEqual([365, 30]);
  expect((await jsonBeside(posthorn, ["settings", "reset", "--all"])).dropped).toEqual([
    ...["limits.audit_days", "watch.spamhaus_key"],
  ]);
  await posthorn.settle();
  expect(await valueOf("limits.audit_days")).toBe(365);
  expect((await cliBeside(posthorn, ["settings", "list"])).out).toBe("Owners have set nothing in the interface.");
  const { body } = await owner.ask("GET /audit?of=installation");
  expect(body.data[0]).toMatchObject({ action: "settings reset", reason: "limits.audit_days, watch.spamhaus_key" });
});

test("refuses what is no key, and a key together with --all", async () => {
  const { posthorn } = await withSettings();
  await using _ = posthorn;
  const unknown = await cliBeside(posthorn, ["settings", "reset", "retention.male_days"]);
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no key retention.male_days")]);
  for (const words of [[], ["limits.audit_days", "--all"]])
    expect((await cliBeside(posthorn, ["settings", "reset", ...words])).code).toBe(2);
});

test("commands go by what owners have set (slow)", async () => {
  const { posthorn } = await withSettings();
  await using _ = posthorn;
  const shares = await jsonBeside(posthorn, ["prune", "--dry-run"]);
  expect(shares.find(({ kind }: { readonly kind: string }) => kind === "mails").days).toBe(90);
});

// `posthorn way`: the ways out of the configuration, and whether they work.
import { afterAll, expect, test } from "bun:test";
import { freshDirectory } from "./support/database.ts";
import { ConfigFolder } from "./config-folder.ts";
import { cliBeside, jsonBeside, posthornCli } from "./support/cli.ts";
import { somebody } from "./support/people.ts";
import type { Posthorn } from "./support/posthorn.ts";
import { startRelay } from "./support/relay.ts";
import { workspace } from "./support/workspace.ts";

const files = new ConfigFolder();
afterAll(() => files.remove());

function configured(port: number): string {
  return files.written(`
[http]
base_url = "https://mail.example.com"
[delivery]
transport = "smtp"
[relay]
host = "127.0.0.1"
port = ${port}
tls = "none"
[[ways]]
name = "backup"
kind = "smtp"
host = "127.0.0.1"
port = 9
tls = "none"
rate_per_second = 0
price = 0.5
`);
}

test("way list shows them in their order", async () => {
  const { out } = await posthornCli(["way", "list", "--json", "--config", configured(2526)]);
  expect(JSON.parse(out)).toMatchObject([
    { name: "default", transport: "smtp", place: "127.0.0.1:2526", ratePerSecond: 14, price: null },
    { name: "backup", transport: "smtp", place: "127.0.0.1:9", ratePerSecond: null, price: 0.5 },
  ]);
  const table = await posthornCli(["way", "list", "--config", configured(2526)]);
  expect(table.out.split("\n")[2]).toMatch(/^backup +smtp +127\.0\.0\.1:9 +no limit +10 +0\.5$/);
});

test("way try says whether one works", async () => {
  await using relay = await startRelay();
  const file = configured(relay.port);
  const works = await posthornCli(["way", "try", "default", "--config", file]);
  expect([works.code, works.out]).toEqual([0, `default works: 127.0.0.1:${relay.port}`]);
  const broken = await posthornCli(["way", "try", "backup", "--config", file]);
  expect([broken.code, broken.out]).toEqual([1, expect.stringContaining("backup does not work: ")]);
  const unknown = await posthornCli(["way", "try", "other", "--config", file]);
  expect([unknown.code, unknown.err]).toEqual([1, "There is no sending route other; there is default, backup."]);
});

test("way list says which ways the running server cannot use (slow)", async () => {
  await using posthorn = await workspace({
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
  });
  const env = portOf(posthorn);
  const list = async () => {
    const { out } = await cliBeside(posthorn, ["way", "list"], env);
    return [out.split("\n")[1], JSON.parse((await cliBeside(posthorn, ["way", "list", "--json"], env)).out)[0].isAway];
  };
  expect(await list()).toEqual([expect.not.stringContaining("away"), false]);
  posthorn.transport.answer = () => ({
    kind: "unreachable",
    reply: "The relay did not accept our login: 535 5.7.8 No",
  });
  const letter = { from: "shop@example.test", subject: "Hi", body: "<p>Hi" };
  await posthorn.call("POST /v1/send", { ...letter, to: "ada@example.com" });
  await posthorn.settle();
  expect(await list()).toEqual([expect.stringMatching(/ away$/), true]);
  const nobody = await cliBeside(posthorn, ["way", "list", "--json"], { ...env, POSTHORN_HTTP_PORT: "9" });
  expect(JSON.parse(nobody.out)[0].isAway).toBeNull();
});

const portOf = (posthorn: Posthorn) => ({ POSTHORN_HTTP_PORT: new URL(posthorn.server.url).port });

test("a way is added, changed, paused, resumed and removed beside a server, and its password comes from a file (slow)", async () => {
  const directory = freshDirectory();
  afterAll(() => directory.remove());
  const way = (...words: string[]) =>
    posthornCli(["way", ...words, "--data", directory.path, "--config", configured(2526)]);
  await posthornCli(["workspace", "create", "shop", "--data", directory.path, "--config", configured(2526)]);
  const secret = files.written("hunter-2\n");
  const settings = ["--set", "kind=smtp", "--set", "host=smtp.spare.example", "--set", "user=shop"];
  const added = await way("add", "spare", ...settings, "--secret", `password=${secret}`);
  expect([added.code, added.out, added.err]).toEqual([0, "spare: smtp.spare.example:587", ""]);
  const changed = await way("change", "spare", "--set", "rate_per_second=2", "--set", "price=0.1", "--json");
  expect(JSON.parse(changed.out)).toMatchObject({ ratePerSecond: 2, price: 0.1, source: "INSTALLATION" });
  expect((await way("pause", "spare")).out).toBe("spare: smtp.spare.example:587, paused");
  expect((await way("pause", "default")).code).toBe(0);
  const listed = JSON.parse((await way("list", "--json")).out);
  expect(
    listed.map(({ name, pausedAt }: { name: string; pausedAt: string | null }) => [name, pausedAt !== null]),
  ).toEqual([
    ["default", true],
    ["backup", false],
    ["spare", true],
  ]);
  expect((await way("resume", "spare")).out).toBe("spare: smtp.spare.example:587");
  expect((await way("remove", "spare")).out).toBe("spare is removed.");
  expect((await way("remove", "spare")).code).toBe(1);
  expect((await way("change", "backup", "--set", "burst=3")).err).toContain("in the configuration");
  const open = await way("add", "spare", ...settings, "--set", "password=hunter-2");
  expect([open.code, open.err]).toEqual([2, expect.stringContaining("password is a secret: --secret password=FILE")]);
  expect((await way("add", "spare", ...settings, "--set", "colour=red")).err).toContain("no setting colour");
});

test("way rules lists the rules in their order (slow)", async () => {
  await using posthorn = await workspace();
  expect((await cliBeside(posthorn, ["way", "rules"])).out).toBe(
    "There are no rules: all email leaves by the first way that works.",
  );
  const rules = [
    { name: "News", kind: "MARKETING", provider: "gmail", ways: [{ name: "default" }], others: false },
    { name: "Rest", ways: [{ name: "default" }] },
  ];
  const owner = await somebody(posthorn, "OWNER");
  const { body } = await owner.ask("PUT /installation/way-rules", { body: { rules } });
  expect(await jsonBeside(posthorn, ["way", "rules"])).toEqual(body.data);
  const { out } = await cliBeside(posthorn, ["way", "rules"]);
  expect(out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["NAME", "EMAIL", "WAYS", "THEN"],
    ["News", "marketing, to gmail", "default", "it waits"],
    ["Rest", "all", "default", "the others"],
  ]);
});

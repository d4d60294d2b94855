// `posthorn way`: the ways out of the configuration, and whether they work.
import { afterAll, expect, test } from "bun:test";
import { ConfigFolder } from "./config-folder.ts";
import { posthornCli } from "./support/cli.ts";
import { startRelay } from "./support/relay.ts";

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
  expect([unknown.code, unknown.err]).toEqual([1, "There is no way out other; there is default, backup."]);
});

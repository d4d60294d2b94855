// The alerts for Prometheus: each goes by figures that a real server or standby shows, is tried out, and says what to
// do.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { selfSigned } from "../../src/base/certificates/self-signed.ts";
import { sayFollowing } from "../../src/operator/backup/stream/owner.ts";
import { openPlace } from "../../src/operator/backup/place.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { listenForStandby, StandbyState } from "../../src/whole/cli/stores/standby-port.ts";
import { systemClock } from "../../src/base/clock.ts";
import { ENGINE } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { leftovers } from "../support/leftovers.ts";
import { letter } from "../support/mails.ts";
import { RecordingTransport } from "../support/transport.ts";
import { startPosthorn, type Json } from "../support/posthorn.ts";

const PROMTOOL = Bun.which("promtool");
const [RULES, TESTS] = ["docs/operate/alerts.yml", "test/operation/alerts.promtool.yml"];

type Alert = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
};

const rules = (Bun.YAML.parse(readFileSync(RULES, "utf8")) as Json).groups.flatMap(
  (group: Json) => group.rules,
) as readonly Alert[];

const { clean, folder } = leftovers();

test.skipIf(PROMTOOL === null).each([
  ["check", RULES],
  ["test", TESTS],
])("promtool %s finds the rules in order (promtool of Debian's prometheus)", async (verb, file) => {
  const promtool = Bun.spawn([PROMTOOL ?? "", verb, "rules", file], { stdout: "pipe", stderr: "pipe" });
  const said = (await new Response(promtool.stdout).text()) + (await new Response(promtool.stderr).text());
  expect([await promtool.exited, said]).toEqual([0, expect.stringContaining("SUCCESS")]);
});

test("each alert is tried out, with figures that make it fire alone", () => {
  const tried = (Bun.YAML.parse(readFileSync(TESTS, "utf8")) as Json).tests as readonly Json[];
  const fired = tried.flatMap((one) =>
    one.promql_expr_test.flatMap(({ exp_samples: samples }: Json) =>
      samples.map(({ labels }: Json) => /alertname="(\w+)"/.exec(labels)?.[1]),
    ),
  );
  expect([...new Set(fired)].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

test("each alert says what is wrong, how bad it is, and where to read what to do", () => {
  for (const { alert, labels, annotations } of rules) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
    expect(annotations.summary).toEndWith(".");
    const [, page = "", anchor] = /^\/docs\/guide\/operate\/(\w+)#([\w-]+)$/.exec(annotations.runbook) ?? [];
    const headings = readFileSync(`docs/operate/${page}.md`, "utf8").matchAll(/^##+ (.+)$/gm);
    const anchors = [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    expect([alert, anchors]).toEqual([alert, expect.arrayContaining([anchor])]);
  }
});

const BACKUP: WaySettings = {
  ...{ name: "backup", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 1, price: null },
  ...{ relay: { ...DEFAULTS.relay, host: "smtp.backup.example" }, ses: DEFAULTS.ses },
};

/** A server with all that can be watched: a certificate, backups, a stream that a standby follows, two ways out. */
async function figuresOfServer(): Promise<string> {
  const [dir, stream] = [folder(), folder()];
  const [certFile, keyFile] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const { cert, key } = selfSigned("localhost", Date.now());
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  await sayFollowing(openPlace(DEFAULTS.backup, stream), null, Date.now());
  await using posthorn = await startPosthorn({
    wayTransports: { backup: new RecordingTransport() },
    config: {
      metrics: { path: "/metrics", token: null },
      http: { baseUrl: "https://mail.example.com" },
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ways: [BACKUP],
      smtp: { certFile, keyFile, submissionPort: await freePort() },
      backup: { to: join(dir, "backups"), everySeconds: 3_600, ...(ENGINE === "sqlite" && { stream }) },
    },
  });
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 later" });
  expect((await posthorn.call("POST /v1/send", letter)).status).toBe(200);
  await posthorn.settle();
  return (await fetch(`${posthorn.server.url}/metrics`)).text();
}

async function figuresOfStandby(): Promise<string> {
  const state = new StandbyState(systemClock);
  state.note({ reached: "2026-03-01T09:00:00.000Z", fault: null }, null);
  const port = listenForStandby(state, { ...DEFAULTS.metrics, port: await freePort() });
  clean.push(() => port?.stop(true));
  return (await fetch(new URL("/metrics", port?.url))).text();
}

test("each alert goes by figures that there are", async () => {
  const named = new Set(rules.flatMap(({ expr }) => expr.match(/\b(posthorn|process)_\w+/g) ?? []));
  const shown = `${await figuresOfServer()}${await figuresOfStandby()}`;
  const there = new Set([...shown.matchAll(/^((?:posthorn|process)_\w+)[ {]/gm)].map(([, name]) => name));
  // What a file tells, a PostgreSQL does not.
  const others: string[] = [];
  if (ENGINE === "postgres") others.push(...[...named].filter((name) => /_(disk|stream|standby_seen)_/.test(name)));
  expect([...named].filter((name) => !there.has(name) && !others.includes(name))).toEqual([]);
});

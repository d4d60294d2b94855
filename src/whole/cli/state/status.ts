// `posthorn status`: the state of the installation on one screen; exit code 1 if the operator has to act.
import { statusOf, type InstallationStatus } from "../../../operator/operation/status.ts";
import { MIGRATIONS } from "../../../store/migrations.ts";
import { build } from "../../../base/version.ts";
import { inStore } from "../beside.ts";
import { printOne } from "../print.ts";
import { grouped } from "../progress.ts";
import { serverAnswer } from "../server-answer.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const STATUS: Verb = {
  name: "status",
  summary: "Shows how the installation is doing; exit code 1 if something needs your attention",
  options: JSON_OPTION,
  run: status,
};

async function status(call: VerbCall): Promise<number> {
  const server = await serverAnswer(call);
  const seen = await inStore(call, ({ store, config, kept }) => {
    const options = { config, server, nowMs: store.clock.nowMs(), unusedSettings: kept.problems };
    return store.read((reader) => statusOf(reader, options), { longFor: 0 });
  });
  const record = { ...build(), schema: MIGRATIONS.length, ...seen };
  printOne(call, record, () => statusText(seen));
  return seen.needs.length > 0 ? 1 : 0;
}

function statusText(seen: InstallationStatus): string {
  const { server, store, disk, queue, brakes, rate, failingDomains, jobs, certificates, backup, needs } = seen;
  const rows: [string, string][] = [
    [
      "server",
      server.ready
        ? `ready, version ${server.version}, up for ${durationText(server.uptimeSeconds ?? 0)}`
        : "not ready",
    ],
    ...(server.stream === null ? [] : [["stream", server.stream.toLowerCase()] as [string, string]]),
    ["relay", (server.relay ?? "unknown").toLowerCase()],
    [
      "rate",
      `${rate.perSecond} emails a second in the last minute${rate.limit === null ? "" : `, at most ${rate.limit}`}`,
    ],
    ...(queue.length === 0
      ? [["queue", "empty"] as [string, string]]
      : queue.map((one): [string, string] => [
          "queue",
          `${grouped(one.mails)} ${one.reason} in ${one.workspace}, the oldest accepted ${one.oldestAt}`,
        ])),
    ...brakes.map((one): [string, string] => ["pace", one.text]),
    ...failingDomains.map((one): [string, string] => ["domain", `${one.domain} fails since ${one.failingSince}`]),
    ...jobs.map((one): [string, string] => [
      "job",
      `${one.what.toLowerCase()} in ${one.workspace}: ${grouped(one.processed)} of ${grouped(one.total)}`,
    ]),
    ...certificates.map((one): [string, string] => [
      "tls",
      `${one.of.join(" and ")}: ${one.validTo === null ? "no certificate can be used" : `valid until ${one.validTo}`}`,
    ]),
    ["store", `${megabytes(store.database)}, log ${megabytes(store.log)}`],
    ["disk", disk.freeBytes === null ? "unknown" : `${megabytes(disk.freeBytes)} free at ${disk.path}`],
    ["backup", backup.lastAt === null ? "none" : `last made ${backup.lastAt}`],
  ];
  const lines = rows.map(([name, text]) => `${name.padEnd(8)}${text}`);
  return [
    ...lines,
    ...(needs.length === 0 ? ["All clear."] : ["", "Needs attention:", ...needs.map((one) => `  ${one}`)]),
  ].join("\n");
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function durationText(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}

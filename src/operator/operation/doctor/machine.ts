// The machine: directories and their modes, room on the disk, ports.
import { statSync } from "node:fs";
import { join } from "node:path";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { cautionsOf, type Config, type ConfigProblem } from "../../../base/config.ts";
import { unusedText } from "../../../base/config/kept.ts";
import { ABOUT_RIGHTS, faultOfDirectory, isThere } from "../../../base/private-files.ts";
import { FIRST_KEYS, keyFile } from "../../../base/secrets.ts";
import { databaseFile, privateDirectories } from "../../../store/open.ts";
import { isShort, spaceOf } from "../../../store/space.ts";
import { note, ok, wrong, type DoctorFinding } from "./finding.ts";

const MAX_WAIT_MS = 5_000;

export function lookAtConfiguration(config: Config, file: string | null): DoctorFinding[] {
  const cautions = cautionsOf(config).map((text) => wrong("configuration", text, "Change it, then restart."));
  return cautions.length > 0 ? cautions : [ok("configuration", `is fine (${file ?? "the defaults"})`)];
}

/** Settings of owners in the interface that are not used. */
export function lookAtKept(problems: readonly ConfigProblem[]): DoctorFinding[] {
  return problems.map((problem) =>
    wrong(
      "settings",
      unusedText(problem),
      `Change it under Settings, This server, or drop it: posthorn settings reset ${problem.key}`,
    ),
  );
}

export function lookAtDirectories(config: Config): DoctorFinding[] {
  const check = "directories";
  const open = privateDirectories(config).flatMap((path) => faultOfDirectory(path) ?? []);
  const paths = [databaseFile(config), ...(config.secrets.key === null ? [keyFile(config.data.dir)] : [])];
  const files = paths.filter((path) => path !== null).filter(isOpen);
  const faults = [
    ...open.map((text) => wrong(check, text, "Close it as it says.")),
    ...files.map((path) => wrong(check, `Others on this machine can read ${path}.`, `chmod 600 ${path}`)),
  ];
  return faults.length > 0
    ? faults
    : [ok(check, `${privateDirectories(config).join(", ")}: nobody else can read them`)];
}

function isOpen(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & 0o077) !== 0;
}

/** A reader of the first keys controls the installation. */
export function lookForFirstKeys({ data }: Config): DoctorFinding[] {
  const file = join(data.dir, FIRST_KEYS);
  return isThere(file) ? [note("first keys", `${file} still has the first keys: note them, then delete it`)] : [];
}

export function lookAtDisk(config: Config): DoctorFinding[] {
  const { path, freeBytes, totalBytes } = spaceOf(config.data.dir);
  if (freeBytes === null || totalBytes === null) return [note("disk", `${path} does not say how much room it has`)];
  const text = `${Math.round(freeBytes / 1e6)} MB of ${Math.round(totalBytes / 1e6)} MB are free at ${path}`;
  if (!isShort({ path, freeBytes, totalBytes })) return [ok("disk", text)];
  return [wrong("disk", text, "Make room: keep less ([retention]), posthorn compact, or give the disk more.")];
}

type PortCheck = { readonly name: string; readonly host: string; readonly port: number; readonly tls: boolean };

/** `isRunning`: the server answers; else its ports must be free for it. */
export async function lookAtPorts(config: Config, isRunning: boolean): Promise<DoctorFinding[]> {
  const { http, smtp } = config;
  const ports: readonly PortCheck[] = [
    { name: "submission", host: smtp.host, port: smtp.submissionPort, tls: false },
    { name: "submissions", host: smtp.host, port: smtp.submissionsPort, tls: true },
    { name: "inbound", host: smtp.host, port: smtp.inboundPort, tls: false },
  ].filter(({ port }) => port !== 0);
  const own = { name: "http", host: http.host, port: http.port, tls: false };
  if (!isRunning) return [own, ...ports].map(lookWhetherFree);
  return [ok("port http", `${http.host}:${http.port} answers`), ...(await Promise.all(ports.map(lookAtSmtp)))];
}

export function lookWhetherFree({ name, host, port }: PortCheck): DoctorFinding {
  const place = `${host}:${port}`;
  try {
    Bun.listen({ hostname: host, port, socket: { data: () => undefined } }).stop(true);
    return note(`port ${name}`, `${place} is free; the server does not run`);
  } catch (error) {
    const reason = (error as { readonly code?: string }).code ?? String(error);
    if (reason === "EACCES")
      return note(
        `port ${name}`,
        `${place} cannot be tried by this user; the service may listen there: ${ABOUT_RIGHTS}`,
      );
    return wrong(
      `port ${name}`,
      `${place} cannot be listened on (${reason})`,
      "Stop what listens there, or set another port.",
    );
  }
}

async function lookAtSmtp(port: PortCheck): Promise<DoctorFinding> {
  const { name, host, port: number, tls } = port;
  const at = { host: host === "0.0.0.0" || host === "::" ? "localhost" : host, port: number };
  const said = await firstWords(() => (tls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at)));
  if (said.startsWith("220")) return ok(`port ${name}`, `${host}:${number} answers: ${said}`);
  return wrong(
    `port ${name}`,
    `${host}:${number} does not answer as it should: ${said}`,
    "Read the log of the server's start.",
  );
}

/** The first line from the other side, or why none came. */
function firstWords(open: () => Socket): Promise<string> {
  return new Promise((resolve) => {
    const socket = open();
    const end = (said: string) => {
      socket.destroy();
      resolve(said.split("\r\n")[0] ?? "");
    };
    socket.setTimeout(MAX_WAIT_MS, () => end("nothing within five seconds"));
    socket.once("data", (bytes: Buffer) => end(bytes.toString("latin1")));
    socket.once("error", (error) => end(error.message));
    socket.once("close", () => end("it hung up"));
  });
}

export function lookAtAlerts(config: Config): DoctorFinding {
  const { email, webhook } = config.alerts;
  if (email.length === 0 && webhook === null)
    return note("alerts", "nobody is told when something is wrong: set [alerts] email or webhook");
  const names = [...email, ...(webhook === null ? [] : ["the webhook"])];
  return ok("alerts", `${names.join(", ")} will be told; posthorn alerts test tries it`);
}

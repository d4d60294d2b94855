// The machine: directories and their modes, room on the disk, ports, certificates.
import { X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { readCertificate } from "../../certificates/read.ts";
import { DAY_MS } from "../../clock.ts";
import { cautionsOf, compatHosts, ConfigError, ownName, speaksTls, type Config } from "../../config.ts";
import { faultOfDirectory, isThere } from "../../private-files.ts";
import { FIRST_KEYS, keyFile } from "../../secrets.ts";
import { databaseFile, privateDirectories } from "../../store/open.ts";
import { isShort, spaceOf } from "../../store/space.ts";
import { note, ok, wrong, type Finding } from "./finding.ts";

const MAX_WAIT_MS = 5_000;
const RENEW_BEFORE_MS = 14 * DAY_MS;

export function lookAtConfiguration(config: Config, file: string | null): Finding[] {
  const cautions = cautionsOf(config).map((text) => wrong("configuration", text, "Change it, then restart."));
  return cautions.length > 0 ? cautions : [ok("configuration", `is fine (${file ?? "the defaults"})`)];
}

export function lookAtDirectories(config: Config): Finding[] {
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

/** Whoever reads them has the installation. */
export function lookForFirstKeys({ data }: Config): Finding[] {
  const file = join(data.dir, FIRST_KEYS);
  return isThere(file) ? [note("first keys", `${file} still has the first keys: note them, then delete it`)] : [];
}

export function lookAtDisk(config: Config): Finding[] {
  const { path, freeBytes, totalBytes } = spaceOf(config.data.dir);
  if (freeBytes === null || totalBytes === null) return [note("disk", `${path} does not say how much room it has`)];
  const text = `${Math.round(freeBytes / 1e6)} MB of ${Math.round(totalBytes / 1e6)} MB are free at ${path}`;
  if (!isShort({ path, freeBytes, totalBytes })) return [ok("disk", text)];
  return [wrong("disk", text, "Make room: keep less ([retention]), posthorn compact, or give the disk more.")];
}

type Port = { readonly name: string; readonly host: string; readonly port: number; readonly tls: boolean };

/** `isRunning`: the server answers; else its ports must be free for it. */
export async function lookAtPorts(config: Config, isRunning: boolean): Promise<Finding[]> {
  const { http, smtp } = config;
  const ports: readonly Port[] = [
    { name: "submission", host: smtp.host, port: smtp.submissionPort, tls: false },
    { name: "submissions", host: smtp.host, port: smtp.submissionsPort, tls: true },
    { name: "inbound", host: smtp.host, port: smtp.inboundPort, tls: false },
  ].filter(({ port }) => port !== 0);
  const own = { name: "http", host: http.host, port: http.port, tls: false };
  if (!isRunning) return [own, ...ports].map(lookWhetherFree);
  return [ok("port http", `${http.host}:${http.port} answers`), ...(await Promise.all(ports.map(lookAtSmtp)))];
}

export function lookWhetherFree({ name, host, port }: Port): Finding {
  const place = `${host}:${port}`;
  try {
    Bun.listen({ hostname: host, port, socket: { data: () => undefined } }).stop(true);
    return note(`port ${name}`, `${place} is free; the server does not run`);
  } catch (error) {
    const reason = (error as { readonly code?: string }).code ?? String(error);
    return wrong(
      `port ${name}`,
      `${place} cannot be listened on (${reason})`,
      "Stop what listens there, or set another port.",
    );
  }
}

async function lookAtSmtp(port: Port): Promise<Finding> {
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

/** The first line that the other side sends, or why there is none. */
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

export async function lookAtCertificates(config: Config, nowMs: number): Promise<Finding[]> {
  const hosts = [config.http.baseUrl, ...compatHosts(config).map((name) => `https://${name}`)];
  const looked = await Promise.all(hosts.map((one) => lookAtHttps(config, one, nowMs)));
  return [lookAtSmtpCertificate(config, nowMs), ...looked];
}

function lookAtSmtpCertificate(config: Config, nowMs: number): Finding {
  const { certFile, keyFile: key } = config.smtp;
  const check = "certificate smtp";
  if (config.http.tls === "acme" && certFile === null) return note(check, "comes by ACME, as that of https");
  if (certFile === null || key === null)
    return note(check, "none is configured: Posthorn uses one of its own, which clients have to be told to trust");
  try {
    const certificate = new X509Certificate(readCertificate({ section: "smtp", certFile, keyFile: key }).cert);
    if (certificate.checkHost(ownName(config)) === undefined)
      return wrong(check, `${certFile} is not for ${ownName(config)}`, "Get one for that name, or set smtp.hostname.");
    return dated(check, certFile, Date.parse(certificate.validTo), nowMs);
  } catch (error) {
    const text = error instanceof ConfigError ? error.problems.map(({ message }) => message).join(" ") : String(error);
    return wrong(check, text, "Mend the files that smtp.cert_file and smtp.key_file name.");
  }
}

function dated(check: string, what: string, validToMs: number, nowMs: number): Finding {
  const days = Math.floor((validToMs - nowMs) / DAY_MS);
  const text = days < 0 ? `${what} ended ${-days} days ago` : `${what} is valid for ${days} days`;
  return validToMs - nowMs > RENEW_BEFORE_MS ? ok(check, text) : wrong(check, text, "Renew it.");
}

const OWN_HTTPS =
  "Read what the log says about certificates, and make sure that the name leads to http.port on this machine.";
const PROXY_HTTPS = "Make sure that the proxy in front runs, with a certificate for this name.";

async function lookAtHttps(config: Config, origin: string, nowMs: number): Promise<Finding> {
  const { protocol, hostname, port, host } = new URL(origin);
  const check = "certificate https";
  if (protocol !== "https:") return note(check, `${origin} has none`);
  const found = await certificateAt(hostname, Number(port || 443));
  if (typeof found === "string")
    return wrong(check, `${host}: ${found}`, speaksTls(config.http) ? OWN_HTTPS : PROXY_HTTPS);
  return dated(check, host, found, nowMs);
}

/** Until when the certificate there is valid, or what is wrong with it. */
function certificateAt(host: string, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const socket: TLSSocket = connectTls({ host, port, servername: host }, () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      resolve(validTo);
    });
    socket.setTimeout(MAX_WAIT_MS, () => {
      socket.destroy();
      resolve("no answer within five seconds");
    });
    socket.once("error", (error) => resolve(error.message));
  });
}

export function lookAtAlerts(config: Config): Finding {
  const { email, webhook } = config.alerts;
  if (email.length === 0 && webhook === null)
    return note("alerts", "nobody is told when something is wrong: set [alerts] email or webhook");
  const names = [...email, ...(webhook === null ? [] : ["the webhook"])];
  return ok("alerts", `${names.join(", ")} will be told; posthorn alerts test tries it`);
}

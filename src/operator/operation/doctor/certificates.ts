// The certificates that we show: in the files of the SMTP ports, and at our own addresses.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { acmeFiles } from "../../../base/certificates/acme/kept.ts";
import { readCertificate } from "../../../base/certificates/read.ts";
import { DAY_MS } from "../../../base/clock.ts";
import { compatHosts, ConfigError, DEFAULTS, ownName, speaksTls, type Config } from "../../../base/config.ts";
import { note, ok, wrong, type DoctorFinding } from "./finding.ts";

const MAX_WAIT_MS = 5_000;
const RENEW_BEFORE_MS = 14 * DAY_MS;

export async function lookAtCertificates(config: Config, nowMs: number): Promise<DoctorFinding[]> {
  const hosts = [config.http.baseUrl, ...compatHosts(config).map((name) => `https://${name}`)];
  const looked = await Promise.all(hosts.map((one) => lookAtHttps(config, one, nowMs)));
  return [lookAtSmtpCertificate(config, nowMs), ...looked];
}

function lookAtSmtpCertificate(config: Config, nowMs: number): DoctorFinding {
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

function dated(check: string, what: string, validToMs: number, nowMs: number): DoctorFinding {
  const days = Math.floor((validToMs - nowMs) / DAY_MS);
  const text = days < 0 ? `${what} ended ${-days} days ago` : `${what} is valid for ${days} days`;
  return validToMs - nowMs > RENEW_BEFORE_MS ? ok(check, text) : wrong(check, text, "Renew it.");
}

const OWN_HTTPS =
  "Read what the log says about certificates, and make sure that the name leads to http.port on this machine.";
const PROXY_HTTPS = "Make sure that the proxy in front runs, with a certificate for this name.";

async function lookAtHttps(config: Config, origin: string, nowMs: number): Promise<DoctorFinding> {
  const { protocol, hostname, port, host } = new URL(origin);
  const check = "certificate https";
  if (protocol !== "https:") return note(check, `${origin} has none`);
  const at = tlsEndpoint(hostname, Number(port || 443));
  const todo = speaksTls(config.http) ? OWN_HTTPS : PROXY_HTTPS;
  const found = await shownAt(at, true);
  if (found instanceof X509Certificate) return dated(check, host, Date.parse(found.validTo), nowMs);
  const issuer = UNKNOWN_AUTHORITY.includes(found.code) ? privateIssuer(config) : null;
  const shown = issuer === null ? found : await shownAt(at, false);
  if (!(shown instanceof X509Certificate) || shown.issuer !== issuer)
    return wrong(check, `${host}: ${found.message}`, todo);
  if ((shown.checkHost(at.host) ?? shown.checkIP(at.host)) === undefined)
    return wrong(check, `${host}: the certificate is not for it`, todo);
  const what = `${host}, by the authority of http.acme_directory, which this machine does not know,`;
  return dated(check, what, Date.parse(shown.validTo), nowMs);
}

const UNKNOWN_AUTHORITY = [
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
];

/** The issuer of our certificates by ACME, if it is not the public authority and has issued one; else null. */
function privateIssuer(config: Config): string | null {
  const files = acmeFiles(config, "http");
  if (files === null || config.http.acmeDirectory === DEFAULTS.http.acmeDirectory) return null;
  try {
    return new X509Certificate(readFileSync(files.certFile)).issuer;
  } catch {
    return null;
  }
}

type TlsEndpoint = { readonly host: string; readonly port: number; readonly servername?: string };
type TlsFault = { readonly code: string; readonly message: string };

/** SNI carries names only, never IP addresses. */
function tlsEndpoint(hostname: string, port: number): TlsEndpoint {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? { host, port, servername: host } : { host, port };
}

/** The certificate shown there, or why none can be used. `strictly`: by an authority that this machine knows. */
function shownAt(place: TlsEndpoint, strictly: boolean): Promise<X509Certificate | TlsFault> {
  return new Promise((resolve) => {
    const socket: TLSSocket = connect({ ...place, rejectUnauthorized: strictly }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw));
    });
    socket.setTimeout(MAX_WAIT_MS, () => {
      socket.destroy();
      resolve({ code: "TIMEOUT", message: "no answer within five seconds" });
    });
    socket.once("error", ({ code = "", message }: NodeJS.ErrnoException) => resolve({ code, message }));
  });
}

// The certificates that others show: those of the relays, and the one in front of our own links. Our own files are
// checked by certificates/state.ts.
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { endsSoon } from "../../base/certificates/state.ts";
import { iso } from "../../base/clock.ts";
import { speaksTls, type Config } from "../../base/config.ts";
import { connectionOptions } from "../../sending/carrier/smtp/opening.ts";
import { transportOptions } from "../../sending/open-ways/sending-options.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { WaySettings } from "../../base/config/ways.ts";
import type { WatchObservation } from "./seen.ts";

const MAX_WAIT_MS = 10_000;
/** The limit of workspace hosts in one step. */
const MOST_HOSTS = 200;

/** The validity of a certificate; null = none was shown, for a reason that is not the certificate's. */
type CertificateValidity = { readonly validFrom: string; readonly validTo: string } | { readonly fault: string } | null;

/** Where a certificate is shown: a mail server, or a site by host and port. */
export type CertificatePlace = { readonly relay: SMTPConnection.Options } | { readonly site: string };
export type AskForCertificate = (at: CertificatePlace) => Promise<CertificateValidity>;

export const askForCertificate: AskForCertificate = (at) =>
  "site" in at ? certificateOfSite(at.site) : certificateOfRelay(at.relay);

type CertificateWatchOptions = {
  readonly config: Config;
  /** The ways by which email leaves. */
  readonly ways: readonly WaySettings[];
  readonly bases: LinkBases;
  readonly ask: AskForCertificate;
};

export async function lookAtCertificates(
  { config, ask, ...asking }: CertificateWatchOptions,
  nowMs: number,
): Promise<readonly WatchObservation[]> {
  const ways = asking.ways.flatMap((way) => {
    const options = transportOptions(config, way);
    if (options.kind !== "smtp" || options.relay.tls === "none" || !options.relay.verifyCertificate) return [];
    const { host, port } = options.relay;
    const address = { ...options.relay, timeoutMs: Math.min(options.relay.timeoutMs, MAX_WAIT_MS) };
    return [{ subject: `${host}:${port}`, at: { relay: connectionOptions(address) } }];
  });
  const front = frontOf(config, asking.bases).map((site) => ({ subject: site, at: { site } }));
  return Promise.all([...ways, ...front].map(async ({ subject, at }) => seenOf(subject, await ask(at), nowMs)));
}

/** The hosts where a proxy speaks TLS for us; a certificate of our own is known from its file. */
function frontOf({ http }: Config, bases: LinkBases): readonly string[] {
  if (!http.baseUrl.startsWith("https:") || speaksTls(http)) return [];
  const used = bases.hosts.filter(({ isUsed }) => isUsed).map(({ host }) => bases.at(host));
  return [http.baseUrl, ...used.slice(0, MOST_HOSTS)].map((base) => new URL(base).host);
}

function seenOf(subject: string, shown: CertificateValidity, nowMs: number): WatchObservation {
  const seen = { aspect: "CERTIFICATE", subject, by: "", domain: null } as const;
  if (shown === null) return { ...seen, state: "UNKNOWN", detail: null };
  if ("fault" in shown) return { ...seen, state: "WRONG", detail: shown.fault };
  const [fromMs, toMs] = [Date.parse(shown.validFrom), Date.parse(shown.validTo)];
  if (Number.isNaN(toMs) || Number.isNaN(fromMs)) return { ...seen, state: "UNKNOWN", detail: null };
  return endsSoon(fromMs, toMs, nowMs)
    ? { ...seen, state: "WRONG", detail: `it ends at ${iso(toMs)}` }
    : { ...seen, state: "OK", detail: null };
}

/** Up to TLS, and without a login. */
function certificateOfRelay(options: SMTPConnection.Options): Promise<CertificateValidity> {
  const connection = new SMTPConnection(options);
  return new Promise((resolve) => {
    const end = (shown: CertificateValidity) => {
      clearTimeout(watchdog);
      connection.close();
      resolve(shown);
    };
    const watchdog = setTimeout(end, MAX_WAIT_MS, null);
    connection.on("error", (error) => end(faultIn(error)));
    connection.connect((error) =>
      end(error ? faultIn(error) : shownBy(Reflect.get(connection, "_socket") as TLSSocket)),
    );
  });
}

function certificateOfSite(place: string): Promise<CertificateValidity> {
  const { hostname, port } = new URL(`https://${place}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  // SNI carries names only, never IP addresses.
  const named = isIP(host) === 0 ? { servername: host } : {};
  return new Promise((resolve) => {
    const end = (shown: CertificateValidity) => {
      socket.destroy();
      resolve(shown);
    };
    const socket = connect({ host, port: Number(port || 443), ...named }, () => end(shownBy(socket)));
    socket.setTimeout(MAX_WAIT_MS, () => end(null));
    socket.once("error", (error) => end(faultIn(error)));
  });
}

function shownBy(socket: TLSSocket): CertificateValidity {
  const certificate = socket.getPeerCertificate();
  return certificate?.valid_to ? { validFrom: certificate.valid_from, validTo: certificate.valid_to } : null;
}

const OF_CERTIFICATES = /CERT|SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY|ALTNAME|certificate/i;

/** Only faults of the certificate: a server that does not answer is another trouble. */
function faultIn(error: Error & { readonly code?: string }): CertificateValidity {
  const isAbout = OF_CERTIFICATES.test(error.code ?? "") || OF_CERTIFICATES.test(error.message);
  return isAbout ? { fault: error.message.split("\n")[0]?.slice(0, 300) ?? "" } : null;
}

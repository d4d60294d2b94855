// Pebble, the ACME server for tests, on free ports, with a DNS in which every name points to this machine.
import { resolve } from "node:path";
import { Daemon } from "./daemon.ts";
import { freePort } from "./free-port.ts";

export const hasPebble = Bun.which("pebble") !== null && Bun.which("pebble-challtestsrv") !== null;

const CERTIFICATE = resolve("test/support/certificates/localhost.cert.pem");
/** At once, and for every order: else some pass without a proof. */
const ALWAYS_ASKS = { PEBBLE_VA_NOSLEEP: "1", PEBBLE_AUTHZREUSE: "0" };
const HERE = "127.0.0.1";

export type Pebble = AsyncDisposable & {
  /** What [http] needs to ask it. */
  readonly settings: { readonly acmeDirectory: string; readonly acmeCaFile: string };
  /** Where it asks for proofs: its port 80. */
  readonly proofPort: number;
  /** What a browser would have to trust. */
  rootCertificate(): Promise<string>;
  /** As the public DNS would. */
  nameGoesNowhere(host: string): Promise<void>;
};

/** It refuses a part of all nonces, as it does by default. */
export async function startPebble(): Promise<Pebble> {
  const [port, management, dns, dnsManagement, proofPort] = await Promise.all(Array.from({ length: 5 }, freePort));
  const names = new Daemon();
  const off = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""];
  const places = ["-dns01", `${HERE}:${dns}`, "-management", `${HERE}:${dnsManagement}`, "-defaultIPv4", HERE];
  names.start(["pebble-challtestsrv", ...off, ...places]);
  const pebble = new Daemon();
  const config = {
    ...{ listenAddress: `${HERE}:${port}`, managementListenAddress: `${HERE}:${management}` },
    ...{ certificate: CERTIFICATE, privateKey: CERTIFICATE.replace(".cert.", ".key.") },
    ...{ httpPort: proofPort, tlsPort: 1, ocspResponderURL: "", externalAccountBindingRequired: false },
  };
  const file = pebble.file("config.json", JSON.stringify({ pebble: config }));
  await names.listens({ host: HERE, port: dnsManagement as number });
  pebble.start(["pebble", "-config", file, "-dnsserver", `${HERE}:${dns}`, "-strict"], ALWAYS_ASKS);
  await pebble.listens({ host: HERE, port: port as number });
  return {
    settings: { acmeDirectory: `https://localhost:${port}/dir`, acmeCaFile: CERTIFICATE },
    proofPort: proofPort as number,
    async rootCertificate() {
      const url = `https://${HERE}:${management}/roots/0`;
      return (await fetch(url, { tls: { rejectUnauthorized: false } })).text();
    },
    async nameGoesNowhere(host) {
      const body = JSON.stringify({ host: `${host}.` });
      await fetch(`http://${HERE}:${dnsManagement}/set-servfail`, { method: "POST", body });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pebble[Symbol.asyncDispose](), names[Symbol.asyncDispose]()]);
    },
  };
}

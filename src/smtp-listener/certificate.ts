// The certificate that listeners show: from files, looked at again when they change, or one of our own in the data directory.
import { X509Certificate, createPrivateKey } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";
import { selfSigned, type Certificate } from "./self-signed.ts";

type CertificateOptions = {
  /** Paths of PEM files; null = one of our own. */
  readonly certFile: string | null;
  readonly keyFile: string | null;
  readonly dataDir: string;
  /** The name that a certificate of our own is made for. */
  readonly hostName: string;
  readonly nowMs: number;
  readonly log: Log;
};

export class CertificateSource {
  #current: Certificate;
  #seen: string;

  private constructor(
    private readonly certFile: string,
    private readonly keyFile: string,
    private readonly log: Log,
  ) {
    this.#seen = this.#state();
    this.#current = read(certFile, keyFile);
  }

  /** @throws Error in plain words if the files cannot be used */
  static open({ certFile, keyFile, dataDir, hostName, nowMs, log }: CertificateOptions): CertificateSource {
    if (certFile !== null && keyFile !== null) return new CertificateSource(certFile, keyFile, log);
    const own = { cert: join(dataDir, "smtp.cert.pem"), key: join(dataDir, "smtp.key.pem") };
    if (!existsSync(own.cert) || !existsSync(own.key)) {
      const made = selfSigned(hostName, nowMs);
      writeFileSync(own.key, made.key, { mode: 0o600 });
      writeFileSync(own.cert, made.cert);
      log.warn("made a certificate of our own for SMTP; mail programs trust one from an authority: smtp.cert_file", {
        name: hostName,
        file: own.cert,
      });
    }
    return new CertificateSource(own.cert, own.key, log);
  }

  get current(): Certificate {
    return this.#current;
  }

  /** True if there is a new certificate. One that cannot be used is complained of once; the old one stays. */
  refresh(): boolean {
    const state = this.#state();
    if (state === this.#seen) return false;
    this.#seen = state;
    try {
      this.#current = read(this.certFile, this.keyFile);
    } catch (error) {
      this.log.error("the new SMTP certificate cannot be used; the old one stays", { error });
      return false;
    }
    this.log.info("took the new SMTP certificate", { file: this.certFile });
    return true;
  }

  #state(): string {
    return [this.certFile, this.keyFile].map(changedAt).join(" ");
  }
}

function changedAt(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs}:${stats.size}:${stats.ino}` : "gone";
}

function read(certFile: string, keyFile: string): Certificate {
  const certificate = { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  const belongs = new X509Certificate(certificate.cert).checkPrivateKey(createPrivateKey(certificate.key));
  if (!belongs) throw new Error(`The key in ${keyFile} does not belong to the certificate in ${certFile}.`);
  return certificate;
}

// A certificate in files, read again when they change; and the self-signed one of the SMTP ports in the data directory.
import { X509Certificate } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { DAY_MS, type Clock } from "../clock.ts";
import { ownName, type Config } from "../config.ts";
import type { Log } from "../log.ts";
import { keepPrivate, writePrivate } from "../private-files.ts";
import { ownFiles, readCertificate, reasonOf, type CertificateFiles } from "./read.ts";
import { selfSigned, type Certificate } from "./self-signed.ts";

export class CertificateSource {
  #current: Certificate;
  #seen: string;

  /** @throws ConfigError if the files cannot be used */
  constructor(
    private readonly files: CertificateFiles,
    private readonly log: Log,
  ) {
    this.#seen = this.#state();
    this.#current = readCertificate(files);
  }

  get current(): Certificate {
    return this.#current;
  }

  /**
   * True if the files have changed and hold another certificate. An unusable certificate is logged once; the old one
   * stays.
   */
  refresh(): boolean {
    const state = this.#state();
    if (state === this.#seen) return false;
    this.#seen = state;
    return this.#read();
  }

  /** As `refresh`, whether the files look changed or not. */
  readAgain(): boolean {
    this.#seen = this.#state();
    return this.#read();
  }

  #read(): boolean {
    const { cert, key } = this.#current;
    const { section, certFile } = this.files;
    const what = `${section.toUpperCase()} certificate`;
    try {
      this.#current = readCertificate(this.files);
    } catch (error) {
      this.log.error(`the new ${what} cannot be used; the old one stays`, { reason: reasonOf(error) });
      return false;
    }
    if (this.#current.cert === cert && this.#current.key === key) return false;
    this.log.info(`loaded the new ${what}`, { file: certFile });
    return true;
  }

  #state(): string {
    return [this.files.certFile, this.files.keyFile].map(changedAt).join(" ");
  }
}

/** A start makes a new certificate this long before the end of the old one. */
const RENEWED_BEFORE_MS = 90 * DAY_MS;

/**
 * The self-signed certificate of the SMTP ports; made where it is missing, broken, for another name, or about to end.
 */
export function ownCertificate(config: Config, { clock, log }: { clock: Clock; log: Log }): CertificateSource {
  const [own, hostName, nowMs] = [ownFiles(config), ownName(config), clock.nowMs()];
  if (!isFor(own, [hostName], nowMs + RENEWED_BEFORE_MS)) {
    const made = selfSigned(hostName, nowMs);
    writePrivate(own.keyFile, made.key);
    writeFileSync(own.certFile, made.cert);
    log.warn("created a self-signed certificate for SMTP; mail programs trust one from an authority: smtp.cert_file", {
      name: hostName,
      file: own.certFile,
    });
  }
  keepPrivate(own.keyFile);
  return new CertificateSource(own, log);
}

function changedAt(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs}:${stats.size}:${stats.ino}` : "gone";
}

/** Whether a certificate is there, whole, and good for those names. */
export function isFor(files: CertificateFiles, names: readonly string[], nowMs: number): boolean {
  try {
    const certificate = new X509Certificate(readCertificate(files).cert);
    const isNamed = (name: string) =>
      isIP(name) ? certificate.checkIP(name) : certificate.checkHost(domainToASCII(name));
    return names.every((name) => isNamed(name) !== undefined) && Date.parse(certificate.validTo) > nowMs;
  } catch {
    return false;
  }
}

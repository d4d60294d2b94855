// The certificate of the listeners: from files, reloaded when they change, or a self-signed one in the data directory.
import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { domainToASCII } from "node:url";
import { iso } from "../clock.ts";
import { ConfigError } from "../config.ts";
import type { Log } from "../log.ts";
import { keepPrivate, writePrivate } from "../private-files.ts";
import { selfSigned, type Certificate } from "./self-signed.ts";

export type CertificateFacts = {
  readonly subject: string;
  readonly issuer: string;
  readonly validTo: string;
  readonly isSelfSigned: boolean;
};

/** The names on one line each. */
export function factsOf({ cert }: Certificate): CertificateFacts {
  const { subject, issuer, validTo } = new X509Certificate(cert);
  const onOneLine = (name: string) => name.replaceAll("\n", ", ");
  const isSelfSigned = subject === issuer;
  return {
    subject: onOneLine(subject),
    issuer: onOneLine(issuer),
    validTo: iso(Date.parse(validTo)),
    isSelfSigned,
  };
}

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
    this.#current = readCertificate(certFile, keyFile);
  }

  /** @throws ConfigError if the files cannot be used */
  static open({ certFile, keyFile, dataDir, hostName, nowMs, log }: CertificateOptions): CertificateSource {
    if (certFile !== null && keyFile !== null) return new CertificateSource(certFile, keyFile, log);
    const own = { cert: join(dataDir, "smtp.cert.pem"), key: join(dataDir, "smtp.key.pem") };
    if (!isFor(own, hostName, nowMs)) {
      const made = selfSigned(hostName, nowMs);
      writePrivate(own.key, made.key);
      writeFileSync(own.cert, made.cert);
      log.warn(
        "created a self-signed certificate for SMTP; mail programs trust one from an authority: smtp.cert_file",
        {
          name: hostName,
          file: own.cert,
        },
      );
    }
    keepPrivate(own.key);
    return new CertificateSource(own.cert, own.key, log);
  }

  get current(): Certificate {
    return this.#current;
  }

  /** True if the files have changed and hold another certificate. One that cannot be used is logged once; the old one stays. */
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
    try {
      this.#current = readCertificate(this.certFile, this.keyFile);
    } catch (error) {
      this.log.error("the new SMTP certificate cannot be used; the old one stays", { reason: reasonOf(error) });
      return false;
    }
    if (this.#current.cert === cert && this.#current.key === key) return false;
    this.log.info("loaded the new SMTP certificate", { file: this.certFile });
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

/** Whether one of our own is there, whole, and good for that name. */
function isFor(own: { readonly cert: string; readonly key: string }, hostName: string, nowMs: number): boolean {
  try {
    const certificate = new X509Certificate(readCertificate(own.cert, own.key).cert);
    const named = isIP(hostName) ? certificate.checkIP(hostName) : certificate.checkHost(domainToASCII(hostName));
    return named !== undefined && Date.parse(certificate.validTo) > nowMs;
  } catch {
    return false;
  }
}

/** On one line, for the log. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ConfigError)) return (error as Error).message;
  return error.problems.map(({ key, message }) => `${key}: ${message}`).join("; ");
}

/** As TLS will take them, with what follows the certificate. @throws ConfigError that names the key */
export function readCertificate(certFile: string, keyFile: string): Certificate {
  const cert = textOf("smtp.cert_file", certFile);
  const key = textOf("smtp.key_file", keyFile);
  const found = attempt("smtp.cert_file", `${certFile} contains no certificate (PEM)`, () => new X509Certificate(cert));
  const privateKey = attempt("smtp.key_file", `${keyFile} contains no private key (PEM, without a passphrase)`, () =>
    createPrivateKey(key),
  );
  if (!found.checkPrivateKey(privateKey))
    throw fault("smtp.key_file", `the key in ${keyFile} does not belong to the certificate in ${certFile}`);
  attempt("smtp.cert_file", `the certificates after the first one in ${certFile} are not a chain`, () =>
    createSecureContext({ cert, key }),
  );
  return { cert, key };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a directory",
};

function textOf(configKey: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as { code?: string };
    throw fault(configKey, `${path} cannot be read: ${REASONS[code] ?? code}`);
  }
}

function attempt<T>(configKey: string, words: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw fault(configKey, words);
  }
}

function fault(key: string, message: string): ConfigError {
  return new ConfigError([{ key, message }]);
}

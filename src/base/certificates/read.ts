// Reads a certificate and its key from files, and puts their faults into words.
import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { iso } from "../clock.ts";
import { ConfigError, type Config } from "../config.ts";
import { ABOUT_RIGHTS } from "../private-files.ts";
import type { Certificate } from "./self-signed.ts";

/** The files of a certificate, and the section of the configuration that names them. */
export type CertificateFiles = {
  readonly section: "smtp" | "http";
  readonly certFile: string;
  readonly keyFile: string;
};

/** The files that the configuration names; null = none. */
export function filesOf(config: Config, section: CertificateFiles["section"]): CertificateFiles | null {
  const { certFile, keyFile } = config[section];
  return certFile !== null && keyFile !== null ? { section, certFile, keyFile } : null;
}

/** The self-signed one of the SMTP ports. */
export function ownFiles({ data }: Config): CertificateFiles {
  const [certFile, keyFile] = ["smtp.cert.pem", "smtp.key.pem"].map((name) => join(data.dir, name)) as [string, string];
  return { section: "smtp", certFile, keyFile };
}

export type CertificateFacts = {
  readonly subject: string;
  readonly issuer: string;
  readonly validTo: string;
  readonly isSelfSigned: boolean;
};

/** The names are on one line each. */
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

/** The certificate as TLS will take it, with its chain. @throws ConfigError that names the key */
export function readCertificate({ section, certFile, keyFile }: CertificateFiles): Certificate {
  const [certKey, keyKey] = [`${section}.cert_file`, `${section}.key_file`];
  const cert = pemText(certKey, certFile);
  const key = pemText(keyKey, keyFile);
  const found = attempt(certKey, `${certFile} contains no certificate (PEM)`, () => new X509Certificate(cert));
  const privateKey = attempt(keyKey, `${keyFile} contains no private key (PEM, without a passphrase)`, () =>
    createPrivateKey(key),
  );
  if (!found.checkPrivateKey(privateKey))
    throw fault(keyKey, `the key in ${keyFile} does not belong to the certificate in ${certFile}`);
  attempt(certKey, `the certificates after the first one in ${certFile} are not a chain`, () =>
    createSecureContext({ cert, key }),
  );
  return { cert, key };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: `this user may not read it (${ABOUT_RIGHTS})`,
  EISDIR: "it is a directory",
};

function pemText(configKey: string, path: string): string {
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

/** Why the certificate cannot be used, on one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ConfigError)) return (error as Error).message;
  return error.problems.map(({ key, message }) => `${key}: ${message}`).join("; ");
}

// The certificates of workspaces' own hosts: one per host, so that none names another host, and a failed order does not
// hold up the renewal of the others.
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { readCertificate, type CertificateFiles } from "../read.ts";

/** In the data directory. */
const FOLDER = "hosts";
const ENDING = ".pem";

type Data = Pick<Config, "data">;

/** Certificate and key are in one file, so that they change together. */
export function hostFiles({ data }: Data, host: string): CertificateFiles {
  const file = join(data.dir, FOLDER, `${host}${ENDING}`);
  return { section: "http", certFile: file, keyFile: file };
}

export function makeHostFolder({ data }: Data): void {
  mkdirSync(join(data.dir, FOLDER), { recursive: true, mode: 0o700 });
}

export function forgetHostFiles(config: Data, host: string): void {
  rmSync(hostFiles(config, host).certFile, { force: true });
}

/** The hosts that have a file. */
export function hostsWithFiles({ data }: Data): readonly string[] {
  try {
    const names = readdirSync(join(data.dir, FOLDER));
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .toSorted();
  } catch {
    return [];
  }
}

export type NamedCertificate = { readonly serverName: string; readonly cert: string; readonly key: string };

/** The certificates by host name that the HTTPS port shows besides its own; read again when they change. */
export class HostCertificates {
  readonly #config: Data;
  #seen = "";
  #current: readonly NamedCertificate[] = [];

  constructor(config: Data) {
    this.#config = config;
    this.refresh();
  }

  get current(): readonly NamedCertificate[] {
    return this.#current;
  }

  /** True if the certificates have changed. An unreadable one is left out. */
  refresh(): boolean {
    const hosts = hostsWithFiles(this.#config);
    const seen = hosts.map((host) => `${host} ${changedAt(hostFiles(this.#config, host).certFile)}`).join();
    if (seen === this.#seen) return false;
    this.#seen = seen;
    this.#current = hosts.flatMap((host) => {
      try {
        return [{ serverName: host, ...readCertificate(hostFiles(this.#config, host)) }];
      } catch {
        return [];
      }
    });
    return true;
  }
}

function changedAt(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs}:${stats.size}` : "";
}

// The certificates of the hosts that workspaces have to themselves: one each, so that none names another, and so that one
// that cannot be had keeps none from being renewed.
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { readCertificate, type CertificateFiles } from "../read.ts";

/** In the data directory. */
const FOLDER = "hosts";
const ENDING = ".pem";

type Data = Pick<Config, "data">;

/** Certificate and key are in one file, so that they change at once. */
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

/** Those for which there is a file. */
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

/** What the port of HTTPS shows by name, besides its own certificate; read again when it changes. */
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

  /** True if there are others than before. One that cannot be read is left out. */
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

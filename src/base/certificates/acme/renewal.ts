// Gets the certificate by ACME and renews it: when it is due, how long to wait after a failure, what to report to the
// operator.
import { NOTHING_DUE } from "../../jobs/due.ts";
import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { HOUR_MS, iso, type Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { LoopSpec } from "../../jobs/loops.ts";
import type { Log } from "../../log.ts";
import { factsOf, readCertificate, type CertificateFiles } from "../read.ts";
import { selfSigned } from "../self-signed.ts";
import { isFor } from "../source.ts";
import { Authority, AcmeRefusal } from "./authority.ts";
import {
  acmeFiles,
  keep,
  keepCertificate,
  namesOf,
  newKey,
  pemOf,
  readKept,
  wantedOf,
  type AcmeState,
} from "./kept.ts";
import { obtain } from "./order.ts";
import { PlainPort, type Hosts } from "./plain-port.ts";
import { reasonOf } from "./words.ts";

/** Let's Encrypt allows five failures an hour for a name. */
const PAUSES_MS = [1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS);

type RenewalOptions = { readonly config: Config; readonly clock: Clock; readonly log: Log };

export class Renewal {
  readonly #plainPort: PlainPort;
  readonly #stopped = Promise.withResolvers<void>();
  #isAsked = false;

  /** A self-signed certificate is shown until the first one is there: the start does not wait for the authority. */
  constructor(
    private readonly around: RenewalOptions,
    hosts: Hosts | null = null,
  ) {
    const { config, clock, log } = around;
    this.#plainPort = new PlainPort(config, log, hosts);
    this.#plainPort.open();
    if (this.#files === null || isFor(this.#files, [], clock.nowMs())) return;
    const [name = ""] = this.#names;
    const { cert, key } = selfSigned(name, clock.nowMs());
    keepCertificate(this.#files, cert, key);
    log.warn("a self-signed certificate is shown until the first one comes by ACME", { names: this.#names.join(" ") });
  }

  /** Owners may change the address of the server. */
  get #names(): readonly string[] {
    return namesOf(this.around.config);
  }

  get loop(): LoopSpec {
    return { name: "renewing certificates", step: async () => this.#look(), mayTakeLong: true };
  }

  /** Makes the next check try again, whenever the last attempt failed. */
  tryAgain(): void {
    this.#isAsked = true;
  }

  stop(): Promise<void> {
    this.#stopped.resolve();
    return this.#plainPort.stop();
  }

  get #files(): CertificateFiles | null {
    return acmeFiles(this.around.config, "http");
  }

  async #look(): Promise<number> {
    this.#plainPort.open();
    const { config, clock } = this.around;
    const nowMs = clock.nowMs();
    const files = this.#files;
    if (files === null || !isDue(files, this.#names, nowMs)) return NOTHING_DUE;
    const kept = readKept(config.data.dir);
    const isSame = kept.tried === wantedOf(config);
    if (isSame && nowMs < kept.nextTryMs && !this.#isAsked) return NOTHING_DUE;
    this.#isAsked = false;
    // The end of the process does not wait for the authority.
    await Promise.race([this.#attempt(files, isSame ? kept : { ...kept, failures: 0 }), this.#stopped.promise]);
    return isDue(files, this.#names, nowMs) ? NOTHING_DUE : 0;
  }

  /** The state is kept before the attempt as well: a process that is killed during it has tried. */
  async #attempt(files: CertificateFiles, kept: AcmeState): Promise<void> {
    const { config, clock, log } = this.around;
    const tried = wantedOf(config);
    const failed = (retryAfterMs: number, fault: string | null): AcmeState => {
      const pauseMs = Math.max(PAUSES_MS[Math.min(kept.failures, PAUSES_MS.length - 1)] ?? HOUR_MS, retryAfterMs);
      return { ...kept, tried, failures: kept.failures + 1, nextTryMs: clock.nowMs() + pauseMs, fault };
    };
    keep(config.data.dir, failed(0, kept.fault));
    const names = this.#names.join(" ");
    try {
      await this.#obtain(files, this.#names, kept);
      keep(config.data.dir, { ...kept, tried, failures: 0, nextTryMs: 0, fault: null });
      log.info("got a certificate by ACME", { names, validTo: factsOf(readCertificate(files)).validTo });
    } catch (error) {
      const reason = reasonOf(error);
      const later = failed(error instanceof AcmeRefusal ? (error.retryAfterMs ?? 0) : 0, reason);
      keep(config.data.dir, later);
      const again = `It is tried again at ${iso(later.nextTryMs)}, or after SIGHUP.`;
      log.error(`no certificate for ${names}: ${reason}. ${again}`);
    }
  }

  /**
   * Gets a certificate for another name, by the same account and the same port. @throws Refusal, Unproven, or Error if
   * the authority cannot be reached
   */
  async obtainFor(files: CertificateFiles, name: string): Promise<void> {
    const work = this.#obtain(files, [name], readKept(this.around.config.data.dir));
    work.catch(() => undefined);
    await Promise.race([work, this.#stopped.promise]);
  }

  async #obtain(files: CertificateFiles, names: readonly string[], { accountKey }: AcmeState): Promise<void> {
    const { acmeDirectory, acmeEmail, acmeCaFile } = this.around.config.http;
    const ca = acmeCaFile === null ? null : readFileSync(acmeCaFile, "utf8");
    const account = { key: createPrivateKey(accountKey), ca, email: acmeEmail };
    const authority = await Authority.open(acmeDirectory, account);
    const key = newKey();
    const show = (token: string, answer: string) => this.#plainPort.show(token, answer);
    keepCertificate(files, await obtain(authority, { names, key, show }), pemOf(key));
  }
}

/** Due: a certificate that no authority issued, that lacks a name, or is in the last third of its validity. */
export function isDue(files: CertificateFiles, names: readonly string[], nowMs: number): boolean {
  if (!isFor(files, names, nowMs)) return true;
  const certificate = readCertificate(files);
  const { validFrom, validTo } = new X509Certificate(certificate.cert);
  const [fromMs, toMs] = [Date.parse(validFrom), Date.parse(validTo)];
  return factsOf(certificate).isSelfSigned || nowMs > toMs - (toMs - fromMs) / 3;
}

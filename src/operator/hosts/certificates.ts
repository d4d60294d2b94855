// Certificates by ACME for the hosts of workspaces: ordered only where a host leads here, one at a time, and seldom.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { SlidingLimit } from "../../base/brakes/sliding-limit.ts";
import { acmeFiles } from "../../base/certificates/acme/kept.ts";
import { forgetHostFiles, hostFiles, hostsWithFiles, makeHostFolder } from "../../base/certificates/acme/hosts.ts";
import { isDue } from "../../base/certificates/acme/renewal.ts";
import { reasonOf } from "../../base/certificates/acme/words.ts";
import type { CertificateFiles } from "../../base/certificates/read.ts";
import { HOUR_MS, iso, MINUTE_MS } from "../../base/clock.ts";
import { HOSTS, type HostContext } from "./check.ts";
import { hostsToCertify, setTried, type Host } from "./queries.ts";

/** Gets a certificate for a name into these files. @throws if none can be had */
export type Obtain = (files: CertificateFiles, name: string) => Promise<void>;

/** As for the certificate of the installation: an authority allows five failures an hour for a name. */
const PAUSES_MS = [1, 2, 4, 8, 24].map((hours) => hours * HOUR_MS);
/** The limit of all hosts together: an authority counts the orders of an account. */
const MOST_AN_HOUR = 20;

export class HostCertification {
  readonly #context: HostContext;
  readonly #obtain: Obtain;
  readonly #limit = new SlidingLimit(MOST_AN_HOUR, HOUR_MS);

  constructor(context: HostContext, obtain: Obtain) {
    this.#context = context;
    this.#obtain = obtain;
  }

  /** Handles one host whose certificate is due; answers how long until the next step. */
  async step(): Promise<number> {
    const { store, config } = this.#context;
    if (acmeFiles(config, "http") === null) return NOTHING_DUE;
    const hosts = await store.read(hostsToCertify);
    this.#forget(hosts);
    const nowMs = store.clock.nowMs();
    const due = hosts.find((one) => this.#isDue(one, nowMs));
    if (due === undefined || !this.#limit.take("authority", store.clock.monotonicMs()).allowed) return MINUTE_MS;
    await this.#attempt(due);
    return 0;
  }

  #isDue({ host, tryAt }: Host, nowMs: number): boolean {
    return (
      (tryAt === null || Date.parse(tryAt) <= nowMs) && isDue(hostFiles(this.#context.config, host), [host], nowMs)
    );
  }

  /** Noted before as well: a process that is killed at it has tried. */
  async #attempt({ seq, host, tries, certificateFault }: Host): Promise<void> {
    const { store, config, log } = this.#context;
    const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? HOUR_MS;
    const later = { tries: tries + 1, tryAt: iso(store.clock.nowMs() + pauseMs) };
    await store.write((tx) => setTried(tx, seq, { ...later, fault: certificateFault }));
    makeHostFolder(config);
    try {
      await this.#obtain(hostFiles(config, host), host);
      log.info("got a certificate for a host of links", { host });
      // Also after a success: by a wrong clock, each new certificate would be due immediately.
      await this.#note(seq, { tries: 0, tryAt: iso(store.clock.nowMs() + HOUR_MS), fault: null });
    } catch (error) {
      const fault = reasonOf(error);
      log.warn("no certificate for a host of links", { host, fault, again: later.tryAt });
      await this.#note(seq, { ...later, fault });
    }
  }

  #note(seq: number, tried: Parameters<typeof setTried>[2]): Promise<void> {
    return this.#context.store.write(async (tx) => {
      await setTried(tx, seq, tried);
      tx.signal(HOSTS);
    });
  }

  #forget(hosts: readonly Host[]): void {
    const { config, bases } = this.#context;
    const known = new Set([...hosts, ...bases.hosts].map(({ host }) => host));
    for (const host of hostsWithFiles(config)) if (!known.has(host)) forgetHostFiles(config, host);
  }
}

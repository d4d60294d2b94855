// Checks that a host leads here, may be used by its workspace, and has a certificate; and draws the conclusions.
import { isIP } from "node:net";
import { isFor } from "../../base/certificates/source.ts";
import { acmeFiles } from "../../base/certificates/acme/kept.ts";
import { hostFiles } from "../../base/certificates/acme/hosts.ts";
import { filesOf } from "../../base/certificates/read.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { DnsError, type Resolver } from "../../base/dns.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Log } from "../../base/log.ts";
import type { HostProblem, HostProblemCode } from "./problems.ts";
import { faultAt, type ProofOptions } from "./proof.ts";
import {
  claimOf,
  deleteHost,
  hostBySeq,
  lockHost,
  releaseHost,
  setLooked,
  verifiedDomains,
  type Host,
} from "./queries.ts";

export type HostContext = ProofOptions & {
  readonly store: Store;
  readonly config: Config;
  readonly bases: LinkBases;
  readonly resolver: Resolver;
  readonly log: Log;
};

/** `WAITS`: it leads here, and its certificate is yet to come. `UNKNOWN`: nothing new is known. */
export type HostFinding = {
  readonly state: "OK" | "WAITS" | "WRONG" | "UNKNOWN";
  readonly problem: HostProblem | null;
};

/** Signalled when a host begins or ceases to lead here. */
export const HOSTS = "hosts of links";
const OK: HostFinding = { state: "OK", problem: null };

/** The TXT record that proves a host where no sender domain does. */
export function proofRecord({ host, workspaceId }: Pick<Host, "host" | "workspaceId">) {
  return { name: `_posthorn.${host}`, value: `posthorn-workspace=${workspaceId}` };
}

export async function hostFinding(context: HostContext, host: Host): Promise<HostFinding> {
  try {
    return (await withoutProof(context, host)) ?? (await lookWhereItLeads(context, host));
  } catch (error) {
    if (error instanceof DnsError) return { state: "UNKNOWN", problem: null };
    throw error;
  }
}

/** Null = the workspace may use the host: control of a sender domain covers the hosts below it. */
async function withoutProof({ store, resolver }: HostContext, row: Host): Promise<HostFinding | null> {
  const { host, workspace } = row;
  const domains = await store.read((reader) => verifiedDomains(reader, workspace));
  if (domains.some((domain) => host === domain || host.endsWith(`.${domain}`))) return null;
  const { name, value } = proofRecord(row);
  return (await resolver.txt(name)).includes(value) ? null : wrong("proof_missing", { host, name, value });
}

async function lookWhereItLeads(context: HostContext, { host, certificateFault }: Host): Promise<HostFinding> {
  const { resolver, bases, config } = context;
  const target = new URL(bases.own).hostname;
  const [ours, found] = [await addressesOf(resolver, target), await addressesOf(resolver, host)];
  if (found.length === 0) return wrong("no_address", { host, target });
  const isOurs = found.every((address) => ours.includes(address));
  const shown = certificateFor(config, host);
  if (shown === null) return answering(context, { host, own: isOurs ? found : null, base: bases.at(host) });
  if (!isOurs) {
    // The authority connects there, too; the certificate is yet to come.
    const fault = await faultAt({ base: `http://${host}`, own: null }, context);
    if (fault !== null) return wrong("elsewhere", { host, found: found.join(", "), target });
  }
  if (shown === "THERE") return OK;
  if (config.http.tls !== "acme") return wrong("certificate_missing", { host });
  const reason = certificateFault;
  return reason === null
    ? { state: "WAITS", problem: { code: "certificate_waits", values: { host } } }
    : { state: "WAITS", problem: { code: "certificate_refused", values: { host, reason } } };
}

type HostProbe = { readonly host: string; readonly own: readonly string[] | null; readonly base: string };

/** Where TLS ends elsewhere, only a whole request shows that the host works. Plain HTTP is known by its address. */
async function answering(context: HostContext, { host, own, base }: HostProbe): Promise<HostFinding> {
  if (own !== null && base.startsWith("http:")) return OK;
  const reason = await faultAt({ base, own }, context);
  return reason === null ? OK : wrong("not_answering", { host, reason });
}

/** Null = we show no certificate ourselves. */
function certificateFor(config: Config, host: string): "THERE" | "MISSING" | null {
  const files = filesOf(config, "http") ?? (acmeFiles(config, "http") && hostFiles(config, host));
  if (files === null) return null;
  return isFor(files, [host], 0) ? "THERE" : "MISSING";
}

async function addressesOf(resolver: Resolver, name: string): Promise<readonly string[]> {
  const bare = name.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return [bare];
  const [four, six] = await Promise.all([resolver.find(bare, "A"), resolver.find(bare, "AAAA")]);
  return [...four.records, ...six.records];
}

function wrong(code: HostProblemCode, values: HostProblem["values"]): HostFinding {
  return { state: "WRONG", problem: { code, values } };
}

/** One failed check may be a hiccup of the network. */
const MISSES_TO_FAIL = 2;
const AGAIN_MS = 10 * MINUTE_MS;
/** A new or failing host is checked hourly for so long. */
const HOURLY_FOR_MS = 7 * DAY_MS;
/** Links lead nowhere by then, and a new workspace may want the name. */
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;

/** Stores the finding of a check, and what follows from it for the host. */
export async function conclude(tx: Tx, context: HostContext, { seq, begunAt, found }: HostConclusion): Promise<void> {
  await lockHost(tx, seq);
  const host = await hostBySeq(tx, seq);
  if (!host || (host.checkedAt !== null && host.checkedAt > begunAt)) return;
  const isProven = found.state === "OK" || found.state === "WAITS";
  const isTaken = isProven && (await isOthers(tx, host));
  const next = after(host, isTaken ? wrong("taken", { host: host.host }) : found, tx.nowMs);
  if (isForgotten(host, next, tx.nowMs)) await deleteHost(tx, seq);
  else await setLooked(tx, { ...next, seq, begunAt, nextCheckAt: iso(tx.nowMs + waitMs(host, next, tx.nowMs)) });
  if (isSame(host, next)) return;
  tx.signal(HOSTS);
  announceHost(tx, context.log, host, next);
}

type HostConclusion = { readonly seq: number; readonly begunAt: string; readonly found: HostFinding };
type HostUpdate = Pick<Host, "verifiedAt" | "isReady" | "failingSince" | "misses" | "problem">;

function after(host: Host, { state, problem }: HostFinding, nowMs: number): HostUpdate {
  const { verifiedAt, isReady, failingSince, misses } = host;
  if (state === "UNKNOWN") return { verifiedAt, isReady, failingSince, misses, problem: host.problem };
  if (state === "WRONG") {
    const count = misses + 1;
    const isFailing = verifiedAt !== null && (failingSince !== null || count >= MISSES_TO_FAIL);
    return {
      verifiedAt,
      isReady,
      misses: count,
      problem,
      failingSince: isFailing ? (failingSince ?? iso(nowMs)) : null,
    };
  }
  return { verifiedAt: verifiedAt ?? iso(nowMs), isReady: state === "OK", failingSince: null, misses: 0, problem };
}

function isSame(before: Host, { verifiedAt, isReady, failingSince }: HostUpdate): boolean {
  return before.verifiedAt === verifiedAt && before.isReady === isReady && before.failingSince === failingSince;
}

/** True if another workspace holds the host. A holder that can no longer prove it gives way to one that can. */
async function isOthers(tx: Tx, { host, workspace }: Host): Promise<boolean> {
  const claim = await claimOf(tx, host);
  if (!claim || claim.workspace === workspace) return false;
  if (isHeld(claim)) return true;
  await (claim.isCurrent ? releaseHost(tx, claim.seq) : deleteHost(tx, claim.seq));
  return false;
}

/**
 * True if the verified host is closed to other workspaces. Without proof it is not: its domain may have moved to
 * another workspace.
 */
export function isHeld({ failingSince, problem }: Host): boolean {
  return failingSince === null || problem?.code !== "proof_missing";
}

function isForgotten({ isCurrent }: Host, { failingSince }: HostUpdate, nowMs: number): boolean {
  return !isCurrent && failingSince !== null && Date.parse(failingSince) < nowMs - FORGOTTEN_AFTER_MS;
}

/** Up to a tenth less, so that checks spread out. */
function waitMs({ createdAt }: Host, next: HostUpdate, nowMs: number): number {
  if (next.verifiedAt !== null && next.failingSince === null && next.misses > 0) return AGAIN_MS;
  if (next.verifiedAt !== null && !next.isReady) return AGAIN_MS;
  const since = next.failingSince ?? (next.verifiedAt === null ? createdAt : null);
  const isAwaited = since !== null && nowMs - Date.parse(since) < HOURLY_FOR_MS;
  return (isAwaited ? HOUR_MS : DAY_MS) * (0.9 + 0.1 * Math.random());
}

function announceHost(tx: Tx, log: Log, { host, failingSince }: Host, next: HostUpdate): void {
  if (next.failingSince !== null && failingSince === null)
    tx.afterCommit(() => log.warn("a host of links does not lead here any more; new links do not name it", { host }));
  else if (next.isReady && next.failingSince === null)
    tx.afterCommit(() => log.info("a host of links leads here", { host }));
}

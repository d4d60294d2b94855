// `posthorn consent verify`: proves that the ledger of consent is unchanged, here or in a backup.
import { mkdirSync, rmSync } from "node:fs";
import { unpacked } from "../../../operator/backup/archive.ts";
import { manifestToRestore, PARTS } from "../../../operator/backup/restore.ts";
import { workFolder } from "../../../operator/backup/work-folder.ts";
import { systemClock } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { signerOfHeads } from "../../../audience/consent/chain.ts";
import { verifyGoesOn, verifyLedgers, type LedgerVerdict } from "../../../audience/consent/verify.ts";
import { isThere } from "../../../base/private-files.ts";
import type { Signer } from "../../../base/secrets.ts";
import { databaseFile, openStore } from "../../../store/open.ts";
import type { LedgerEnd } from "../../../store/sqlite/snapshot.ts";
import { archiveOf, OPENER_OPTIONS, openerOf } from "../stores/backup.ts";
import { inStore, logOf, secretsOf, type CliGround } from "../beside.ts";
import { grouped, ProgressLine } from "../progress.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const CONSENT_VERIFY: Verb = {
  name: "consent verify",
  summary: "Proves that no row of the ledger of consent was changed, removed or added; exit code 1 if one was",
  notes: [
    "The server may be running. With --from, it verifies the ledger in a backup, and that the ledger here still has the last",
    "row of the backup. The key that it names is the same for the whole life of an installation.",
  ],
  options: {
    from: { value: "FILE", help: "A backup: a path, s3://bucket/name with the credentials in [backup], or -" },
    ...OPENER_OPTIONS,
    ...JSON_OPTION,
  },
  run: verify,
};

type LedgerVerdicts = { readonly key: string; readonly verdicts: readonly LedgerVerdict[] };

async function verify(call: VerbCall): Promise<number> {
  const from = call.text("from");
  const { key, verdicts } =
    from === undefined ? await inStore(call, (place) => verifiedIn(call, place)) : await ofBackup(call, from);
  if (call.flag("json"))
    call.io.out(
      JSON.stringify({ key, workspaces: verdicts.map((one) => ({ ...one, whole: one.faults.length === 0 })) }),
    );
  else
    for (const line of [...verdicts.flatMap(linesOf), `The heads are signed by the Ed25519 key ${key}.`])
      call.io.out(line);
  return verdicts.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

async function verifiedIn(call: VerbCall, place: Omit<CliGround, "kept">): Promise<LedgerVerdicts> {
  const signer = signerOfHeads(await secretsOf(place));
  const progress = new ProgressLine(call.io, systemClock);
  const showRows = ({ name }: { readonly name: string }, rows: number) =>
    progress.at(`${name}: ${grouped(rows)} rows read`);
  const verdicts = await verifyLedgers(place.store, signer, showRows).finally(() => progress.end());
  return { key: signer.publicKey, verdicts };
}

async function ofBackup(call: VerbCall, from: string): Promise<LedgerVerdicts> {
  const config = call.config();
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  const folder = workFolder(config.data.dir, "restore");
  try {
    await unpacked(archiveOf(from, config)(), openerOf(call, config), { folder, wanted: PARTS });
    const { consent = [] } = manifestToRestore(config, folder);
    const there: Config = {
      ...config,
      data: { ...config.data, dir: folder },
      database: { ...config.database, url: null },
      secrets: { ...config.secrets, key: null },
    };
    const log = logOf(call);
    const { store } = await openStore(there, { clock: systemClock, log, opening: "use" });
    const found = await verifiedIn(call, { store, config: there, log }).finally(() => store.close());
    const verified = { ...found, verdicts: found.verdicts.map((one) => asInManifest(one, consent)) };
    return isHere(config) ? await inStore(call, (place) => andGoesOn(place, verified)) : verified;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function asInManifest(verdict: LedgerVerdict, ends: readonly LedgerEnd[]): LedgerVerdict {
  const end = ends.find(({ workspace }) => workspace === verdict.workspace.id);
  if (end === undefined || end.hash === verdict.head?.hash) return verdict;
  const fault = `The manifest of the backup names a different end: row ${end.number} of ${end.at.slice(0, 10)}.`;
  return { ...verdict, faults: [...verdict.faults, fault] };
}

function isHere(config: Config): boolean {
  const file = databaseFile(config);
  return file === null || isThere(file);
}

/** A forged backup is signed by another key. */
async function andGoesOn(place: CliGround, { key, verdicts }: LedgerVerdicts): Promise<LedgerVerdicts> {
  const signer: Signer = signerOfHeads(await secretsOf(place));
  const faultsOf = async (verdict: LedgerVerdict) =>
    signer.publicKey === key
      ? verifyGoesOn(place.store, verdict)
      : [`The backup is signed with a different key. This installation's key is ${signer.publicKey}.`];
  const more = await Promise.all(verdicts.map(faultsOf));
  return { key, verdicts: verdicts.map((one, at) => ({ ...one, faults: [...one.faults, ...(more[at] ?? [])] })) };
}

function linesOf({ workspace, rows, erased, head, heads, faults }: LedgerVerdict): string[] {
  const { name } = workspace;
  if (faults.length > 0)
    return [`WRONG  ${name}: ${counted(rows, "row")}`, ...faults.map((fault) => `       → ${fault}`)];
  if (head === null) return [`ok     ${name}: the ledger is empty`];
  const gone = erased > 0 ? `, ${grouped(erased)} of them erased with their people` : "";
  const signed = `${counted(heads, "signed head")}, the last of ${head.at}`;
  return [`ok     ${name}: ${counted(rows, "row")}, whole${gone}; ${signed}`];
}

function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;
}

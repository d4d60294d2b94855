// `posthorn backup`, `backups` and `restore`: a copy of everything, made beside a running server, and back.
import { createReadStream, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Opener, Seal } from "../../../operator/backup/archive.ts";
import { startBackup } from "../../../operator/backup/backup.ts";
import type { BackupTarget } from "../../../operator/backup/backup-worker.ts";
import { namesOfBackups, noteByHand } from "../../../operator/backup/kept.ts";
import { openPlace, splitAddress } from "../../../operator/backup/place.ts";
import type { Manifest } from "../../../operator/backup/contents.ts";
import { restore } from "../../../operator/backup/restore.ts";
import { restoreStream } from "../../../operator/backup/stream/restore-stream.ts";
import { iso, systemClock } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { momentOf } from "../../../base/moments.ts";
import { isThere } from "../../../base/private-files.ts";
import { misused } from "../arguments.ts";
import { configBeside, inStore, refuseMissing } from "../beside.ts";
import { printList, printOne } from "../print.ts";
import { CopyProgress, grouped, ProgressLine } from "../progress.ts";
import { JSON_OPTION, type VerbCall, type Option, type VerbOptions, type Verb } from "../verb.ts";

const PASSPHRASE: Option = { value: "FILE", help: "A file with the passphrase; overrides backup.passphrase" };

export const BACKUP: Verb = {
  name: "backup",
  argument: "FILE|-",
  summary: "Writes a backup of the installation to one file; the server may be running",
  notes: [
    "The file contains a consistent copy of the database, the installation's key and its own certificate. Keep it safe, or",
    "encrypt it. It is a tar archive, compressed with zstd and, if encrypted, with age around it. FILE is a path,",
    "s3://bucket/name with the credentials in [backup], or - for the standard output.",
  ],
  options: {
    "passphrase-file": PASSPHRASE,
    recipient: { value: "AGE1…", help: "Encrypt for this age public key; overrides backup.recipient" },
    ...JSON_OPTION,
  },
  run: backUp,
};

export const BACKUPS: Verb = {
  name: "backups",
  summary: "Lists the backups at backup.to",
  options: JSON_OPTION,
  run: listBackups,
};

/** The options with the key to an encrypted backup. */
export const OPENER_OPTIONS: VerbOptions = {
  "passphrase-file": PASSPHRASE,
  "identity-file": {
    value: "FILE",
    help: "The age secret key (AGE-SECRET-KEY-1…) of the recipient",
  },
};

export const RESTORE: Verb = {
  name: "restore",
  argument: "[FILE|-]",
  summary: "Restores an installation from a backup or a stream; the server must be stopped",
  notes: [
    "FILE is a path, or s3://bucket/name with the credentials in [backup]. The content of the data directory is moved aside,",
    "into a folder in it. With PostgreSQL, configure an empty database. With --from, it restores from a stream instead.",
  ],
  options: {
    from: { value: "PLACE", help: "Where the stream is (backup.stream): a folder, or s3://bucket/prefix" },
    at: {
      value: "TIME",
      help: "With --from: the time to restore, such as 2026-03-01T09:00:00Z (default: the latest)",
    },
    ...OPENER_OPTIONS,
    ...JSON_OPTION,
  },
  run: bringBack,
};

async function backUp(call: VerbCall): Promise<void> {
  const config = call.config();
  refuseMissing(config);
  const madeAt = iso(systemClock.nowMs());
  const progress = new ProgressLine(call.io, systemClock);
  const onCopied = (bytes: number) => progress.at(`Copying the store: ${inMb(bytes)}`);
  const making = startBackup({ config, madeAt, seal: sealOf(call, config), target: targetOf(call.argument), onCopied });
  const manifest = await making.done.finally(() => progress.end());
  await inStore(call, ({ store }) => noteByHand(store, call.argument, manifest.databaseBytes));
  // With -, the archive takes the standard output.
  const tell = call.argument === "-" ? call.io.err : call.io.out;
  if (call.flag("json")) return tell(JSON.stringify({ file: call.argument, ...manifest }));
  tell(
    `${call.argument === "-" ? "The backup" : call.argument} holds the installation of ${madeAt}: a database of ${inMb(manifest.databaseBytes)}.`,
  );
}

function targetOf(argument: string): BackupTarget {
  if (argument === "-") return { kind: "out" };
  if (argument.startsWith("s3://")) return { kind: "place", ...splitAddress(argument) };
  return { kind: "file", path: argument };
}

function sealOf(call: VerbCall, { backup }: Config): Seal {
  const [file, recipient] = [call.text("passphrase-file"), call.text("recipient")];
  if (file !== undefined && recipient !== undefined)
    throw misused(BACKUP, "takes --passphrase-file or --recipient, not both");
  if (file !== undefined) return { passphrase: secretIn(file), recipient: null };
  if (recipient !== undefined) return { passphrase: null, recipient };
  return { passphrase: backup.passphrase, recipient: backup.recipient };
}

async function listBackups(call: VerbCall): Promise<void> {
  const { backup } = (await configBeside(call)).config;
  if (backup.to === null) throw new Error("backup.to is not set: it names the place where backups are kept.");
  const names = await namesOfBackups(openPlace(backup));
  printList(
    call,
    names.map((name) => ({ name })),
    (row) => row,
    `There is no backup at ${backup.to}.`,
  );
}

async function bringBack(call: VerbCall): Promise<void> {
  const config = call.config();
  const [from, at] = [call.text("from"), call.text("at")];
  if ((from === undefined) === (call.argument === "")) throw misused(RESTORE, "takes a file or --from, one of the two");
  if (at !== undefined && from === undefined) throw misused(RESTORE, "takes --at with --from alone");
  const progress = new CopyProgress(call.io, systemClock);
  const wanted = { config, clock: systemClock, opener: openerOf(call, config), onStep: progress.step.bind(progress) };
  const restoring =
    from === undefined
      ? restore(wanted, archiveOf(call.argument, config))
      : restoreStream(wanted, { place: openPlace(config.backup, from), at: at === undefined ? null : momentIn(at) });
  const { manifest, ...restored } = await restoring.finally(() => progress.end());
  printOne(call, { ...manifest, ...restored }, () => restoreText(manifest, restored));
}

type RestoreOutcome = { readonly aside: string | null; readonly reached?: string; readonly fault?: string | null };

function restoreText(
  { madeAt, databaseBytes }: Manifest,
  { aside, reached = madeAt, fault = null }: RestoreOutcome,
): string {
  return [
    `The installation of ${reached} is in place: a database of ${inMb(databaseBytes)}.`,
    ...(fault === null ? [] : [`The stream goes on, but not in one piece: ${fault}.`]),
    "Its queue is held: posthorn serve shows what waits, and posthorn release lets it leave.",
    ...(aside === null ? [] : [`What was there before is in ${aside}. Delete it once you no longer need it.`]),
  ].join("\n");
}

/** @throws if the text is not a moment */
function momentIn(text: string): string {
  const moment = momentOf(text);
  if (moment === null) throw misused(RESTORE, `does not understand --at ${text}: write 2026-03-01T09:00:00Z`);
  return `${moment}Z`;
}

export function archiveOf(argument: string, { backup }: Config): () => Readable {
  if (argument === "-") return () => createReadStream("", { fd: 0, autoClose: false });
  if (argument.startsWith("s3://")) {
    const { to, name } = splitAddress(argument);
    return () => openPlace(backup, to).read(name);
  }
  if (!isThere(argument)) throw new Error(`There is no file ${argument}.`);
  return () => createReadStream(argument);
}

export function openerOf(call: VerbCall, { backup }: Config): Opener {
  const [passphrase, identity] = [call.text("passphrase-file"), call.text("identity-file")];
  return {
    passphrase: passphrase === undefined ? backup.passphrase : secretIn(passphrase),
    identity: identity === undefined ? null : identityIn(identity),
  };
}

/** In the format of age-keygen, with lines of comment. */
function identityIn(file: string): string {
  const line = secretIn(file)
    .split("\n")
    .find((one) => one.startsWith("AGE-SECRET-KEY-1"));
  if (line === undefined) throw new Error(`${file} holds no line that begins with AGE-SECRET-KEY-1.`);
  return line.trim();
}

/** A line feed at the end is not part of the secret. */
export function secretIn(file: string): string {
  if (!isThere(file)) throw new Error(`There is no file ${file}.`);
  const secret = readFileSync(file, "utf8").trim();
  if (secret === "") throw new Error(`The file ${file} is empty: it holds no passphrase and no key.`);
  return secret;
}

function inMb(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_000_000))} MB`;
}

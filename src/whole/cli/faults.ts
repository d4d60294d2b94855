// Errors in words for the person at the command line, each with its exit code.
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../../base/config.ts";
import { AppError } from "../../base/errors.ts";
import { ABOUT_RIGHTS } from "../../base/private-files.ts";
import { ForeignStoreError, NewerStoreError } from "../../store/schema.ts";
import { UsageError } from "./arguments.ts";

type CliFault = { readonly text: string; readonly exitCode: 1 | 2 };

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOENT: "no such file or directory",
  ENOTDIR: "a part of the path is not a directory",
  EEXIST: "it is not a directory",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
};

/** SQLite's messages, and the remedy for each. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /readonly database/,
    "Its file system is mounted read-only, or its files belong to another user: make them writable, then start again.",
  ],
  [/database or disk is full/, "Make room on its disk, then start again."],
  [/disk I\/O error/, "Its disk fails: the system's log says how (dmesg). Repair it, then start again."],
];

/** 2 for a wrong command line, configuration or store, where another try does not help; 1 for everything else. */
export function explained(error: unknown): CliFault {
  if (error instanceof UsageError) return { text: `${error.message}\n${error.hint}`, exitCode: 2 };
  if (error instanceof ConfigError) return { text: error.message, exitCode: 2 };
  if (error instanceof ForeignStoreError || error instanceof NewerStoreError)
    return { text: error.message, exitCode: 2 };
  if (error instanceof AppError) return { text: withCause(error), exitCode: 1 };
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 };
  return { text: fromSystem(error) ?? (isBug(error) ? (error.stack ?? error.message) : error.message), exitCode: 1 };
}

/** The command line also shows the cause: its user may know the remedy. */
function withCause({ message, cause }: AppError): string {
  if (!(cause instanceof Error)) return message;
  const remedy = REMEDIES.find(([said]) => said.test(cause.message))?.[1];
  return [`${message} (${cause.message})`, remedy].filter((part) => part !== undefined).join(" ");
}

type SystemError = Error & { readonly code?: string; readonly path?: string };

function fromSystem(error: SystemError): string | null {
  if (!error.path || !error.code) return null;
  const fault = `${error.path}: ${REASONS[error.code] ?? error.message}`;
  return error.code === "EACCES" ? `${fault}. ${whoMay(error.path)} (${ABOUT_RIGHTS})` : fault;
}

/** The refused user, the owner, and the remedy. */
function whoMay(path: string): string {
  const [found, owner] = ownerOf(resolve(path));
  const user = accountName(process.geteuid?.() ?? 0);
  if (owner === user) return `You are ${user}, and ${found} is yours: change its mode with chmod.`;
  return `You are ${user}, and ${found} belongs to ${owner}. Run the command as that user: sudo -u ${owner} …`;
}

/** The owner of the path itself, or of the nearest folder above it that is accessible. */
function ownerOf(path: string): readonly [path: string, user: string] {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats) return [path, accountName(stats.uid)];
  } catch {
    // A folder on the way is closed.
  }
  return ownerOf(dirname(path));
}

function accountName(uid: number): string {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.split(":")[2] === String(uid));
  return line?.split(":")[0] ?? `#${uid}`;
}

/** For bugs of the program, the stack is worth more than the message. */
function isBug(error: Error): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

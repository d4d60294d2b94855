// Errors in words for the person at the command line, each with its exit code.
import { ConfigError } from "../config.ts";
import { AppError } from "../errors.ts";
import { UsageError } from "./arguments.ts";

type Explained = { readonly text: string; readonly exitCode: 1 | 2 };

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

/** 2 for a wrong command line or configuration, 1 for everything else. */
export function explained(error: unknown): Explained {
  if (error instanceof UsageError) return { text: `${error.message}\n${error.hint}`, exitCode: 2 };
  if (error instanceof ConfigError) return { text: error.message, exitCode: 2 };
  if (error instanceof AppError) return { text: withCause(error), exitCode: 1 };
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 };
  return { text: fromSystem(error) ?? (isBug(error) ? (error.stack ?? error.message) : error.message), exitCode: 1 };
}

/** The command line also shows the cause: its user may know what to do about it. */
function withCause({ message, cause }: AppError): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

type SystemError = Error & { readonly code?: string; readonly path?: string };

function fromSystem(error: SystemError): string | null {
  if (!error.path || !error.code) return null;
  return `${error.path}: ${REASONS[error.code] ?? error.message}`;
}

/** For bugs of the program, the place is worth more than the message. */
function isBug(error: Error): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

// Faults in words for the person at the command line, and the exit code that goes with them.
import { ConfigError } from "../config.ts";
import { AppError } from "../errors.ts";
import { UsageError } from "./usage.ts";

type Told = { readonly text: string; readonly exitCode: 1 | 2 };

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "it can only be read",
  ENOENT: "there is no such file or directory",
  ENOTDIR: "a part of the path is no directory",
  EEXIST: "it is no directory",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
};

/** 2 for what was asked or configured wrongly, 1 for what did not succeed. */
export function explained(error: unknown): Told {
  if (error instanceof UsageError) return { text: `${error.message}\n${error.hint}`, exitCode: 2 };
  if (error instanceof ConfigError) return { text: error.message, exitCode: 2 };
  if (error instanceof AppError) return { text: withCause(error), exitCode: 1 };
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 };
  return { text: fromSystem(error) ?? (isBug(error) ? (error.stack ?? error.message) : error.message), exitCode: 1 };
}

/** At the command line the cause is told as well: whoever stands here may know it. */
function withCause({ message, cause }: AppError): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

type SystemError = Error & { readonly code?: string; readonly path?: string };

function fromSystem(error: SystemError): string | null {
  if (!error.path || !error.code) return null;
  return `${error.path}: ${REASONS[error.code] ?? error.message}`;
}

/** Faults of the program itself: of them the place is worth more than the message. */
function isBug(error: Error): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

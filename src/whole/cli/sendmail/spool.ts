// Messages that wait in a directory for the server: a file each, with the recipients on its first line.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SendmailMessage } from "./message.ts";

const WAITING = ".mail";
const REFUSED = ".refused";
const LINE_END = 10;

/** Durable enough for a moment without a server; the names ascend with the time. */
export function keep(folder: string, id: string, { to, message }: SendmailMessage): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, id);
  writeFileSync(file, Buffer.concat([Buffer.from(`${JSON.stringify({ to })}\n`), message]), {
    mode: 0o600,
    flush: true,
  });
  renameSync(file, file + WAITING);
}

/**
 * The oldest first; null = the file is not a spooled message. Files of other users of the machine, who may share the
 * directory, are left alone.
 */
export function* waiting(
  folder: string,
): Generator<{ readonly file: string; readonly letter: SendmailMessage | null }> {
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const bytes = bytesIn(file);
    if (bytes) yield { file, letter: letterIn(bytes) };
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(WAITING))
      .toSorted();
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
}

function bytesIn(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (["ENOENT", "EACCES"].includes((error as { code?: string }).code ?? "")) return null;
    throw error;
  }
}

function letterIn(bytes: Buffer): SendmailMessage | null {
  const end = bytes.indexOf(LINE_END);
  try {
    const { to } = JSON.parse(bytes.toString("utf8", 0, end)) as Pick<SendmailMessage, "to">;
    return to.length > 0 ? { to, message: bytes.subarray(end + 1) } : null;
  } catch {
    return null;
  }
}

export function forget(file: string): void {
  rmSync(file, { force: true });
}

/** The file stays for the operator. Answers the new name, even if another call was faster. */
export function keepRefused(file: string): string {
  const kept = file.slice(0, -WAITING.length) + REFUSED;
  try {
    renameSync(file, kept);
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
  }
  return kept;
}

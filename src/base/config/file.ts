// Reading from the disk: the TOML file, and the files that hold one secret each.
import { readFileSync } from "node:fs";
import { ABOUT_RIGHTS } from "../private-files.ts";
import { BadValue } from "./kinds.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: `permission denied; let this user read it, or run it as the user of the service (${ABOUT_RIGHTS})`,
  EISDIR: "it is a directory",
};

/** A longer file was hardly written by hand, and the search for the faulty line would take long. */
const MAX_LINES_SEARCHED = 2000;

/** The tables of a TOML file. @throws BadValue if it cannot be read or parsed */
export function readToml(file: string): Readonly<Record<string, unknown>> {
  const content = readText(file, "cannot be read");
  try {
    return Bun.TOML.parse(content) as Record<string, unknown>;
  } catch (error) {
    throw new BadValue(`is not valid TOML: ${faultyLine(content)}${withoutValues(error)}`);
  }
}

/**
 * The text of a file that holds one secret, without its last line end. @throws BadValue if it cannot be read; the
 * message does not show the name of the file, which may be the secret itself, set by mistake
 */
export function readSecret(file: string): string {
  return readText(file, "names a file that cannot be read").replace(/\r?\n$/, "");
}

function readText(file: string, fault: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new BadValue(`${fault}: ${REASONS[code] ?? code}`);
  }
}

/** The parser does not say where a fault is: it is after the longest beginning of the file that parses. */
function faultyLine(content: string): string {
  const lines = content.split("\n");
  if (lines.length > MAX_LINES_SEARCHED) return "";
  let sound = lines.length - 1;
  while (sound > 0 && !isToml(lines.slice(0, sound).join("\n"))) sound--;
  return `line ${sound + 1}: `;
}

function isToml(content: string): boolean {
  try {
    Bun.TOML.parse(content);
    return true;
  } catch {
    return false;
  }
}

/** The parser's message without the value it quotes, which may be a password without its quotes. */
function withoutValues(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace("TOML Parse error: ", "").replace(/:? *".*/s, "");
}

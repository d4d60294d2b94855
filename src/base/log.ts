// The log of the process. No e-mail address, body or secret is ever put into a field.
import { iso, type Clock } from "./clock.ts";
import { isStoreAway } from "./errors.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  /** Fields that cost something to gather are given as a function, which is called only if the line is written. */
  debug(message: string, fields?: LogFields | (() => LogFields)): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogOptions = {
  readonly level: LogLevel;
  readonly format: "text" | "json";
  readonly clock: Clock;
  readonly write: (line: string) => void;
};

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export function createLog(options: LogOptions): Log {
  const threshold = LEVELS.indexOf(options.level);
  const say =
    (level: LogLevel) =>
    (message: string, given: LogFields | (() => LogFields) = {}) => {
      if (LEVELS.indexOf(level) < threshold) return;
      const fields = typeof given === "function" ? given() : given;
      const at = iso(options.clock.nowMs());
      options.write(
        options.format === "json" ? asJson(at, level, message, fields) : asText(at, level, message, fields),
      );
    };
  return { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
}

function asJson(at: string, level: LogLevel, message: string, fields: LogFields): string {
  const plain = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, logValue(value)]));
  return JSON.stringify({ at, level, message, ...plain });
}

function asText(at: string, level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${inOneWord(logValue(value))}`);
  return `${at} ${level.padEnd(5)} ${message}${pairs.join("")}`;
}

/**
 * An error with its causes: the store's words for a full disk are the cause of an AppError. A store that is away is no
 * fault of the program, so no stack is shown.
 */
function logValue(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  if (isStoreAway(value))
    return value.cause instanceof Error ? `${value.message} (${value.cause.message})` : value.message;
  const text = value.stack || value.message;
  return value.cause === undefined ? text : `${text}\nbecause of ${String(logValue(value.cause))}`;
}

function inOneWord(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w.:/@-]+$/.test(text) ? text : JSON.stringify(text);
}

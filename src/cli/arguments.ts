// From the words of a command line to the verb that is meant and what it was given.
import { parseArgs } from "node:util";
import { nearest } from "../config/hints.ts";
import { COMMON_OPTIONS, type Options, type Verb } from "./verb.ts";

/** Words that make no sense; `hint` says where to read on. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

export type Values = Readonly<Record<string, unknown>>;
export type Wish =
  | { readonly kind: "help"; readonly verbs: readonly Verb[] }
  | { readonly kind: "run"; readonly verb: Verb; readonly argument: string; readonly values: Values };

/** `-h` and `-v` as everywhere; options may stand anywhere. @throws UsageError */
export function readArguments(argv: readonly string[], verbs: readonly Verb[]): Wish {
  const { values, positionals, tokens } = parse(argv, verbs);
  const words = values["version"] === true ? ["version"] : positionals.filter((word, at) => at > 0 || word !== "help");
  const meant = verbsMeant(words, verbs);
  if (values["help"] === true || positionals[0] === "help" || argv.length === 0) return { kind: "help", verbs: meant };
  const verb = theOne(meant, words, tokens);
  tokens.forEach((token) => checkOption(token, verb));
  checkNeeded(values, verb);
  return { kind: "run", verb, argument: argumentOf(verb, words), values };
}

function parse(argv: readonly string[], verbs: readonly Verb[]) {
  const every = Object.assign({}, ...verbs.map(optionsOf)) as Options;
  const known = Object.entries(every).map(([name, option]) => {
    return [name, { type: option.value ? "string" : "boolean", multiple: option.several ?? false }] as const;
  });
  const options = { ...Object.fromEntries(known), help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "v" } } as const;
  return parseArgs({ args: [...argv], options, strict: false, tokens: true });
}

type Token = ReturnType<typeof parse>["tokens"][number];

/** The verb that the words begin with, or all verbs of the family that they name, or all there are. */
function verbsMeant(words: readonly string[], verbs: readonly Verb[]): readonly Verb[] {
  const [first, second] = words;
  if (first === undefined) return verbs;
  const family = verbs.filter((verb) => verb.name.split(" ")[0] === first);
  if (family.length === 0) throw unknownVerb(first, verbs.map((verb) => verb.name.split(" ")[0] as string), "posthorn --help");
  if (second === undefined || family[0]?.name === first) return family;
  const exact = family.filter((verb) => verb.name === `${first} ${second}`);
  if (exact.length > 0) return exact;
  throw unknownVerb(`${first} ${second}`, family.map((verb) => verb.name), `posthorn ${first} --help`);
}

function unknownVerb(word: string, known: readonly string[], help: string): UsageError {
  const meant = nearest(word, known);
  return new UsageError(`posthorn knows no verb ${word}${meant ? `; did you mean ${meant}?` : ""}`, `See: ${help}`);
}

function theOne(meant: readonly Verb[], words: readonly string[], tokens: readonly Token[]): Verb {
  const [first, ...others] = meant;
  if (first && others.length === 0) return first;
  const unknown = tokens.find((token) => token.kind === "option" && !meant.some((verb) => Object.hasOwn(optionsOf(verb), token.name)));
  if (unknown?.kind === "option") throw new UsageError(`posthorn knows no option ${unknown.rawName}`, "See: posthorn --help");
  const names = meant.map((verb) => verb.name.split(" ").at(-1)).join(", ");
  throw new UsageError(`${["posthorn", ...words].join(" ")} needs a verb: ${names}`, `See: ${["posthorn", ...words].join(" ")} --help`);
}

function checkOption(token: Token, verb: Verb): void {
  if (token.kind !== "option") return;
  const option = Object.hasOwn(optionsOf(verb), token.name) ? optionsOf(verb)[token.name] : undefined;
  if (!option) {
    const meant = nearest(token.name, Object.keys(optionsOf(verb)));
    throw misused(verb, `knows no option ${token.rawName}${meant ? `; did you mean --${meant}?` : ""}`);
  }
  const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith("-"));
  if (option.value && isMissing) throw misused(verb, `needs ${option.value} after ${token.rawName}`);
  if (!option.value && token.value !== undefined) throw misused(verb, `takes no value for ${token.rawName}`);
}

function checkNeeded(values: Values, verb: Verb): void {
  const missing = Object.entries(verb.options ?? {}).find(([name, option]) => option.needed && values[name] === undefined);
  if (missing) throw misused(verb, `needs --${missing[0]} ${missing[1].value}`);
}

function argumentOf(verb: Verb, words: readonly string[]): string {
  const [argument, ...others] = words.slice(verb.name.split(" ").length);
  if (verb.argument && argument === undefined) throw misused(verb, `needs ${verb.argument}`);
  const surplus = verb.argument ? others[0] : argument;
  if (surplus !== undefined) throw misused(verb, `has no use for ${surplus}`);
  return argument ?? "";
}

function misused(verb: Verb, message: string): UsageError {
  return new UsageError(`posthorn ${verb.name} ${message}`, `See: posthorn ${verb.name} --help`);
}

function optionsOf(verb: Verb): Options {
  return { ...verb.options, ...COMMON_OPTIONS };
}

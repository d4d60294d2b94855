// Parses a command line into a verb, its argument and its options.
import { parseArgs } from "node:util";
import { nearest } from "../../base/edit-distance.ts";
import { optionsOf, type VerbOptions, type Verb } from "./verb.ts";

/** The values by option: a list of texts, or true. */
export type OptionValues = Readonly<Record<string, unknown>>;

type Command =
  | { readonly kind: "help"; readonly verbs: readonly Verb[] }
  | {
      readonly kind: "run";
      readonly verb: Verb;
      readonly argument: string;
      readonly words: readonly string[];
      readonly values: OptionValues;
    };

/** An invalid command line; `hint` says where to read on. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** `message` goes on after the name of the verb: "needs NAME". */
export function misused(verb: Verb, message: string): UsageError {
  return new UsageError(`posthorn ${verb.name} ${message}`, `See: posthorn ${verb.name} --help`);
}

/** Options may stand anywhere; `-h`, `-v` and `help VERB` do what they do elsewhere. @throws UsageError */
export function readArguments(argv: readonly string[], verbs: readonly Verb[]): Command {
  const own = verbs.find(({ name, ownWords }) => ownWords && name === argv[0]);
  if (own && !argv.includes("--help"))
    return { kind: "run", verb: own, argument: "", words: argv.slice(1), values: {} };
  const { values, positionals, tokens } = parse(argv, verbs);
  const asked = values["version"] === true ? ["version"] : positionals;
  const words = asked[0] === "help" ? asked.slice(1) : asked;
  const named = verbsNamed(words, verbs);
  if (values["help"] === true || asked[0] === "help" || argv.length === 0) return { kind: "help", verbs: named };
  const [verb, ...others] = named;
  if (!verb || others.length > 0) throw strayOption(tokens, named) ?? missingVerb(words, named);
  tokens.forEach((token) => checkOption(verb, token));
  checkNeeded(verb, values);
  return { kind: "run", verb, argument: argumentOf(verb, words), words: argv.slice(1), values };
}

/**
 * Parses with the options of every verb, since the verb is not known yet; so each may have several values. Mistakes are
 * reported later, in our own words.
 */
function parse(argv: readonly string[], verbs: readonly Verb[]) {
  const known = Object.entries(Object.assign({}, ...verbs.map(optionsOf)) as VerbOptions).map(([name, option]) => {
    return [name, { type: option.value ? "string" : "boolean", multiple: option.value !== undefined }] as const;
  });
  const options = {
    ...Object.fromEntries(known),
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
  } as const;
  return parseArgs({ args: [...argv], options, strict: false, tokens: true });
}

type ArgumentToken = ReturnType<typeof parse>["tokens"][number];

/** The verb that the words begin with, or every verb of the family that they name, or all verbs. */
function verbsNamed(words: readonly string[], verbs: readonly Verb[]): readonly Verb[] {
  const [first, second] = words;
  if (first === undefined) return verbs;
  const family = verbs.filter((verb) => familyOf(verb) === first);
  if (family.length === 0) throw unknownVerb(first, verbs.map(familyOf));
  if (second === undefined || family[0]?.name === first) return family;
  const named = family.filter((verb) => verb.name === `${first} ${second}`);
  if (named.length > 0) return named;
  const names = family.map((verb) => verb.name);
  throw unknownVerb(`${first} ${second}`, names);
}

function familyOf(verb: Verb): string {
  return verb.name.split(" ")[0] as string;
}

/** An option unknown to every verb is a more obvious mistake than others. */
function strayOption(tokens: readonly ArgumentToken[], verbs: readonly Verb[]): UsageError | null {
  for (const token of tokens) {
    if (token.kind !== "option" || verbs.some((verb) => Object.hasOwn(optionsOf(verb), token.name))) continue;
    return new UsageError(`posthorn has no option ${token.rawName}`, "See: posthorn --help");
  }
  return null;
}

/** A family without its second word, or no word at all. */
function missingVerb(words: readonly string[], verbs: readonly Verb[]): UsageError {
  const called = ["posthorn", ...words].join(" ");
  const next = new Set(verbs.map((verb) => verb.name.split(" ")[words.length]));
  return new UsageError(`${called} needs a verb: ${[...next].join(", ")}`, `See: ${called} --help`);
}

function unknownVerb(words: string, known: readonly string[]): UsageError {
  return new UsageError(`posthorn has no verb ${words}${didYouMean(words, known)}`, "See: posthorn --help");
}

/** @throws UsageError for an option that the verb does not have, or whose use is wrong */
function checkOption(verb: Verb, token: ArgumentToken): void {
  if (token.kind !== "option" || token.name === "version") return;
  const { name, rawName, value } = token;
  const known = optionsOf(verb);
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  const names = Object.keys(known).map((one) => `--${one}`);
  if (!option) throw misused(verb, `has no option ${rawName}${didYouMean(`--${name}`, names)}`);
  if (!option.value && value !== undefined) throw misused(verb, `takes no value for ${rawName}`);
  // A value that begins like an option is one, unless "=" ties it to this option; "-" is the standard input.
  const isMissing = value === undefined || (/^-./.test(value) && !token.inlineValue);
  if (option.value && isMissing) throw misused(verb, `needs ${option.value} after ${rawName}`);
}

/** @throws UsageError if an option is missing that the verb requires */
function checkNeeded(verb: Verb, values: OptionValues): void {
  for (const [name, option] of Object.entries(optionsOf(verb))) {
    if (option.needed && values[name] === undefined) throw misused(verb, `needs --${name} ${option.value}`);
  }
}

function argumentOf(verb: Verb, words: readonly string[]): string {
  const [argument, ...others] = words.slice(verb.name.split(" ").length);
  if (verb.argument && argument === undefined && !isOptional(verb.argument))
    throw misused(verb, `needs ${verb.argument}`);
  const surplus = verb.argument ? others[0] : argument;
  if (surplus !== undefined) throw misused(verb, `does not take ${surplus}`);
  return argument ?? "";
}

function isOptional(argument: string): boolean {
  return argument.startsWith("[");
}

function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === null ? "" : `; did you mean ${meant}?`;
}

// From the words of a command line to the verb that is meant and what it was given.
import { parseArgs } from "node:util";
import { checkNeeded, checkOption, optionsOf, type Values } from "./options.ts";
import { misused, missingVerb, unknownVerb, UsageError } from "./usage.ts";
import type { Options, Verb } from "./verb.ts";

type Wish =
  | { readonly kind: "help"; readonly verbs: readonly Verb[] }
  | { readonly kind: "run"; readonly verb: Verb; readonly argument: string; readonly values: Values };

/** Options may stand anywhere; `-h`, `-v` and `help VERB` do what they do elsewhere. @throws UsageError */
export function readArguments(argv: readonly string[], verbs: readonly Verb[]): Wish {
  const { values, positionals, tokens } = parse(argv, verbs);
  const asked = values["version"] === true ? ["version"] : positionals;
  const words = asked[0] === "help" ? asked.slice(1) : asked;
  const meant = verbsMeant(words, verbs);
  if (values["help"] === true || asked[0] === "help" || argv.length === 0) return { kind: "help", verbs: meant };
  const [verb, ...others] = meant;
  if (!verb || others.length > 0) throw strayOption(tokens, meant) ?? missingVerb(words, meant);
  tokens.forEach((token) => checkOption(verb, token));
  checkNeeded(verb, values);
  return { kind: "run", verb, argument: argumentOf(verb, words), values };
}

/** With the options of every verb: which is meant is not known yet. What is wrong is told later, in our own words. */
function parse(argv: readonly string[], verbs: readonly Verb[]) {
  const known = Object.entries(Object.assign({}, ...verbs.map(optionsOf)) as Options).map(([name, option]) => {
    return [name, { type: option.value ? "string" : "boolean", multiple: option.several ?? false }] as const;
  });
  const options = {
    ...Object.fromEntries(known),
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
  } as const;
  return parseArgs({ args: [...argv], options, strict: false, tokens: true });
}

/** The verb that the words begin with, or all verbs of the family that they name, or all there are. */
function verbsMeant(words: readonly string[], verbs: readonly Verb[]): readonly Verb[] {
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

type Token = ReturnType<typeof parse>["tokens"][number];

/** Of two mistakes, an option that no verb has is the plainer one. */
function strayOption(tokens: readonly Token[], verbs: readonly Verb[]): UsageError | null {
  for (const token of tokens) {
    if (token.kind !== "option" || verbs.some((verb) => Object.hasOwn(optionsOf(verb), token.name))) continue;
    return new UsageError(`posthorn knows no option ${token.rawName}`, "See: posthorn --help");
  }
  return null;
}

function argumentOf(verb: Verb, words: readonly string[]): string {
  const [argument, ...others] = words.slice(verb.name.split(" ").length);
  if (verb.argument && argument === undefined) throw misused(verb, `needs ${verb.argument}`);
  const surplus = verb.argument ? others[0] : argument;
  if (surplus !== undefined) throw misused(verb, `has no use for ${surplus}`);
  return argument ?? "";
}

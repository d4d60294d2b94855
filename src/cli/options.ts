// Whether the options of a command line are ones that its verb takes.
import { didYouMean, misused } from "./usage.ts";
import { COMMON_OPTIONS, type Options, type Verb } from "./verb.ts";

/** What was given, by option: text, a list of texts, or true. */
export type Values = Readonly<Record<string, unknown>>;

/** A piece of a command line as node:util cuts it. */
type Token =
  | { readonly kind: "positional" | "option-terminator" }
  | {
      readonly kind: "option";
      readonly name: string;
      readonly rawName: string;
      readonly value?: string | undefined;
      readonly inlineValue?: boolean | undefined;
    };

export function optionsOf(verb: Verb): Options {
  return { ...verb.options, ...COMMON_OPTIONS };
}

/** @throws UsageError for an option that the verb does not take, or takes otherwise */
export function checkOption(verb: Verb, token: Token): void {
  if (token.kind !== "option" || token.name === "version") return;
  const { name, rawName, value } = token;
  const known = optionsOf(verb);
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!option) throw misused(verb, `knows no option ${rawName}${didYouMean(`--${name}`, spelt(known))}`);
  if (!option.value && value !== undefined) throw misused(verb, `takes no value for ${rawName}`);
  // What begins like an option is one, unless it is tied to this one by "=".
  const isMissing = value === undefined || (value.startsWith("-") && !token.inlineValue);
  if (option.value && isMissing) throw misused(verb, `needs ${option.value} after ${rawName}`);
}

/** @throws UsageError if an option that the verb needs is not there */
export function checkNeeded(verb: Verb, values: Values): void {
  for (const [name, option] of Object.entries(optionsOf(verb))) {
    if (option.needed && values[name] === undefined) throw misused(verb, `needs --${name} ${option.value}`);
  }
}

function spelt(options: Options): string[] {
  return Object.keys(options).map((name) => `--${name}`);
}

// The help, made from the table of verbs, and the version.
import { name } from "../../../package.json";
import { MIGRATIONS } from "../../store/migrations.ts";
import { build } from "../../base/version.ts";
import { printOne } from "./print.ts";
import { JSON_OPTION, optionsOf, type VerbCall, type Option, type Verb } from "./verb.ts";

export const VERSION: Verb = {
  name: "version",
  summary: "Prints the version, its commit, and the database schema that it needs",
  options: JSON_OPTION,
  run: async (call) => printVersion(call),
};

function printVersion(call: VerbCall): void {
  const record = { ...build(), schema: MIGRATIONS.length };
  const { version, commit, date, schema } = record;
  const when = date === null ? "" : ` of ${date.slice(0, 10)}`;
  printOne(call, record, () => `${name} ${version} (commit ${commit}${when}, schema ${schema})`);
}

/** The help for several verbs together, or for one. */
export function helpFor(verbs: readonly Verb[]): string {
  const [first] = verbs;
  return first && verbs.length === 1 ? helpOf(first) : overview(verbs);
}

function overview(verbs: readonly Verb[]): string {
  const lines = verbs.map((verb): [string, string] => [spelt(verb), verb.summary]);
  return [
    "Posthorn, an email platform in one executable.",
    "",
    "  posthorn VERB [ARGUMENT] [OPTIONS]",
    "",
    ...columns(lines),
    "",
    "Most commands can be used while the server runs and take effect at once; those that need it stopped say so.",
    "posthorn VERB --help explains a command.",
  ].join("\n");
}

function helpOf(verb: Verb): string {
  const options = optionsOf(verb);
  const usage = Object.entries(verb.options ?? {}).map(([name, option]) => inUsage(name, option));
  const lines = Object.entries(options).map(([name, option]): [string, string] => [
    optionSpelt(name, option),
    option.help,
  ]);
  const notes = verb.notes ? [...verb.notes, ""] : [];
  const title = ["posthorn", spelt(verb), ...usage].join(" ");
  return [title, "", `${verb.summary}.`, "", ...notes, ...columns(lines)].join("\n");
}

function spelt({ name, argument }: Verb): string {
  return argument ? `${name} ${argument}` : name;
}

function optionSpelt(name: string, { value }: Option): string {
  return value ? `--${name} ${value}` : `--${name}`;
}

function inUsage(name: string, option: Option): string {
  const text = optionSpelt(name, option) + (option.several ? " …" : "");
  return option.needed ? text : `[${text}]`;
}

function columns(lines: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

// After the tests on PostgreSQL: whether each statement of src/ was executed there. Names those that were not, and ends with 1.
// Run by test:engine: bun test/second-engine.ts <the folder of the notes>.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { textOf } from "./support/note-statements.ts";

type Statement = { readonly place: string; readonly verb: string; readonly text: string };

/** What only SQLite executes, and what goes over a connection without `PostgresStatements`. */
const ELSEWHERE = /^src\/store\/(sqlite|postgres\.|postgres-migrations|copy\/)/;
/** For a store of one process, after that has died. */
const ON_SQLITE = ["endLeases", "endCallLeases", "endMessageLeases", "abandonAllStaging"];

function statementsOf(path: string): Statement[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const found: Statement[] = [];
  const visit = (node: ts.Node, verb: string): void => {
    const within = ts.isFunctionDeclaration(node) && node.name ? node.name.text : verb;
    if (ts.isTaggedTemplateExpression(node) && isOfStore(node.tag)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ place: `${path}:${line + 1}`, verb: within, text: textOf(piecesOf(node.template)) });
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, "");
  return found;
}

/** sql`…`, fragment`…`, tx.all`…` and the like. */
function isOfStore(tag: ts.Node): boolean {
  if (ts.isIdentifier(tag)) return ["sql", "fragment"].includes(tag.text);
  return ts.isPropertyAccessExpression(tag) && ["all", "get", "run"].includes(tag.name.text);
}

function piecesOf(template: ts.TemplateLiteral): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}

function executedTexts(folder: string): ReadonlySet<string> {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n"));
  return new Set(lines.map((line) => JSON.parse(line)));
}

const executed = executedTexts(process.argv[2] ?? "");
const statements = [...new Bun.Glob("src/**/*.ts").scanSync()]
  .filter((path) => !ELSEWHERE.test(path))
  .sort()
  .flatMap(statementsOf)
  .filter(({ verb }) => !ON_SQLITE.includes(verb));
const missed = statements.filter(({ text }) => !executed.has(text));
for (const { place, verb, text } of missed)
  console.log(`${place} ${verb}: ${text.replace(/\s+/g, " ").trim().slice(0, 120)}`);
console.log(`${statements.length - missed.length} of ${statements.length} statements were executed on PostgreSQL.`);
process.exit(missed.length === 0 ? 0 : 1);

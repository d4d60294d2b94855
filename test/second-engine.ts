// Runs the tests of on-postgres.ts on PostgreSQL and checks that between them they execute each statement of src/ and
// bring each route to an answer. `bun run test:engine`, with POSTHORN_TEST_DATABASE. With --at-once: only those about
// two at once and about the engine itself, while no statement has changed.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { systemClock } from "../src/base/clock.ts";
import { DEFAULTS } from "../src/base/config.ts";
import { createLog } from "../src/base/log.ts";
import { startServer } from "../src/whole/server.ts";
import { AT_ONCE, PARTS, WHOLE } from "./on-postgres.ts";
import { isAlone, pathOf, runTests } from "./suites.ts";
import { textOf, AS_EXECUTED } from "./support/notes.ts";
import { withoutIndex } from "./support/postgres-plans.ts";

type Paths = { readonly paths: Readonly<Record<string, object>> };
const NOTES = "dist/executed";

type Statement = { readonly place: string; readonly verb: string; readonly text: string };

/** What only SQLite executes, and what goes over a connection without `PostgresStatements`. */
const ELSEWHERE = /^src\/store\/(sqlite\/|postgres\/(engine|connection|migrations)\.|copy\/)/;
/** For a store of one process, after that has died; for its pages, and for its index of what a search looks in. */
const ON_SQLITE = [
  ...["moveTogether", "endLeases", "endCallLeases", "endMessageLeases", "endMailboxLeases"],
  "abandonAllStaging",
  ...["indexPiece", "hasPieceToIndex", "notIndexed"],
];

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

/** `GET /contacts/{id}` and the like; without those that a test cannot bring to an answer below 400 on its own. */
async function documentedRoutes(): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), "posthorn-routes-"));
  const http = { ...DEFAULTS.http, port: 0 };
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: console.error });
  await using server = await startServer({ ...DEFAULTS, http, data: { dir } }, { log, loops: "settled by hand" });
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as Paths;
  rmSync(dir, { recursive: true });
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
}

type Chosen = { readonly names?: readonly string[]; readonly processes?: number };

/** All tests of these files, or those whose names contain one of `names`. */
function run(files: readonly string[], { names = [], ...processes }: Chosen = {}): Promise<boolean> {
  const some = names.length === 0 ? [] : ["-t", names.map(RegExp.escape).join("|")];
  const options = ["--preload", "./test/support/notes.ts", ...some];
  return runTests(files.map(pathOf), {
    engine: "postgres",
    ...processes,
    options,
    env: { POSTHORN_TEST_NOTES: NOTES },
  });
}

rmSync(NOTES, { recursive: true, force: true });
if (process.argv.includes("--at-once")) process.exit((await run(AT_ONCE)) ? 0 : 1);
for (const [file, names] of Object.entries<readonly string[]>(PARTS)) {
  const text = readFileSync(`test/${file}.test.ts`, "utf8");
  for (const name of names.filter((one) => !text.includes(one))) throw new Error(`${file} has no test “${name}”.`);
}
const [timed = [], others = []] = [true, false].map((wanted) => WHOLE.filter((file) => isAlone(file) === wanted));
const passed = [
  await run(others),
  await run(Object.keys(PARTS), { names: Object.values<readonly string[]>(PARTS).flat() }),
  await run(timed, { processes: 1 }),
];
if (!passed.every(Boolean)) process.exit(1);
const executed = executedTexts(NOTES);
const routes = await documentedRoutes();
const silent = routes.filter((route) => !executed.has(route));
for (const route of silent) console.log(`${route}: no test on PostgreSQL got an answer.`);
console.log(`${routes.length - silent.length} of ${routes.length} routes were answered on PostgreSQL.`);
const statements = [...new Bun.Glob("src/**/*.ts").scanSync()]
  .filter((path) => !ELSEWHERE.test(path))
  .sort()
  .flatMap(statementsOf)
  .filter(({ verb }) => !ON_SQLITE.includes(verb));
const missed = statements.filter(({ text }) => !executed.has(text));
for (const { place, verb, text } of missed)
  console.log(`${place} ${verb}: ${text.replace(/\s+/g, " ").trim().slice(0, 120)}`);
console.log(`${statements.length - missed.length} of ${statements.length} statements were executed on PostgreSQL.`);
const whole = [...executed]
  .filter((text) => text.startsWith(AS_EXECUTED))
  .map((text) => text.slice(AS_EXECUTED.length));
const scans = await withoutIndex(whole.filter((text) => /^\s*(select|with|update|delete|insert)\b/i.test(text)));
for (const scan of scans) console.log(scan);
console.log(`${whole.length - scans.length} of ${whole.length} statements follow an index on PostgreSQL.`);
process.exit(missed.length + silent.length + scans.length === 0 ? 0 : 1);

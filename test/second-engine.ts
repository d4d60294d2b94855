// The tests of the second engine: those that between them execute each statement of src/ and bring each route to an answer; that
// they do is checked at the end. All other tests run on SQLite alone. `bun run test:engine`, with POSTHORN_TEST_DATABASE.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { systemClock } from "../src/clock.ts";
import { DEFAULTS } from "../src/config.ts";
import { createLog } from "../src/log.ts";
import { startServer } from "../src/server.ts";
import { textOf } from "./support/notes.ts";

type Paths = { readonly paths: Readonly<Record<string, object>> };
/** Below test/; a folder ends with a slash. */
const FILES: readonly string[] = [
  "api/bulk",
  "api/campaigns",
  "api/contacts-erase-mails",
  "api/contacts-erase",
  "api/contacts-fields",
  "api/contacts-list",
  "api/domain-watch",
  "api/emails-content",
  "api/emails-list",
  "api/emails-resend",
  "api/emails-retry",
  "api/double-opt-in",
  "api/events",
  "api/import",
  "api/isolation",
  "api/keys",
  "api/mail-states",
  "api/overview",
  "api/search",
  "api/seldom-asked",
  "api/workflows",
  "api/workspace",
  "api/workspaces",
  "backup/",
  "campaigns/run",
  "cli-records",
  "contacts/at-once",
  "crash-postgres",
  "delivery/queue",
  "delivery/stopping",
  "emails/feedback",
  "events/dispatch",
  "inbound/intake",
  "inbound/scanners",
  "inbound/take-notice",
  "operation/",
  "retention/",
  "segments/condition",
  "segments/membership",
  "smtp/door",
  "smtp/large",
  "smtp/where",
  "statistics/mail-statistics",
  "store/",
  "team/",
  "workflows/crash",
  "workflows/engine",
  "workflows/forgetting",
  "workflows/schedule",
  "workflows/webhook-attempts",
  "workflows/webhooks",
];
const NOTES = "dist/executed";

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

rmSync(NOTES, { recursive: true, force: true });
const paths = FILES.map((file) => `test/${file}${file.endsWith("/") ? "" : ".test"}`);
const run = ["run", "test:files", "--parallel=2", "--preload", "./test/support/notes.ts", ...paths];
const tests = Bun.spawn([process.execPath, ...run], {
  stdio: ["ignore", "inherit", "inherit"],
  env: { ...process.env, POSTHORN_TEST_NOTES: NOTES },
});
if ((await tests.exited) !== 0) process.exit(1);
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
process.exit(missed.length + silent.length === 0 ? 0 : 1);

// `posthorn import-from`: its options, its key, its report.
import { readFileSync, writeFileSync } from "node:fs";
import { systemClock } from "../../../base/clock.ts";
import { remoteFrom } from "../../../base/config.ts";
import { misused } from "../arguments.ts";
import { grouped, ProgressLine } from "../progress.ts";
import { askRemote, AwayError, RefusedError, remoteAt, REMOTE_OPTIONS, type Remote } from "../remote-call.ts";
import type { Option, Verb, VerbCall } from "../verb.ts";
import { SourceCalls, type Pause } from "../../../desk/moving/calls.ts";
import { fieldsOf, textOf } from "../../../desk/moving/fields.ts";
import { moveOn } from "../../../desk/moving/move.ts";
import { addressOf, isKey, PRODUCT_NAMES, PRODUCTS, type ProductName } from "../../../desk/moving/products.ts";
import { reportText } from "../../../desk/moving/report.ts";
import { MoveServer, type OwnCall } from "../../../desk/moving/server.ts";
import type { MoveSource } from "../../../desk/moving/source.ts";
import type { MoveState } from "../../../desk/moving/record.ts";
import { newState } from "../../../desk/moving/state.ts";
import { readState, writeState } from "./state-file.ts";

const { url, key, json } = REMOTE_OPTIONS as Record<"url" | "key" | "json", Option>;

export const IMPORT_FROM: Verb = {
  name: "import-from",
  argument: PRODUCT_NAMES.join("|"),
  summary: "Copies people, lists, templates and suppressions from another product by its API",
  isRemote: true,
  notes: [
    "It only reads there. Run the same command again if it was interrupted: it goes on where it was, and nothing comes twice.",
    "The key is sent to that product alone and kept nowhere.",
  ],
  options: {
    "key-file": {
      value: "FILE",
      needed: true,
      help: "A file with the key of that product; - reads it from the standard input",
    },
    "base-url": { value: "URL", help: "Where that product is, if it is on a server of yours" },
    state: { value: "FILE", help: "Where the command keeps how far it is (default: import-from-PRODUCT.json)" },
    report: { value: "FILE", help: "Writes the report there, as Markdown or (.json) JSON, rather than printing it" },
    "dry-run": { help: "Only says what there is and what would come" },
    ...{ url, key: { ...key, help: "A secret key of the server (default: POSTHORN_KEY)" }, json },
  },
  run: importFrom,
};

/** Records that are written together. */
const ENOUGH = 500;

async function importFrom(call: VerbCall): Promise<void> {
  const product = call.argument as ProductName;
  const source: MoveSource | undefined = PRODUCT_NAMES.includes(product) ? PRODUCTS[product] : undefined;
  if (source === undefined) throw misused(IMPORT_FROM, `knows ${PRODUCT_NAMES.join(", ")}, and not ${product}`);
  const sourceKey = await keyIn(call);
  const given = call.text("base-url") ?? null;
  if (given === null && source.baseUrl(sourceKey) === null)
    throw misused(IMPORT_FROM, `needs --base-url URL: where is your ${source.title}?`);
  const from = addressOf(source, sourceKey, given);
  const known = remoteFrom(call.io.env);
  const remote = remoteAt(call.text("url") ?? known.url, call.text("key") ?? known.key);
  const isDry = call.flag("dry-run");
  const into = textOf(fieldsOf(await askRemote(remote, "GET /workspace"))["id"]);
  const file = isDry ? null : (call.text("state") ?? `import-from-${product}.json`);
  const about = { product, from, into };
  const begun = file === null ? null : readState(file, about);
  let state = begun ?? newState(about, systemClock.nowMs());
  const pause: Pause = call.io.pause ?? Bun.sleep;
  const calls = new SourceCalls({ ...source, key: sourceKey, baseUrl: from }, systemClock, pause);
  const server = new MoveServer(callOf(remote), pause, isDry);
  const progress = new ProgressLine(call.io, systemClock);
  const tell = (part: string, total: number | undefined) => {
    const there = total === undefined ? "" : ` (${grouped(total)} there)`;
    progress.at(`${part}${there}: ${grouped(state.counts.people.read)} people copied so far`);
  };
  try {
    while (state.finishedAt === null) {
      state = await moveOn({ source, calls, server, clock: systemClock, enough: ENOUGH, tell }, state);
      if (file !== null) writeState(file, state);
    }
  } catch (error) {
    progress.end();
    if (file !== null) call.io.err(`${file} says how far it is: the same command goes on there.`);
    throw error;
  }
  progress.end();
  report(call, state, { title: source.title, isDry });
  if (begun?.finishedAt) call.io.err(`This was done before. To copy again what is new there, remove ${file}.`);
}

/** Calls of a server on any machine. */
function callOf(remote: Remote): OwnCall {
  return async (route, body, once) => {
    try {
      return { status: 200, body: await askRemote<unknown>(remote, route, body, once) };
    } catch (error) {
      if (error instanceof AwayError) return { status: 503, body: { error: { message: error.message } } };
      if (error instanceof RefusedError)
        return { status: error.status, body: { error: { message: error.message, ...error.details } } };
      throw error;
    }
  };
}

/** @throws Error if the file has no key */
async function keyIn(call: VerbCall): Promise<string> {
  const file = call.text("key-file") as string;
  const bytes = file === "-" ? await call.io.input?.() : readFileSync(file);
  const text = Buffer.from(bytes ?? [])
    .toString()
    .trim();
  if (isKey(text)) return text;
  throw new Error(
    `${file === "-" ? "The standard input" : file} has no key: it is one line of letters, digits and signs.`,
  );
}

function report(call: VerbCall, state: MoveState, about: { readonly title: string; readonly isDry: boolean }): void {
  const file = call.text("report");
  const isJson = file === undefined ? call.flag("json") : file.endsWith(".json");
  const text = isJson ? JSON.stringify({ ...state, dryRun: about.isDry }, null, 2) : reportText(state, about).trimEnd();
  if (file === undefined) call.io.out(text);
  else {
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    call.io.out(`The report is in ${file}.`);
  }
}

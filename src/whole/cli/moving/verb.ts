// `posthorn import-from`: its options, its key, its report.
import { readFileSync, writeFileSync } from "node:fs";
import { iso, systemClock } from "../../../base/clock.ts";
import { remoteFrom } from "../../../base/config.ts";
import { newId } from "../../../base/ids.ts";
import { misused } from "../arguments.ts";
import { ProgressLine } from "../progress.ts";
import { askRemote, remoteAt, REMOTE_OPTIONS } from "../remote-call.ts";
import type { Option, Verb, VerbCall } from "../verb.ts";
import { SourceCalls, type Pause } from "./calls.ts";
import { textOf, fieldsOf } from "./fields.ts";
import { BREVO } from "./brevo.ts";
import { GHOST } from "./ghost.ts";
import { LISTMONK } from "./listmonk.ts";
import { MAILCHIMP } from "./mailchimp.ts";
import { PLUNK } from "./plunk.ts";
import { RESEND } from "./resend.ts";
import { reportText } from "./report.ts";
import { move } from "./move.ts";
import { MoveServer } from "./server.ts";
import type { MoveSource } from "./source.ts";
import { newState, readState, writeState, type MoveState } from "./state.ts";

const SOURCES: Readonly<Record<string, MoveSource>> = {
  listmonk: LISTMONK,
  plunk: PLUNK,
  mailchimp: MAILCHIMP,
  brevo: BREVO,
  resend: RESEND,
  ghost: GHOST,
};

const { url, key, json } = REMOTE_OPTIONS as Record<"url" | "key" | "json", Option>;

export const IMPORT_FROM: Verb = {
  name: "import-from",
  argument: Object.keys(SOURCES).join("|"),
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

async function importFrom(call: VerbCall): Promise<void> {
  const product = call.argument;
  const source = Object.hasOwn(SOURCES, product) ? (SOURCES[product] as MoveSource) : null;
  if (source === null) throw misused(IMPORT_FROM, `knows ${Object.keys(SOURCES).join(", ")}, and not ${product}`);
  const sourceKey = await keyIn(call);
  const from = baseUrlOf(call, source, sourceKey);
  const known = remoteFrom(call.io.env);
  const remote = remoteAt(call.text("url") ?? known.url, call.text("key") ?? known.key);
  const isDry = call.flag("dry-run");
  const into = textOf(fieldsOf(await askRemote(remote, "GET /workspace"))["id"]);
  const file = isDry ? null : (call.text("state") ?? `import-from-${product}.json`);
  const about = { product, from, into };
  const startedAt = iso(systemClock.nowMs());
  const state =
    (file === null ? null : readState(file, about)) ??
    newState({ ...about, id: newId(systemClock.nowMs()), startedAt });
  const pause: Pause = call.io.pause ?? Bun.sleep;
  const calls = new SourceCalls({ ...source, key: sourceKey, baseUrl: from }, systemClock, pause);
  const server = new MoveServer(remote, pause, isDry);
  const progress = new ProgressLine(call.io, systemClock);
  const keep = (now: MoveState) => (file === null ? undefined : writeState(file, now));
  try {
    const done = await move(
      { source, calls, server, clock: systemClock, keep, tell: (line) => progress.at(line) },
      state,
    );
    progress.end();
    tell(call, done, { title: source.title, isDry });
    if (state.finishedAt !== null)
      call.io.err(`This was done before. To copy again what is new there, remove ${file}.`);
  } catch (error) {
    progress.end();
    if (file !== null) call.io.err(`${file} says how far it is: the same command goes on there.`);
    throw error;
  }
}

/** @throws Error if there is none */
async function keyIn(call: VerbCall): Promise<string> {
  const file = call.text("key-file") as string;
  const bytes = file === "-" ? await call.io.input?.() : readFileSync(file);
  const text = Buffer.from(bytes ?? [])
    .toString()
    .trim();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new Error(
    `${file === "-" ? "The standard input" : file} has no key: it is one line of letters, digits and signs.`,
  );
}

/** @throws Error if it is missing or no address of a server */
function baseUrlOf(call: VerbCall, source: MoveSource, sourceKey: string): string {
  const given = call.text("base-url") ?? source.baseUrl(sourceKey);
  if (given === null) throw misused(IMPORT_FROM, `needs --base-url URL: where is your ${source.title}?`);
  const at = URL.parse(given);
  if (at && /^https?:$/.test(at.protocol) && !at.username && !at.search && !at.hash) return at.href.replace(/\/+$/, "");
  throw misused(IMPORT_FROM, "needs a URL such as https://lists.example.com after --base-url");
}

function tell(call: VerbCall, state: MoveState, about: { readonly title: string; readonly isDry: boolean }): void {
  const file = call.text("report");
  const isJson = file === undefined ? call.flag("json") : file.endsWith(".json");
  const report = isJson
    ? JSON.stringify({ ...state, dryRun: about.isDry }, null, 2)
    : reportText(state, about).trimEnd();
  if (file === undefined) call.io.out(report);
  else {
    writeFileSync(file, `${report}\n`, { mode: 0o600 });
    call.io.out(`The report is in ${file}.`);
  }
}

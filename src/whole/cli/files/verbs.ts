// `posthorn pull`, `plan` and `apply`: email as code. A directory of files says what a workspace says.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MINUTE_MS } from "../../../base/clock.ts";
import { variableIn } from "../../../base/config.ts";
import type { FileChange, FileChanges, FileKind } from "../../../desk/files/record.ts";
import { askRemote, RefusedError, remoteOf, REMOTE_OPTIONS, type Remote } from "../remote-call.ts";
import type { Verb, VerbCall } from "../verb.ts";
import { changedLines } from "./diff.ts";
import { FIELDS_ENDING, filesOf, partFiles, withVariables, type FileFields } from "./layout.ts";
import { placedFaults, readItems } from "./read.ts";

const PRUNE = { help: "Delete what was kept in files and has none any more" };

const PULL: Verb = {
  name: "pull",
  argument: "DIR",
  summary: "Writes templates, segments, workflows and more of a workspace as files",
  isRemote: true,
  notes: ["Files of the same names are replaced; those of things that are deleted since the last pull are removed."],
  options: REMOTE_OPTIONS,
  run: pull,
};

const PLAN: Verb = {
  name: "plan",
  argument: "DIR",
  summary: "Shows what the files of a directory would change in a workspace",
  isRemote: true,
  notes: [
    "Exits with 0 if nothing would change, 2 if something would, 3 if somebody has changed it since the last pull.",
  ],
  options: { prune: PRUNE, ...REMOTE_OPTIONS },
  run: plan,
};

const APPLY: Verb = {
  name: "apply",
  argument: "DIR",
  summary: "Has a workspace say what the files of a directory say, all of it or nothing",
  isRemote: true,
  notes: ["Exits with 3, and changes nothing, if somebody has changed something of it since the last pull."],
  options: { prune: PRUNE, ...REMOTE_OPTIONS },
  run: apply,
};

export const FILE_VERBS: readonly Verb[] = [PULL, PLAN, APPLY];

const [CHANGES, CONFLICT] = [2, 3];
const STATE_FILE = ".posthorn.json";

/** When each item was saved that the last pull wrote, and in which workspace. */
type PullState = { readonly projectId: string; readonly items: Readonly<Record<string, string>> };
const NO_PULL: PullState = { projectId: "", items: {} };

type PulledItem = {
  readonly kind: FileKind;
  readonly name: string;
  readonly updatedAt: string;
  readonly fields: FileFields;
};

async function pull(call: VerbCall): Promise<void> {
  const remote = patient(remoteOf(call));
  const directory = call.argument;
  const { projectId } = await askRemote<KeptList>(remote, "GET /content?kept=true");
  const items = await allItems(remote);
  const before = stateIn(directory, projectId);
  const local = await readItems(directory, () => "");
  const writtenOf = new Map(local.items.map(({ kind, name, written }) => [`${kind}/${name}`, written]));
  for (const { kind, name, fields } of items) {
    const written = withVariables(fields, writtenOf.get(`${kind}/${name}`)) as FileFields;
    const files = await filesOf(kind, name, written);
    for (const path of pathsOf(kind, name)) if (!files.has(path)) rmSync(join(directory, path), { force: true });
    for (const [path, text] of files) writeTo(join(directory, path), text);
  }
  const now = Object.fromEntries(items.map(({ kind, name, updatedAt }) => [`${kind}/${name}`, updatedAt]));
  const gone = Object.keys(before.items).filter((one) => !(one in now));
  for (const one of gone) {
    const [kind, name] = one.split("/") as [FileKind, string];
    for (const path of pathsOf(kind, name)) rmSync(join(directory, path), { force: true });
  }
  writeTo(join(directory, STATE_FILE), `${JSON.stringify({ projectId, items: now }, null, 2)}\n`);
  const removed = gone.length === 0 ? "" : ` Removed the files of ${gone.join(", ")}.`;
  call.io.out(
    call.flag("json")
      ? JSON.stringify({ written: Object.keys(now), removed: gone })
      : `Wrote ${counted(items.length, "item")} into ${directory}.${removed}`,
  );
}

async function allItems(remote: Remote): Promise<PulledItem[]> {
  const items: PulledItem[] = [];
  for (let after: string | null = ""; after !== null;) {
    const query = after === "" ? "" : `?${new URLSearchParams({ after })}`;
    const piece: { items: PulledItem[]; next: string | null } = await askRemote(remote, `GET /content/items${query}`);
    items.push(...piece.items);
    after = piece.next;
  }
  return items;
}

function pathsOf(kind: FileKind, name: string): string[] {
  return [FIELDS_ENDING, ...partFiles(kind).map(([, ending]) => ending)].map((ending) => `${kind}/${name}${ending}`);
}

function writeTo(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The state that the last pull from this workspace has noted. */
function stateIn(directory: string, projectId: string): PullState {
  const file = join(directory, STATE_FILE);
  if (!existsSync(file)) return NO_PULL;
  const state = JSON.parse(readFileSync(file, "utf8")) as PullState;
  return state.projectId === projectId ? state : NO_PULL;
}

async function plan(call: VerbCall): Promise<number> {
  const { answer, stays } = await requestChanges(call, "plan");
  if (answer === null) return 1;
  await tell(call, answer, stays);
  if (answer.changes.some(({ conflict }) => conflict !== null)) return CONFLICT;
  return answer.changes.length > 0 ? CHANGES : 0;
}

async function apply(call: VerbCall): Promise<number> {
  try {
    const { answer, stays } = await requestChanges(call, "apply");
    if (answer === null) return 1;
    await tell(call, answer, stays);
    return 0;
  } catch (error) {
    if (!(error instanceof RefusedError) || error.details?.reason !== "saved_since") throw error;
    call.io.err(
      [
        "Nothing was changed.",
        ...(error.details.errors ?? []).map((one) => one.message),
        error.details.suggestion,
      ].join("\n"),
    );
    return CONFLICT;
  }
}

type KeptList = {
  readonly projectId: string;
  readonly items: readonly {
    readonly kind: FileKind;
    readonly name: string;
    readonly updatedAt: string;
    readonly appliedAt: string | null;
  }[];
};

type ApplyAnswer = { readonly answer: FileChanges | null; readonly stays: readonly string[] };

/** `stays`: what was kept in files and has none any more, and is not deleted. Faults of the files are told here. */
async function requestChanges(call: VerbCall, what: "plan" | "apply"): Promise<ApplyAnswer> {
  const remote = patient(remoteOf(call));
  const { items, faults } = await readItems(call.argument, (name) => variableIn(name, call.io.env));
  if (faults.length > 0) return tellFaults(call, faults);
  const { projectId, items: there } = await askRemote<KeptList>(remote, "GET /content");
  const seen = stateIn(call.argument, projectId).items;
  const pulled = new Map((await allItems(remote)).map((one) => [`${one.kind}/${one.name}`, one]));
  const withTime = (kind: FileKind, name: string) => {
    const ifUpdatedAt = seen[`${kind}/${name}`];
    return { kind, name, ...(ifUpdatedAt === undefined ? {} : { ifUpdatedAt }) };
  };
  const local = new Set(items.map(({ kind, name }) => `${kind}/${name}`));
  const gone = there.filter(({ kind, name, appliedAt }) => {
    const path = `${kind}/${name}`;
    return !local.has(path) && (appliedAt !== null || path in seen);
  });
  const isPruned = call.flag("prune");
  const body = {
    items: items.map(({ kind, name, fields }) => {
      const now = pulled.get(`${kind}/${name}`);
      // Unchanged items are sent by name only, so a directory may exceed a request's limit.
      if (now && Bun.deepEquals(now.fields, fields)) return { kind, name, ifUpdatedAt: now.updatedAt };
      return { ...withTime(kind, name), fields };
    }),
    remove: isPruned ? gone.map(({ kind, name }) => withTime(kind, name)) : [],
  };
  try {
    const answer = await askRemote<FileChanges>(remote, `POST /content/${what}`, body);
    return { answer, stays: isPruned ? [] : gone.map(({ kind, name }) => `${kind}/${name}`) };
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 422) throw error;
    return tellFaults(call, placedFaults(error.details?.errors ?? [], items));
  }
}

function tellFaults(call: VerbCall, faults: readonly string[]): ApplyAnswer {
  call.io.err([`${counted(faults.length, "fault")}; nothing was changed.`, ...faults].join("\n"));
  return { answer: null, stays: [] };
}

const SIGN = { create: "+", change: "~", delete: "-" } as const;

async function tell(call: VerbCall, answer: FileChanges, stays: readonly string[]): Promise<void> {
  if (call.flag("json")) return call.io.out(JSON.stringify({ ...answer, stays }));
  for (const change of answer.changes) for (const line of await linesOf(change)) call.io.out(line);
  if (stays.length > 0) call.io.out(`Without files, but not deleted without --prune: ${stays.join(", ")}`);
  const sum = (action: FileChange["action"]) => answer.changes.filter((one) => one.action === action).length;
  call.io.out(
    `${sum("create")} new, ${sum("change")} changed, ${sum("delete")} deleted, ${answer.unchanged} as they were.`,
  );
}

async function linesOf(change: FileChange): Promise<string[]> {
  const { kind, name, action, people, conflict } = change;
  const notes = people === null ? [] : peopleWords(people);
  const head = `${SIGN[action]} ${kind}/${name}${notes.length > 0 ? `  (${notes.join(", ")})` : ""}`;
  const saved = conflict && `! ${conflict.by ?? "Somebody"} saved it at ${conflict.updatedAt}, after the last pull.`;
  const lines = action === "change" ? await changesIn(change) : [];
  return [head, ...[...(saved ? [saved] : []), ...lines].map((line) => `    ${line}`)];
}

async function changesIn({ kind, name, before, after }: FileChange): Promise<string[]> {
  const [old, fresh] = [await filesOf(kind, name, before ?? {}), await filesOf(kind, name, after ?? {})];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])];
  const lines = paths.flatMap((path) => {
    const changed = changedLines(old.get(path) ?? "", fresh.get(path) ?? "");
    return changed.length === 0 ? [] : [path, ...changed.map((line) => `  ${line}`)];
  });
  return lines.length > 0 ? lines : ["a secret, or space at the end of a line"];
}

function peopleWords({ enter, leave, stay, approximate }: NonNullable<FileChange["people"]>): string[] {
  const about = approximate ? "about " : "";
  return [
    ...(enter > 0 ? [`${about}${counted(enter, "person", "people")} would enter`] : []),
    ...(leave > 0 ? [`${about}${counted(leave, "person", "people")} would leave`] : []),
    ...(stay > 0 ? [`${counted(stay, "person", "people")} inside go on as they started`] : []),
  ];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Hundreds of items take a while. */
function patient(remote: Remote): Remote {
  return { ...remote, waitMs: 5 * MINUTE_MS };
}

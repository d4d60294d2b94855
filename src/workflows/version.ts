// Versions: a workflow as it was when an execution started on it. They never change, so they are read once.
import { BoundedMap } from "../bounded-map.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Definition, Step } from "./definition.ts";
import { insertVersion, versionBySeq, versionOf, type StartableRow, type VersionRow } from "./version-queries.ts";
import { stepsOf, transitionsOf } from "./queries.ts";
import { definitionOf } from "./workflow.ts";

export type Version = Definition & {
  readonly workflowId: string;
  readonly name: string;
};

export type NumberedVersion = { readonly seq: number; readonly version: Version };

/** The version of the workflow as it stands; made if nothing has started on it yet. */
export async function currentVersion(tx: Tx, workflow: StartableRow): Promise<NumberedVersion> {
  const name = { workflow: workflow.seq, revision: workflow.revision };
  const kept = await versionOf(tx, name);
  if (kept) return read(kept);
  const [steps, transitions] = [await stepsOf(tx, workflow.seq), await transitionsOf(tx, workflow.seq)];
  const version: Version = {
    workflowId: workflow.id,
    name: workflow.name,
    ...definitionOf({ steps, transitions }),
  };
  await insertVersion(tx, name, JSON.stringify(version));
  return read((await versionOf(tx, name)) as VersionRow);
}

/** The step with which all begins. */
export function triggerOfVersion({ steps }: Version): Step {
  return steps.find(({ type }) => type === "TRIGGER") as Step;
}

function read({ seq, definition }: VersionRow): NumberedVersion {
  return { seq, version: JSON.parse(definition) as Version };
}

const MAX_CACHED = 200;
/** Characters of JSON in all: a version may have megabytes. */
const MAX_CACHED_CHARS = 10_000_000;

/** Versions that were asked for lately. */
export class Versions {
  readonly #cached = new BoundedMap<number, Version>(MAX_CACHED, MAX_CACHED_CHARS);

  async bySeq(reader: Reader, seq: number): Promise<Version> {
    const cached = this.#cached.get(seq);
    if (cached) return cached;
    const row = (await versionBySeq(reader, seq)) as VersionRow;
    const { version } = read(row);
    this.#cached.set(seq, version, row.definition.length);
    return version;
  }
}

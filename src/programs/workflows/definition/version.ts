// Versions: definitions as executions run on them. One is stored at the first start on a revision, and never changes,
// except for the address of an erased person.
//
// A workflow listens to the events of its current definition and of every version on which executions still run. A
// start holds the workflow (`holdWorkflow`), so that on PostgreSQL no other transaction changes or deletes it at that
// moment.
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { WorkflowStep } from "./definition.ts";
import {
  insertVersion,
  versionBySeq,
  versionOfRevision,
  type StoredVersion,
  type WorkflowVersion,
  type Workflow,
} from "./queries.ts";
import { stepsOf, transitionsOf } from "./steps/step-queries.ts";

/** The version of the workflow as it is now. */
export async function currentVersion(tx: Tx, workflow: Workflow): Promise<StoredVersion> {
  const at = { workflow: workflow.seq, revision: workflow.revision };
  const stored = await versionOfRevision(tx, at);
  if (stored) return stored;
  const [steps, transitions] = [await stepsOf(tx, workflow.seq), await transitionsOf(tx, workflow.seq)];
  await insertVersion(tx, at, {
    workflowId: workflow.id,
    name: workflow.name,
    ...(workflow.entryKey === null ? {} : { entryKey: workflow.entryKey }),
    steps: steps.map(({ id, type, name, config, spelling }) => ({
      ...({ id, type, name, config } as WorkflowStep),
      ...(spelling ? { spelling } : {}),
    })),
    transitions: transitions.map(({ from, to, branch }) => ({ from, to, branch })),
  });
  return (await versionOfRevision(tx, at)) as StoredVersion;
}

const MAX_CACHED = 200;
/** Characters of JSON in all: a version may have megabytes. */
const MAX_CACHED_CHARS = 10_000_000;

/** Versions that were used lately. */
export class Versions {
  readonly #cached = new BoundedMap<number, WorkflowVersion>(MAX_CACHED, MAX_CACHED_CHARS);

  async bySeq(reader: Reader, seq: number): Promise<WorkflowVersion> {
    const cached = this.#cached.get(seq);
    if (cached) return cached;
    const { version, chars } = await versionBySeq(reader, seq);
    this.#cached.set(seq, version, chars);
    return version;
  }
}

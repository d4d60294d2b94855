// The audit log: who changed what. What a person does through the routes is noted at the door, in the transaction of
// the change.
import { newId } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import type { By } from "../access/caller.ts";
import { insertEntry } from "./audit-queries.ts";

export type Act = {
  readonly by: By;
  readonly action: string;
  /** 0 = none: it concerns the installation. */
  readonly workspace?: number;
  readonly target?: string | null;
  readonly requestId?: string | null;
};

/** Signalled when there is a new entry. */
export const CHANGE_NOTED = "change noted";

export const COMMAND_LINE: By = { kind: "COMMAND_LINE", id: null, name: null };

export async function noteAct(tx: Tx, { by, action, workspace, target, requestId }: Act): Promise<void> {
  await insertEntry(tx, {
    id: newId(tx.nowMs),
    workspace: workspace || null,
    kind: by.kind,
    actor: by.id,
    actorName: by.name,
    action,
    target: target ?? null,
    requestId: requestId ?? null,
  });
  tx.signal(CHANGE_NOTED);
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** The record that a call changed: the one in its path, or the one that it made. */
export function targetOf(request: Request, answer: unknown): string | null {
  const [inPath] = ID.exec(new URL(request.url).pathname) ?? [];
  const { id, jobId, data } = (answer ?? {}) as { id?: unknown; jobId?: unknown; data?: { id?: unknown } };
  const made = [id, jobId, data?.id].find((one) => typeof one === "string");
  return inPath ?? (made as string | undefined) ?? null;
}

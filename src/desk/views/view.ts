// Saved views: a named filter of a list, of one person or of the whole workspace.
import { AppError, limitReached } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { deleteView, insertView, viewById, viewsFor, type ViewOwner } from "./queries.ts";
import { viewRecord, type View, type ViewInput } from "./record.ts";

/** The limit of the workspace's own, and of each person's. */
const MOST_VIEWS = 50;

function seenBy({ workspace, person }: Caller): ViewOwner {
  return { workspace, person: person?.user ?? null };
}

/** The workspace's first, each in the order in which they were saved. */
export async function listViews(reader: Reader, caller: Caller, list: string): Promise<View[]> {
  const views = (await viewsFor(reader, { ...seenBy(caller), list })).map(viewRecord);
  return [...views.filter(({ shared }) => shared), ...views.filter(({ shared }) => !shared)];
}

/** @throws AppError FORBIDDEN if the caller may not share views; CONFLICT if there are too many, or one has the name */
export async function saveView(tx: Tx, caller: Caller, { list, name, filter, shared }: ViewInput): Promise<View> {
  const isShared = shared ?? caller.person === null;
  if (isShared) refuseToShare(caller);
  const owner = { list, workspace: caller.workspace, person: isShared ? null : (caller.person?.user ?? null) };
  // Two concurrent calls would both be within the limit.
  await lockWorkspace(tx, owner.workspace);
  const beside = (await viewsFor(tx, owner)).filter(({ person }) => person === owner.person);
  const trimmed = name.trim();
  if (beside.some((view) => view.name.toLowerCase() === trimmed.toLowerCase()))
    throw new AppError("CONFLICT", `A view with the name ${trimmed} already exists.`, {
      reason: "view_name_taken",
      values: { name: trimmed },
    });
  if (beside.length >= MOST_VIEWS)
    throw limitReached("views", MOST_VIEWS, `There are ${MOST_VIEWS} views already.`, "Remove one first.");
  const id = newId(tx.nowMs);
  await insertView(tx, { ...owner, id, name: trimmed, filter: JSON.stringify(filter) });
  return { id, list, name: trimmed, filter, shared: isShared, createdAt: tx.now };
}

/** @throws AppError VIEW_NOT_FOUND, also for a view of another person; FORBIDDEN */
export async function removeView(tx: Tx, caller: Caller, id: string): Promise<void> {
  const view = await viewById(tx, seenBy(caller), id);
  if (!view) throw new AppError("VIEW_NOT_FOUND", `There is no view ${id}.`);
  if (view.person === null) refuseToShare(caller);
  await deleteView(tx, id);
}

/** Views of the whole workspace are for users who send its mail. */
function refuseToShare({ person }: Caller): void {
  if (person === null || person.permissions.has("mail.send")) return;
  throw new AppError("FORBIDDEN", "Views of the whole workspace need the permission mail.send.", {
    suggestion: "Keep the view for yourself.",
  });
}

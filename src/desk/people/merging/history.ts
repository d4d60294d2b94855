// The history of a merged contact: it moves to the other contact a piece at a time, and comes back when the merge is
// undone.
//
// Processes that still know the contact by its number may write after the merge: the history is read once more some
// minutes later, and before the contact is forgotten.
import { touch } from "../../../tenant/events/outbox.ts";
import { subjectsOfEvent } from "../../../tenant/events/subjects.ts";
import type { Tx } from "../../../store/store.ts";
import { personTables, type MergeDirection } from "../../../store/table.ts";
import { moveImported, moveImportedBack } from "../../../audience/contacts/past/imported-queries.ts";
import { copyAnswersAbout } from "../../../http/queries.ts";
import {
  campaignsAfter,
  moveRecipients,
  moveRecipientsBack,
} from "../../../programs/campaigns/recipients/merge-queries.ts";
import { moveAnswersBack } from "../../../programs/forms/answer-queries.ts";
import { setContact, setOnce } from "../../../programs/workflows/execution/merge-queries.ts";
import { namesOf } from "../../../tenant/events/merge-queries.ts";
import { keepMoved, moveBack, moveSome, takeMoved } from "./moved-queries.ts";
import { keepCampaignsTo, type MergeSource } from "../../../audience/contacts/past/merge-queries.ts";

export type MergeMove = { readonly workspace: number; readonly former: MergeSource; readonly into: number };

/** Moves up to `most` rows of each kind; true = nothing is left. */
export async function movePiece(tx: Tx, moving: MergeMove, most: number): Promise<boolean> {
  const { former, into } = moving;
  const way = { from: former.former, to: into };
  for (const { name: table, person } of personTables()) {
    if (person.onMerge !== "moves") continue;
    const moved = await moveSome(tx, table, way, most);
    if (moved.length === 0) continue;
    await keepMoved(tx, way.from, table, moved);
    if (table === "events") await tellOfEvents(tx, moving.workspace, [into], moved);
    if (moved.length === most) return false;
  }
  if (!(await moveCampaigns(tx, moving, most))) return false;
  const imports = await moveImported(tx, moving.workspace, way);
  if (imports.length > 0) await keepMoved(tx, way.from, "import_changes", imports);
  await copyAnswersAbout(tx, way);
  return true;
}

/** Segments may have conditions on a person's events. */
async function tellOfEvents(tx: Tx, workspace: number, contacts: readonly number[], events: readonly number[]) {
  const subjects = [...new Set((await namesOf(tx, events)).flatMap(subjectsOfEvent))];
  for (const contact of contacts) await touch(tx, { workspace, contact, subjects });
}

/** Reads up to `most` campaigns, from the last place on; true = all were read. */
async function moveCampaigns(tx: Tx, { workspace, former, into }: MergeMove, most: number): Promise<boolean> {
  const campaigns = await campaignsAfter(tx, workspace, former.campaignsTo, most);
  const last = campaigns.at(-1);
  if (last === undefined) return true;
  const moved = await moveRecipients(tx, campaigns, { from: former.former, to: into });
  if (moved.length > 0) await keepMoved(tx, former.former, "recipients", moved);
  await keepCampaignsTo(tx, former.former, last);
  return campaigns.length < most;
}

/** Brings back what one piece has moved; true = nothing is left. */
export async function bringPieceBack(tx: Tx, { workspace, former, into }: MergeMove): Promise<boolean> {
  const taken = await takeMoved(tx, former.former);
  if (taken === null) return true;
  const { kind, moved } = taken;
  const way = { from: former.former, to: into };
  if (kind === "recipients") await moveRecipientsBack(tx, way, moved);
  else if (kind === "import_changes") await moveImportedBack(tx, way, moved);
  else if (kind === "form_answers") await moveAnswersBack(tx, way, moved, former.snapshot.email);
  else if (kind === "once") await enterOnceAgain(tx, way, moved);
  else await moveBack(tx, kind, way, moved);
  if (kind === "events") await tellOfEvents(tx, workspace, [former.former, into], moved);
  return false;
}

/** The executions may be its own already, or not yet. */
async function enterOnceAgain(tx: Tx, { from }: MergeDirection, executions: readonly number[]): Promise<void> {
  await setContact(tx, executions, from);
  await setOnce(tx, executions, 1);
}

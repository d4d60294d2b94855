// A workspace that moves is disabled first, so that its email is sent by one server alone.
import type { Store } from "../../store/store.ts";
import { switchWorkspace } from "../installation/workspaces.ts";
import { inHand } from "./move-queries.ts";

const LOOK_EVERY_MS = 100;
const LONGEST_WAIT_MS = 120_000;

/**
 * Its requests are refused from now on and its queued mail is held. Resolves once what was under way is over.
 * @throws AppError WORKSPACE_NOT_FOUND; Error in plain words if something is under way for two minutes
 */
export async function stopped(store: Store, idOrName: string): Promise<void> {
  const { workspace } = await store.write((tx) => switchWorkspace(tx, idOrName, false));
  const { clock } = store;
  for (const beganMs = clock.monotonicMs(); ; await Bun.sleep(LOOK_EVERY_MS)) {
    const { mails, calls, changes } = await store.read((reader) => inHand(reader, workspace.seq));
    if (mails + calls + changes === 0) return;
    if (clock.monotonicMs() - beganMs < LONGEST_WAIT_MS) continue;
    throw new Error(
      `${workspace.name} is disabled, and ${mails} emails and ${calls} webhooks are being handed over, and ${changes} changes are still to be told. Nothing was written. Start the server, and try again.`,
    );
  }
}

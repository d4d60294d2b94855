// Campaign commands such as "Pause Spring": finds a campaign that is being sent and runs the command immediately.
import { call } from "../../calls/api.ts";
import { showFault, showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import type { frame } from "../../texts/en/frame.ts";
import type { Hit } from "./hits.ts";

type CommandTexts = (typeof frame)["palette"]["campaign"];
type Action = "pause" | "resume";
type CampaignHit = { readonly id: string; readonly name: string; readonly status: string };

export type CampaignCommand = { readonly move: Action | null; readonly rest: string };

/** Splits the query into a command and the rest. */
export function parseCommand(words: string, t: CommandTexts): CampaignCommand {
  const typed = words.split(/\s+/);
  const at = typed.findIndex((word) => [t.pause, t.resume].includes(word.toLowerCase()));
  if (at === -1 || typed.length === 1) return { move: null, rest: words };
  const action = typed[at]?.toLowerCase() === t.pause ? "pause" : "resume";
  return { move: action, rest: typed.toSpliced(at, 1).join(" ") };
}

export function commandsFor(
  campaigns: readonly CampaignHit[],
  { move: action }: CampaignCommand,
  t: CommandTexts,
): readonly Hit[] {
  if (action === null) return [];
  return campaigns
    .filter(({ status }) => status === "SENDING")
    .map(({ id, name }) => ({
      id: `${action} ${id}`,
      name: t[`${action}Name`](name),
      icon: action === "pause" ? "pause" : "play",
      run: () => void runAction(action, id).then(() => showToast(t[`${action}Done`](name)), showFault),
    }));
}

async function runAction(action: Action, id: string): Promise<void> {
  await call(`POST /campaigns/{id}/${action}`, { id });
  void queries.invalidateQueries({ queryKey: ["campaigns"] });
}

// "Pause Spring", from wherever one is: a campaign on its way is found by its name, and the verb is carried out at
// once.
import { api, unwrap } from "../api.ts";
import { showFault, showToast } from "../parts/toast.tsx";
import { queries } from "../queries.ts";
import type { frame } from "../texts/en/frame.ts";
import type { Hit } from "./hits.ts";

type Texts = (typeof frame)["palette"]["campaign"];
type Move = "pause" | "resume";
type Found = { readonly id: string; readonly name: string; readonly status: string };

export type Said = { readonly move: Move | null; readonly rest: string };

/** What is left of the words without the verb among them. */
export function verbIn(words: string, t: Texts): Said {
  const said = words.split(/\s+/);
  const at = said.findIndex((word) => [t.pause, t.resume].includes(word.toLowerCase()));
  if (at === -1 || said.length === 1) return { move: null, rest: words };
  const move = said[at]?.toLowerCase() === t.pause ? "pause" : "resume";
  return { move, rest: said.toSpliced(at, 1).join(" ") };
}

export function movesOf(campaigns: readonly Found[], { move }: Said, t: Texts): readonly Hit[] {
  if (move === null) return [];
  return campaigns
    .filter(({ status }) => status === "SENDING")
    .map(({ id, name }) => ({
      id: `${move} ${id}`,
      name: t[`${move}Name`](name),
      icon: move === "pause" ? "pause" : "play",
      run: () => void carryOut(move, id).then(() => showToast(t[`${move}Done`](name)), showFault),
    }));
}

async function carryOut(move: Move, id: string): Promise<void> {
  const params = { path: { id } };
  await (move === "pause"
    ? unwrap(api.POST("/campaigns/{id}/pause", { params }))
    : unwrap(api.POST("/campaigns/{id}/resume", { params })));
  void queries.invalidateQueries({ queryKey: ["campaigns"] });
}

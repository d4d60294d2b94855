// Adds contacts to a static segment or removes them: by their addresses, or by a job for all that match a filter.
import { useMutation } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { showToast } from "../parts/overlays/toast.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { peopleChanged } from "./calls.ts";
import type { ContactSelection } from "./filters.ts";
import { jobDone } from "./bulk/use-bulk.ts";

/** The contacts to add or remove. */
export type MemberSelection =
  { readonly emails: readonly string[] } | { readonly filter: ContactSelection } | { readonly segmentId: string };

export type Move = {
  readonly action: "add" | "remove";
  readonly id: string;
  readonly name: string;
  readonly whom: MemberSelection;
};

/** The API's limit of addresses in one call. */
const EMAILS_A_CALL = 500;

/** The opposite action undoes it, but only for contacts that are known by address. */
export function useMembers(done: () => void) {
  const t = useTexts(peopleTexts);
  const undo = useMutation({ mutationFn: moveMembers, onSettled: peopleChanged });
  const { mutate, isPending } = useMutation({
    mutationFn: moveMembers,
    onSuccess: (count, move) => {
      done();
      const { action, name, whom } = move;
      const text = action === "add" ? t.bulk.added(count, name) : t.bulk.removed(count, name);
      if (!("emails" in whom)) return showToast(text);
      const back = { ...move, action: action === "add" ? "remove" : "add" } as const;
      showToast(text, { name: t.undo, icon: "undo", run: () => undo.mutate(back) });
    },
    onSettled: peopleChanged,
  });
  return { move: mutate, isMoving: isPending };
}

/** Returns the number of contacts moved. */
export async function moveMembers({ action, id, whom }: Move): Promise<number> {
  let count = 0;
  for (const body of callsFor(whom)) {
    const route = action === "add" ? "POST /segments/{id}/members" : "DELETE /segments/{id}/members";
    const answer = await call(route, { id, body });
    if ("jobId" in answer) count += (await jobDone(String(answer.jobId))).result.successCount;
    else if ("emails" in body) count += body.emails.length;
  }
  return count;
}

function callsFor(whom: MemberSelection): readonly MemberSelection[] {
  if (!("emails" in whom)) return [whom];
  const { emails } = whom;
  const starts = Array.from({ length: Math.ceil(emails.length / EMAILS_A_CALL) }, (_, at) => at * EMAILS_A_CALL);
  return starts.map((start) => ({ emails: emails.slice(start, start + EMAILS_A_CALL) }));
}

// The cause of a change of a contact, in the words of the interface.
import { RECIPIENT_PAGE } from "../../audience/contacts/sign-up/sign-up.ts";
import type { Reader } from "../../store/store.ts";
import { causesWith, type CausingJob } from "../../audience/consent/cause-queries.ts";
import type { ChangeOrigin } from "./record.ts";

/** `by`: the person of the team. */
export type TimelineCause = { readonly by: string | null; readonly via: ChangeOrigin | null };

const NOBODY: TimelineCause = { by: null, via: null };
const FORM = "form ";

/** By the causes, as events and contacts have them (access/caller.ts). */
export async function causesAmong(
  reader: Reader,
  workspace: number,
  causes: readonly (string | null)[],
): Promise<(cause: string | null) => TimelineCause> {
  const ids = [...new Set(causes.flatMap((cause) => cause?.replace(FORM, "") ?? []))];
  const { jobs, keys, users, forms } = await causesWith(reader, workspace, ids);
  return (cause) => {
    if (cause === null) return NOBODY;
    if (cause === RECIPIENT_PAGE) return { by: null, via: { type: "page", name: null, at: null } };
    const id = cause.replace(FORM, "");
    const job = jobs.get(id);
    if (job) return { by: job.by?.kind === "PERSON" ? job.by.name : null, via: viaJob(job) };
    const form = forms.get(id);
    if (form !== undefined) return { by: null, via: { type: "form", name: form, at: null } };
    const name = keys.get(id);
    if (name === undefined) return { ...NOBODY, by: users.get(id) ?? null };
    return { by: null, via: { type: cause === id ? "key" : "public-key", name, at: null } };
  };
}

function viaJob({ operation, fileName, createdAt: at }: CausingJob): ChangeOrigin {
  const type = operation === "IMPORT" ? "import" : operation === "UNDO" ? "undo" : "bulk";
  return { type, name: fileName, at };
}

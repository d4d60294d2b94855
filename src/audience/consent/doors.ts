// The door of each change and its author, derived from the cause while the key, user, job or form still exists.
import type { Reader } from "../../store/store.ts";
import { causesWith, type CausingJob } from "./cause-queries.ts";
import type { LedgerContent, Door } from "./content.ts";

const FORM = "form ";
const PAGE = "page";

/** Replaces `cause`. */
type ActOrigin = Pick<LedgerContent, "by" | "byKey" | "job"> & { readonly door: Door };

export async function doorsAmong(
  reader: Reader,
  workspace: number,
  contents: readonly LedgerContent[],
): Promise<(content: LedgerContent) => LedgerContent> {
  const causes = contents.flatMap(({ cause }) => cause ?? []);
  const ids = [...new Set(causes.filter((cause) => cause !== PAGE).map((cause) => cause.replace(FORM, "")))];
  const { jobs, keys, users, forms } = await causesWith(reader, workspace, ids);
  const entryOf = (cause: string): ActOrigin => {
    if (cause === PAGE) return { door: "page" };
    const id = cause.replace(FORM, "");
    const job = jobs.get(id);
    if (job) return entryOfJob(job);
    if (forms.has(id)) return { door: "form" };
    const key = keys.get(id);
    if (key !== undefined) return { door: id === cause ? "key" : "public-key", by: { id, name: key } };
    return { door: users.has(id) ? "person" : "system", by: { id, name: users.get(id) ?? null } };
  };
  const known = new Map<string | undefined, ActOrigin>([[undefined, { door: "system" }]]);
  for (const cause of causes) if (!known.has(cause)) known.set(cause, entryOf(cause));
  return (content) => {
    const entry = known.get(content.cause) as ActOrigin;
    return { ...content, ...entry, cause: undefined, door: content.door ?? entry.door };
  };
}

const BY_JOB = { IMPORT: "import", SUPPRESS: "import", UNDO: "undo" } as const;

function entryOfJob({ id, operation, fileName: name, by }: CausingJob): ActOrigin {
  const door = operation in BY_JOB ? BY_JOB[operation as keyof typeof BY_JOB] : "bulk";
  if (by === null) return { door, job: { id, name } };
  return {
    ...{ door, job: { id, name }, by: { id: by.id, name: by.name } },
    ...(by.kind === "KEY" ? { byKey: true as const } : {}),
  };
}

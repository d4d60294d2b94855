// /content: email as code. Reads what belongs into a directory, plans and applies its items.
import { t } from "elysia";
import type { Ground } from "../../ground/ground.ts";
import { parameter } from "../../http/schemas.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { get, post, route, routes } from "../../tenant/access/route-table.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { releaseCalls } from "../../programs/workflows/webhook/sender.ts";
import { applyFiles, planFiles } from "./apply.ts";
import { shownNow } from "./item.ts";
import type { FileTerms } from "./kind.ts";
import { namesIn, type NamedRecord, type Names } from "./names.ts";
import { withPeople } from "./people.ts";
import { changesShape, inputShape, keptListShape, pieceShape, type FileKind } from "./record.ts";

/** A piece ends with the item that makes it longer than this, in characters. */
const PIECE_CHARS = 1_000_000;

export function fileRoutes({ config, secrets, store }: Ground, access: Access, catchUp: CatchUp) {
  const termsOf = (caller: Caller): FileTerms => ({
    caller,
    secrets,
    webhookAllow: config.webhooks.allow,
    onEnabled: (tx, workflow) => releaseCalls(tx, [workflow]),
  });
  const writing = { permission: "templates.write", managers: true, forContent: true, body: inputShape } as const;
  return routes(access, [
    get(
      "/content",
      {
        name: "listContent",
        summary: "List what files can keep",
        answers: { 200: keptListShape },
        permission: "read",
        forContent: true,
        query: t.Object({ kept: parameter(t.Boolean(), "`true`: only what an apply has named.") }),
      },
      async (reader, { caller, query }) => {
        const all = listed(await namesIn(reader, caller.workspace, query.kept));
        const items = all.map(([kind, one]) => keptRecord(kind, one));
        return { projectId: caller.workspaceId, items: items.filter(({ appliedAt }) => !query.kept || appliedAt) };
      },
    ),
    get(
      "/content/items",
      {
        name: "exportContent",
        summary: "Read what files can keep",
        answers: { 200: pieceShape },
        permission: "read",
        forContent: true,
        query: t.Object({ after: parameter(t.String({ maxLength: 200 }), "The `next` of the piece before.") }),
        description: "In pieces, with `••••••••` in place of secrets.",
      },
      (reader, { caller, query }) => piece(reader, caller.workspace, query.after ?? null),
    ),
    route(
      "POST",
      "/content/plan",
      {
        ...writing,
        name: "planContent",
        summary: "See what files would change",
        answers: { 200: changesShape },
        harmless: true,
        refuses: ["CONFLICT", "DOMAIN_NOT_ALLOWED"],
      },
      async ({ body, caller }) => {
        const plan = await planFiles(store, termsOf(caller), body);
        await catchUp(caller.workspace);
        return withPeople(store, caller.workspace, plan);
      },
    ),
    post(
      "/content/apply",
      {
        ...writing,
        name: "applyContent",
        summary: "Have the workspace say what files say",
        answers: { 200: changesShape },
        refuses: ["CONFLICT", "PROOF_NEEDED"],
        description:
          "All of it, or nothing. People who are inside a workflow go on by the version on which they started.",
      },
      (tx, { body, caller }) => applyFiles(tx, termsOf(caller), body),
    ),
  ]);
}

function listed({ all }: Names): [FileKind, NamedRecord][] {
  return [...all].flatMap(([kind, ones]) => ones.map((one): [FileKind, NamedRecord] => [kind, one]));
}

function keptRecord(
  kind: FileKind,
  { id, name, updatedAt, kept }: NamedRecord,
): (typeof keptListShape.static)["items"][number] {
  const isChanged = kept !== null && kept.savedAt !== updatedAt;
  return { kind, name, id, updatedAt, appliedAt: kept?.appliedAt ?? null, isChanged };
}

async function piece(reader: Reader, workspace: number, after: string | null): Promise<typeof pieceShape.static> {
  const names = await namesIn(reader, workspace);
  const all = listed(names);
  const from = after === null ? 0 : all.findIndex(([kind, { name }]) => `${kind}/${name}` === after) + 1;
  const items: (typeof pieceShape.static)["items"] = [];
  let chars = 0;
  for (const [kind, one] of all.slice(from)) {
    const fields = await shownNow(reader, workspace, names, kind, one);
    items.push({ kind, name: one.name, updatedAt: one.updatedAt, fields });
    chars += JSON.stringify(fields).length;
    if (chars > PIECE_CHARS) break;
  }
  const last = items.at(-1);
  return { items, next: last && from + items.length < all.length ? `${last.kind}/${last.name}` : null };
}

// GET /contacts/export (interface-gaps.md §3).
import { Elysia, t } from "elysia";
import { answers, content } from "../../http/answers.ts";
import { asQuery } from "../../http/shape.ts";
import { streamed } from "../../http/streamed.ts";
import { secretKey, type Access } from "../../workspaces/auth.ts";
import { exported } from "../export.ts";
import type { Above } from "../jobs/bulk.ts";
import { selectedBy } from "../selection.ts";

const query = t.Object({
  search: t.Optional(t.String({ maxLength: 255 })),
  subscribed: t.Optional(t.Boolean()),
  segmentId: t.Optional(t.String({ maxLength: 100 })),
});

const HEADERS = {
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": 'attachment; filename="contacts.csv"',
};
/** Seconds without a byte, the longest that can be set: before the first line all contacts are looked through for columns. */
const IDLE_TIMEOUT_SECONDS = 255;

/** A file that lacks those whose segment was deleted meanwhile must not look whole: the connection breaks off. */
async function* untilChecked(lines: AsyncGenerator<string>, check: () => Promise<unknown>): AsyncGenerator<string> {
  yield* lines;
  await check();
}

export function exportRoutes(
  access: Access,
  { segmentCondition, catchUp }: Pick<Above, "segmentCondition" | "catchUp">,
) {
  const { store } = access;
  return new Elysia({ prefix: "/contacts" }).use(secretKey(access)).get(
    "/export",
    async ({ query, caller, request, server }) => {
      if (query.segmentId) await catchUp(caller.workspace);
      const select = () => store.read((reader) => selectedBy(reader, caller.workspace, query, segmentCondition));
      const lines = exported(store, caller.workspace, await select());
      server?.timeout(request, IDLE_TIMEOUT_SECONDS);
      return new Response(streamed(untilChecked(lines, select)), { headers: HEADERS });
    },
    {
      query: asQuery(query),
      detail: answers("All contacts as a file", { 200: content("text/csv") }, { refuses: ["SEGMENT_NOT_FOUND"] }),
    },
  );
}

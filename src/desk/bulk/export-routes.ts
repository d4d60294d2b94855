// GET and POST /contacts/export.
import { t } from "elysia";
import { iso } from "../../base/clock.ts";
import { content } from "../../http/answers.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { idInputShape, optional, parameter, timeInputShape } from "../../http/schemas.ts";
import { streamed } from "../../http/replies.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { sayingOf } from "../../audience/topics/choice.ts";
import { sayingShape, topicKeyShape } from "../../audience/topics/record.ts";
import { importedShape, standingShape } from "../../audience/contacts/record.ts";
import { textKeys } from "../../audience/contacts/list/fields.ts";
import type { Selection } from "../../audience/contacts/search/selection-queries.ts";
import { exported } from "./export.ts";
import { selectedBy } from "./selection.ts";

const query = t.Object({
  search: parameter(t.String({ maxLength: 255 }), "As in `GET /contacts`."),
  subscribed: parameter(t.Boolean(), "Only contacts that are subscribed, or only those that are not."),
  status: parameter(
    standingShape,
    "Only those who are subscribed, have unsubscribed, have yet to confirm, or are suppressed.",
  ),
  segmentId: parameter(idInputShape, "Only members of this segment."),
  since: parameter(timeInputShape, "Only contacts that were created then or later."),
  importId: parameter(idInputShape, "Only contacts that this import added or found, as long as it can be undone."),
  topic: parameter(topicKeyShape, "With `choice`: only those who say so of the topic with this key."),
  choice: parameter(sayingShape, "With `topic`: `unsaid` are those who have said nothing of it."),
  bom: parameter(t.Boolean(), "`true`: the file begins with a byte order mark, by which Excel knows that it is UTF-8."),
  imported: parameter(importedShape, "With `importId`: only those that it added, or only those that it found."),
});

const these = t.Object(
  { contactIds: t.Array(idInputShape, { minItems: 1, maxItems: 1000 }), bom: optional(t.Boolean()) },
  { examples: [{ contactIds: ["019c86f1-0000-7000-8000-000000000000"] }] },
);

type ContactExportRequest = {
  readonly caller: Caller;
  readonly request: Request;
  readonly server: Pick<Bun.Server<unknown>, "timeout"> | null;
};

/** The byte order mark by which Excel recognizes UTF-8. */
function markOf(isWanted: boolean | null | undefined): string {
  return isWanted === true ? "\ufeff" : "";
}

const HEADERS = {
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": 'attachment; filename="contacts.csv"',
};
/** Bun's longest idle timeout: all contacts are read for columns before the first line is sent. */
const IDLE_TIMEOUT_SECONDS = 255;

export function exportRoutes(access: Access, catchUp: CatchUp) {
  const { store, clock } = access;
  const file = async ({ caller, request, server }: ContactExportRequest, selection: Selection, mark: string) => {
    if (selection.segmentId) await catchUp(caller.workspace);
    const select = () => store.read((reader) => selectedBy(reader, caller.workspace, selection, clock.nowMs()));
    if (caller.note) await store.write(async (tx) => caller.note?.(tx, null));
    const lines = exported(store, caller, await select(), await textKeys(store, caller.workspace));
    server?.timeout(request, IDLE_TIMEOUT_SECONDS);
    return new Response(streamed(untilChecked(mark, lines, select)), { headers: HEADERS });
  };
  const download = route(
    "GET",
    "/contacts/export",
    {
      name: "exportContacts",
      summary: "Export contacts as CSV",
      answers: { 200: content("text/csv") },
      permission: "people.bulk",
      proof: true,
      query,
      refuses: ["SEGMENT_NOT_FOUND"],
    },
    ({ query: { bom, ...query }, ...asked }) => {
      sayingOf(query, asked.caller.topics);
      const since = query.since === undefined ? null : iso(momentIn("since", query.since));
      return file(asked, { ...query, since }, markOf(bom));
    },
  );
  const downloadThese = route(
    "POST",
    "/contacts/export",
    {
      name: "exportTheseContacts",
      summary: "Export up to 1000 contacts as CSV",
      answers: { 200: content("text/csv") },
      permission: "people.bulk",
      proof: true,
      body: these,
      harmless: true,
      description: "The file is that of `GET /contacts/export`. Contacts that do not exist are left out.",
    },
    ({ body: { contactIds: ids, bom }, ...asked }) => file(asked, { ids }, markOf(bom)),
  );
  return routes(access, [download, downloadThese]);
}

/**
 * Breaks the connection off if the segment was deleted in the meantime: a file without its contacts must not look
 * complete.
 */
async function* untilChecked(
  mark: string,
  lines: AsyncGenerator<string>,
  check: () => Promise<unknown>,
): AsyncGenerator<string> {
  if (mark !== "") yield mark;
  yield* lines;
  await check();
}

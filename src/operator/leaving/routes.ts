// A workspace as one file by the API, for owners: out as a download, in as an upload.
import { Readable } from "node:stream";
import { t } from "elysia";
import { iso } from "../../base/clock.ts";
import type { Ground } from "../../ground/ground.ts";
import { countShape, idShape } from "../../http/answer-shapes.ts";
import { content } from "../../http/answers.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { fileOf } from "../../http/body/multipart.ts";
import { streamed } from "../../http/replies.ts";
import { parameter, timeInputShape } from "../../http/schemas.ts";
import { personBodyUnread, personOnly, type Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { findWorkspace } from "../../tenant/workspaces/workspace.ts";
import { arrive } from "./arrival.ts";
import { leaving } from "./departure.ts";

const OWNERS = { key: "person", permission: "installation", proof: true } as const;

/** A workspace that came in; `counts`: rows by table. */
const arrivedShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    counts: t.Record(t.String(), countShape),
    emails: { ...countShape, description: "Queued, and held until the workspace is enabled." },
    executions: { ...countShape, description: "Of workflows, which wait for that as well." },
    hashes: {
      ...countShape,
      description: "Suppressions of erased people that only an installation with the same key recognizes.",
    },
  },
  { title: "ArrivedWorkspace" },
);

/** Bun's longest idle timeout. */
const IDLE_TIMEOUT_SECONDS = 255;

export function leavingRoutes(access: Access, { store, secrets, config }: Ground) {
  const download = route(
    "GET",
    "/workspaces/:id/export",
    {
      name: "exportWorkspace",
      summary: "Download a workspace as one file",
      answers: { 200: content("application/x-tar") },
      ...OWNERS,
      query: t.Object({
        since: parameter(timeInputShape, "Events, and emails that are of no campaign, since then; all unless given."),
      }),
      refuses: ["WORKSPACE_NOT_FOUND"],
      description:
        "A tar archive of JSON lines, with the rows that are there as it begins; `manifest.json` is its end, so a file without it is cut off. Secrets stay: `posthorn workspace export` can write them. To move a workspace, disable it first.",
    },
    async ({ params, query, request, server, caller }) => {
      const since = query.since === undefined ? null : iso(momentIn("since", query.since));
      const workspace = await store.read((reader) => findWorkspace(reader, params.id));
      await store.write(async (tx) => caller.note?.(tx, workspace));
      server?.timeout(request, IDLE_TIMEOUT_SECONDS);
      const headers = {
        "content-type": "application/x-tar",
        "content-disposition": `attachment; filename="workspace-${workspace.id}.tar"`,
      };
      return new Response(streamed(leaving({ store, secrets, workspace, since, passphrase: null })), { headers });
    },
  );
  const upload = route(
    "POST",
    "/workspaces/import",
    {
      name: "importWorkspace",
      summary: "Take in a workspace from its file",
      answers: { 201: arrivedShape },
      ...OWNERS,
      takes: {
        type: "multipart/form-data",
        schema: t.Object({ file: t.String({ format: "binary" }) }, { examples: [{ file: "a file of an export" }] }),
      },
      query: t.Object({
        name: parameter(
          t.String({ minLength: 1, maxLength: 100 }),
          "The name it gets here; the one that it has unless given.",
        ),
      }),
      harmless: true,
      refuses: ["INVALID_MULTIPART", "CONFLICT"],
      description:
        "Answered once all of it is there; until then nobody sees it, and if anything is wrong, nothing is left behind. It comes in disabled, without keys and users. At most `limits.import_bytes`; `posthorn workspace import` takes larger files.",
    },
    async ({ request, query, server, caller, set }) => {
      server?.timeout(request, IDLE_TIMEOUT_SECONDS);
      const form = { request, limitBytes: config.limits.importBytes, fields: new Map<string, string>() };
      const { seq: _, ...arrived } = await arrive(
        {
          ...{ store, secrets, name: query.name ?? null, passphrase: null, isTrial: false },
          note: async (tx, workspace) => caller.note?.(tx, workspace),
        },
        Readable.from(fileOf(form, "file")),
      );
      set.status = 201;
      return arrived;
    },
  );
  return [routes(access, [download], personOnly), routes(access, [upload], personBodyUnread)];
}

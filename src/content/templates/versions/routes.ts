// /templates/{id}/versions and /campaigns/{id}/versions: earlier contents.
import { t } from "elysia";
import type { ErrorCode } from "../../../base/errors.ts";
import { idShape, nullable, timeShape } from "../../../http/answer-shapes.ts";
import { parameter } from "../../../http/schemas.ts";
import type { Reader } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { get } from "../../../tenant/access/route-table.ts";
import { ifUpdatedAtShape, updatedByShape } from "../../../tenant/access/saving-shape.ts";
import { writtenProperties } from "../written-shape.ts";
import { asInput, type ContentFields } from "../written.ts";
import { versionBefore, versionsOf, type VersionOwner, type ContentVersion } from "./queries.ts";
import { changedFields, contentOfVersion, findVersion, MOST_VERSIONS } from "./version.ts";

const summary = {
  id: idShape,
  number: t.Number({ minimum: 1, multipleOf: 1, description: "As in `receipt@3`." }),
  savedBy: updatedByShape,
  startedAt: timeShape,
  savedAt: timeShape,
};
const contentShape = t.Object(writtenProperties, { title: "VersionContent" });
const summaryShape = t.Object(summary, { title: "Version" });
const listShape = t.Object({ versions: t.Array(summaryShape) });
const comparedShape = t.Object(
  {
    ...summary,
    content: contentShape,
    comparedWith: nullable(t.Object({ ...summary, content: contentShape })),
    changed: t.Array(t.String(), { description: "The fields that differ between the two." }),
  },
  { title: "ComparedVersion" },
);

export const restoreShape = t.Object({ ifUpdatedAt: ifUpdatedAtShape }, { examples: [{}] });

/** The differences between templates and campaigns. `ownerOf` throws if there is no such record in the workspace. */
type VersionRoutes<Path extends "/templates" | "/campaigns"> = {
  readonly path: Path;
  readonly noun: "Template" | "Campaign";
  readonly refuses: readonly ErrorCode[];
  readonly ownerOf: (reader: Reader, caller: Caller, id: string) => Promise<VersionOwner>;
};

export function versionRoutes<Path extends "/templates" | "/campaigns">({
  path,
  noun,
  refuses,
  ownerOf,
}: VersionRoutes<Path>) {
  return [
    get(
      `${path as "/templates"}/:id/versions`,
      {
        name: `list${noun}Versions`,
        summary: `List the last ${MOST_VERSIONS} versions of a ${noun.toLowerCase()}, newest first`,
        answers: { 200: listShape },
        permission: "read",
        refuses,
        description:
          "The first of them is what it says now. Unless it has never changed since there are versions, there is one.",
      },
      async (reader, { params, caller }) => {
        const versions = await versionsOf(reader, await ownerOf(reader, caller, params.id), MOST_VERSIONS);
        return { versions: versions.map(versionRecord) };
      },
    ),
    get(
      `${path as "/templates"}/:id/versions/:versionId`,
      {
        name: `get${noun}Version`,
        summary: `Get a version of a ${noun.toLowerCase()}, beside another one`,
        answers: { 200: comparedShape },
        permission: "read",
        refuses: [...refuses, "VERSION_NOT_FOUND"],
        query: t.Object({
          with: parameter(
            t.String({ maxLength: 100 }),
            "The version to compare it with; unless given, the one before it.",
          ),
        }),
      },
      async (reader, { params, query, caller }) => {
        const owner = await ownerOf(reader, caller, params.id);
        const version = await findVersion(reader, owner, params.versionId);
        const other = query.with
          ? await findVersion(reader, owner, query.with)
          : await versionBefore(reader, owner, version.seq);
        const content = await contentOfVersion(reader, version);
        const others = other && (await contentOfVersion(reader, other));
        return {
          ...withContent(version, content),
          comparedWith: other && others && withContent(other, others),
          changed: others ? changedFields(others, content) : [],
        };
      },
    ),
  ];
}

function versionRecord({ id, number, savedBy, startedAt, savedAt }: ContentVersion): typeof summaryShape.static {
  return { id, number, savedBy, startedAt, savedAt };
}

function withContent(version: ContentVersion, content: ContentFields) {
  return { ...versionRecord(version), content: asInput(content) };
}

// /workflows/{id}/versions: the definitions on which executions have started.
import { t } from "elysia";
import { AppError } from "../../../base/errors.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, routes } from "../../../tenant/access/route-table.ts";
import { STEP_TYPES } from "./definition.ts";
import { maySeeHeaders, shownConfig } from "./steps/masked-headers.ts";
import { versionOfRevision, versionsPage, type ListedVersion, type Workflow } from "./queries.ts";
import { findWorkflow } from "./workflow.ts";

const listedFields = {
  version: countShape,
  createdAt: timeShape,
  isCurrent: t.Boolean(),
};
const versionShape = t.Object(
  {
    version: countShape,
    name: t.String(),
    steps: t.Array(
      t.Object({
        id: idShape,
        type: oneOf(...STEP_TYPES),
        name: t.String(),
        config: t.Record(t.String(), t.Unknown()),
      }),
    ),
    transitions: t.Array(
      t.Object({ fromStepId: idShape, toStepId: idShape, condition: nullable(t.Object({ branch: t.String() })) }),
    ),
  },
  { title: "WorkflowVersion" },
);

const MOST_LISTED = 50;

export function versionRoutes(access: Access) {
  return routes(access, [
    get(
      "/workflows/:id/versions",
      {
        name: "listWorkflowVersions",
        summary: "List the versions of a workflow on which somebody has started",
        answers: {
          200: t.Object(
            { versions: t.Array(t.Object({ ...listedFields, inside: countShape })) },
            { title: "WorkflowVersions" },
          ),
        },
        permission: "read",
        refuses: ["WORKFLOW_NOT_FOUND"],
        description: "The last fifty, newest first.",
      },
      async (reader, { params, caller }) => {
        const workflow = await findWorkflow(reader, caller.workspace, params.id);
        const versions = await versionsPage(reader, workflow.seq, MOST_LISTED);
        return { versions: versions.map((version) => versionRecord(version, workflow)) };
      },
      "long",
    ),
    get(
      "/workflows/:id/versions/:version",
      {
        name: "getWorkflowVersion",
        summary: "Get a version of a workflow",
        answers: { 200: versionShape },
        permission: "read",
        refuses: ["WORKFLOW_NOT_FOUND", "VERSION_NOT_FOUND"],
        description: "Its steps and transitions are what `PUT /workflows/{id}` takes, with each `id` as `ref`.",
      },
      async (reader, { params, caller }) => {
        const workflow = await findWorkflow(reader, caller.workspace, params.id);
        const revision = /^\d{1,9}$/.test(params.version) ? Number(params.version) : 0;
        const stored = await versionOfRevision(reader, { workflow: workflow.seq, revision });
        if (!stored) throw new AppError("VERSION_NOT_FOUND", `Nobody has started on a version ${params.version}.`);
        const { name, steps, transitions } = stored.version;
        return {
          version: revision,
          name,
          steps: steps.map((step) => ({
            id: step.id,
            type: step.type,
            name: step.name,
            config: { ...shownConfig(step, maySeeHeaders(caller)) },
          })),
          transitions: transitions.map(({ from, to, branch }) => ({
            fromStepId: from,
            toStepId: to,
            condition: branch === null ? null : { branch },
          })),
        };
      },
    ),
  ]);
}

function versionRecord({ revision, createdAt, inside }: ListedVersion, workflow: Workflow) {
  return { version: revision, createdAt, isCurrent: revision === workflow.revision, inside };
}

// The tables of workflows: what each says of itself (src/store/table.ts).
import { forgetInWorkflows } from "./definition/forget.ts";
import { sql } from "../../store/sql.ts";
import { table } from "../../store/table.ts";

table("workflows", {
  of: "workspace",
  onReset: "goes",
  onLeave: {
    only: (row) => sql`${row}.deleted_at is null`,
    upTo: { fired_to: "contacts" },
  },
});
table("workflow_steps", {
  of: "workflows",
  person: {
    by: ["config"],
    onErase: { named: (tx, workspace, { emails }) => forgetInWorkflows(tx, workspace, emails) },
    onMerge: { stays: "it is of the workspace" },
    inExport: { not: "it is of the workspace" },
  },
  onLeave: "goes",
});
table("step_segments", { of: "workflow_steps", onLeave: "goes" });
table("workflow_transitions", { of: "workflows", onLeave: "goes" });
table("workflow_versions", {
  of: "workflows",
  person: {
    by: ["definition"],
    onErase: { with: "workflow_steps" },
    onMerge: { stays: "it is of the workspace" },
    inExport: { not: "it is of the workspace" },
  },
  onLeave: "goes",
});
table("executions", {
  of: "workflows",
  person: { by: ["contact"], onErase: { with: "contacts" }, onMerge: "moves", inExport: "executions" },
  onLeave: { refers: { version: "workflow_versions" }, upTo: { after_event: "events" } },
});
table("execution_steps", { of: "executions", onLeave: "goes" });
table("missed_starts", {
  of: "workflows",
  person: {
    by: ["contact"],
    onErase: { with: "contacts" },
    onMerge: "moves",
    inExport: { not: "it is an event, and that is there" },
  },
  onLeave: "goes",
});

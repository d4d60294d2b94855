// The tables of workflows: what each says of itself (src/store/table.ts).
import { forgetInWorkflows } from "./definition/forget.ts";
import { table } from "../../store/table.ts";

table("workflows", { of: "workspace", onReset: "goes" });
table("workflow_steps", {
  of: "workflows",
  person: {
    by: ["config"],
    onErase: { named: (tx, workspace, { emails }) => forgetInWorkflows(tx, workspace, emails) },
    onMerge: { stays: "it is of the workspace" },
    inExport: { not: "it is of the workspace" },
  },
});
table("step_segments", { of: "workflow_steps" });
table("workflow_transitions", { of: "workflows" });
table("workflow_versions", {
  of: "workflows",
  person: {
    by: ["definition"],
    onErase: { with: "workflow_steps" },
    onMerge: { stays: "it is of the workspace" },
    inExport: { not: "it is of the workspace" },
  },
});
table("executions", {
  of: "workflows",
  person: { by: ["contact"], onErase: { with: "contacts" }, onMerge: "moves", inExport: "executions" },
});
table("execution_steps", { of: "executions" });
table("unstarted", {
  of: "workflows",
  person: {
    by: ["contact"],
    onErase: { with: "contacts" },
    onMerge: "moves",
    inExport: { not: "it is an event, and that is there" },
  },
});

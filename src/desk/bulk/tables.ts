// The tables of work on many people: what each says of itself (src/store/table.ts).
import { forgetErrorsNaming, forgetSelectionsNaming } from "./jobs/forgetting.ts";
import { deleteBatchesOf } from "./jobs/queries.ts";
import { table } from "../../store/table.ts";

table("contact_jobs", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["selection"],
    onErase: { named: forgetSelectionsNaming },
    onMerge: { stays: "it says what was asked" },
    inExport: { not: "it is of the person of the team who asked" },
  },
  onLeave: { stays: "what it did is in the contacts" },
});
table("contact_job_batches", {
  of: "contact_jobs",
  onReset: { called: "imports", inPieces: deleteBatchesOf },
  person: {
    by: ["content"],
    onErase: { stays: "the file waits: who was erased is left out, and its rows go when they were read" },
    onMerge: { stays: "it is what a file says" },
    inExport: { not: "it is what a file says" },
  },
  onLeave: { stays: "what it did is in the contacts" },
});
table("contact_job_errors", {
  of: "contact_jobs",
  person: {
    by: ["about", "error", "cells"],
    onErase: { named: forgetErrorsNaming },
    onMerge: { stays: "it is what a file says" },
    inExport: { not: "it is what a file says" },
  },
  onLeave: { stays: "what it did is in the contacts" },
});
table("duplicate_searches", { of: "workspace", onReset: "goes", onLeave: { stays: "duplicates are looked for anew" } });
table("duplicates", {
  of: "contacts",
  person: {
    by: ["contact"],
    onErase: { with: "contacts" },
    onMerge: { stays: "the pages leave out who was merged" },
    inExport: { not: "it is a guess" },
  },
  onLeave: { stays: "duplicates are looked for anew" },
});
table("dismissed_duplicates", {
  of: "contacts",
  person: {
    by: ["one", "other"],
    onErase: { with: "contacts" },
    onMerge: { stays: "it comes back when that is undone" },
    inExport: { not: "it is of two people" },
  },
  onLeave: "goes",
});

// The tables of views of lists: what each says of itself (src/store/table.ts).
import { deleteViewsNaming } from "./queries.ts";
import { sql } from "../../store/sql.ts";
import { table } from "../../store/table.ts";

table("saved_views", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["filter"],
    onErase: { named: deleteViewsNaming },
    onMerge: { stays: "it is of the team" },
    inExport: { not: "it is of the team" },
  },
  onLeave: { only: (row) => sql`${row}.person is null`, without: ["person"] },
});

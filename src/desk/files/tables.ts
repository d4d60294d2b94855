// The tables of what files keep: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("kept_files", {
  of: "workspace",
  onReset: "goes",
  onLeave: { stays: "the next apply notes it where the workspace is then" },
});

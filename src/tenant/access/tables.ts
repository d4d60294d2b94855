// The tables of keys: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("key_sets", { of: "workspace", onReset: "stays", onLeave: { stays: "keys are made anew" } });

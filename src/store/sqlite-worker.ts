// Runs on the SQLite engine's second thread: copies the log back, and reads what takes long.
import { carryOutWhatIsAsked } from "../jobs/worker-side.ts";
import type { Value } from "./sql.ts";
import { connect } from "./sqlite-connection.ts";
import { Statements } from "./sqlite-statements.ts";

export type ThreadRequest =
  | { readonly kind: "checkpoint" }
  | { readonly kind: "all"; readonly text: string; readonly values: readonly Value[] }
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "close" };

let statements: Statements | null = null;

carryOutWhatIsAsked<ThreadRequest>((request) => {
  if (request.kind === "open") {
    statements = new Statements(connect(request.path));
    return null;
  }
  if (!statements) throw new Error("The store's second thread has no database open.");
  if (request.kind === "all") return statements.prepareText(request.text).all(...(request.values as never[]));
  if (request.kind === "checkpoint") return void statements.database.query("pragma wal_checkpoint(passive)").all();
  statements.close();
  statements = null;
  return null;
});

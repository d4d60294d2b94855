// Runs on the SQLite engine's second thread: checkpoints and long reads.
import { carryOutWhatIsAsked } from "../../base/jobs/worker-side.ts";
import type { Value } from "../sql.ts";
import { connect } from "./connection.ts";
import { Statements } from "./statements.ts";

export type ThreadRequest =
  | { readonly kind: "checkpoint" }
  | { readonly kind: "emptyLog" }
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
  if (request.kind === "emptyLog") return isEmptied(statements);
  statements.close();
  statements = null;
  return null;
});

/** Does not wait for readers of the log, since writes wait for this; false if there are any. */
function isEmptied({ database }: Statements): boolean {
  database.run("pragma busy_timeout = 0");
  const [[busy]] = database.query("pragma wal_checkpoint(truncate)").values() as [[number]];
  database.run("pragma busy_timeout = 5000");
  return busy === 0;
}

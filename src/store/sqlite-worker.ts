// Runs on the SQLite engine's second thread: copies the log back, and reads what takes long.
import { connect, Statements } from "./sqlite-connection.ts";
import type { ThreadReply, ThreadRequest } from "./sqlite-thread.ts";

declare const self: Worker;

let statements: Statements | null = null;

self.onmessage = ({ data }: MessageEvent<ThreadRequest>) => {
  try {
    reply({ id: data.id, rows: carryOut(data) });
  } catch (error) {
    reply({ id: data.id, error: error instanceof Error ? error.message : String(error) });
  }
};

function carryOut(request: ThreadRequest): unknown[] {
  if (request.kind === "open") {
    statements = new Statements(connect(request.path));
    return [];
  }
  if (!statements) throw new Error("The store's second thread has no database open.");
  if (request.kind === "all") return statements.prepareText(request.text).all(...(request.values as never[]));
  if (request.kind === "checkpoint") return statements.database.query("pragma wal_checkpoint(passive)").all();
  statements.close();
  statements = null;
  return [];
}

function reply(message: ThreadReply): void {
  self.postMessage(message);
}

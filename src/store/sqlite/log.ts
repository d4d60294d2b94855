// Follows the log beside a SQLite file: every commit is read and none is missed, though others write and copy the log
// back meanwhile.
//
// The log starts over once all of it is in the database and no connection reads it. So one of two connections always
// holds a read transaction, and all that was committed when it began has been read. The next one begins before the last
// one ends. Either it reads the log, which then cannot start over; or it needs the database alone, since all is there,
// and then no new commit can be copied back below it: the log may start over once, and its content then stays.
import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import { FRAME_HEADER_BYTES, frameIn, HEADER_BYTES, headerIn, type LogHeader } from "./log-format.ts";
import { connect } from "./connection.ts";

/** The receiver of changes. `content` is only lent. */
export type LogSink = {
  /** The log begins anew: its former content is in the database. */
  onStart(): void;
  onPage(page: number, content: Buffer): void;
  /** `pages`: the size of the database now. */
  onCommit(pages: number): void;
};

/** Content that had been read was written anew, as after a commit that the disk refused in the end. */
export class LogChangedError extends Error {
  override readonly name = "LogChangedError";
}

/** Most reads find a few frames; the bytes behind them belong to the previous log. */
const FEWEST_FRAMES = 16;
const MOST_FRAMES = 256;
const CACHE_KIB = 64;

export class LogReader {
  readonly #log: number;
  #holding: Database;
  #resting: Database;
  /** Where reading goes on, with the checksum up to there; null: nothing has been read. */
  #at: LogHeader | null = null;
  #frames = 0;
  #last = Buffer.alloc(0);
  /** Used again and again. */
  #piece = Buffer.alloc(0);

  constructor(path: string) {
    this.#holding = connect(path, CACHE_KIB);
    this.#resting = connect(path, CACHE_KIB);
    // Makes the log, if there is none.
    this.#holding.query("select 1 from sqlite_schema").get();
    this.#log = openSync(`${path}-wal`, "r");
  }

  get pageBytes(): number {
    const [[bytes]] = this.#resting.query("pragma page_size").values() as [[number]];
    return bytes;
  }

  /** Reads the commits since the last call. @throws LogChangedError; then `rewind` begins again */
  read(sink: LogSink): void {
    this.#begin(this.#resting);
    [this.#holding, this.#resting] = [this.#resting, this.#holding];
    try {
      this.#readOn(sink);
    } finally {
      this.#end(this.#resting);
    }
  }

  /** The next read begins with the first commit in the log. */
  rewind(): void {
    this.#at = null;
  }

  close(): void {
    this.#end(this.#holding);
    this.#holding.close();
    this.#resting.close();
    closeSync(this.#log);
  }

  #begin(database: Database): void {
    database.run("begin");
    database.query("select 1 from sqlite_schema").get();
  }

  #end(database: Database): void {
    if (database.inTransaction) database.run("commit");
  }

  #readOn(sink: LogSink): void {
    const header = headerIn(this.#bytes(0, HEADER_BYTES));
    if (!header) return;
    if (this.#at && header.salts.equals(this.#at.salts)) this.#refuseChanged(header);
    else {
      this.#at = header;
      this.#frames = 0;
      sink.onStart();
    }
    for (let most = FEWEST_FRAMES; this.#readPiece(most, sink); most = Math.min(most * 2, MOST_FRAMES));
  }

  #refuseChanged({ pageBytes }: LogHeader): void {
    if (this.#frames === 0) return;
    const last = this.#bytes(this.#offset(this.#frames - 1, pageBytes), FRAME_HEADER_BYTES);
    if (!last.equals(this.#last)) throw new LogChangedError("What was read of the log has been written anew.");
  }

  #offset(frame: number, pageBytes: number): number {
    return HEADER_BYTES + frame * (FRAME_HEADER_BYTES + pageBytes);
  }

  /** Reads whole commits: at least one, however large. False: no commit is left. */
  #readPiece(frames: number, sink: LogSink): boolean {
    const { pageBytes } = this.#at as LogHeader;
    for (let most = frames; ; most *= 2) {
      const bytes = this.#bytes(this.#offset(this.#frames, pageBytes), most * (FRAME_HEADER_BYTES + pageBytes));
      const read = this.#take(bytes, most, sink);
      if (read !== "more") return read;
    }
  }

  /** True: there may be more after the part that was taken; "more": the first commit goes on beyond these bytes. */
  #take(bytes: Buffer, most: number, sink: LogSink): boolean | "more" {
    const frameBytes = FRAME_HEADER_BYTES + (this.#at as LogHeader).pageBytes;
    const count = Math.floor(bytes.length / frameBytes);
    let after = this.#at as LogHeader;
    let start = 0;
    for (let one = 0; one < count; one++) {
      const frame = frameIn(bytes, one * frameBytes, after);
      if (!frame) return false;
      after = { ...after, sum: frame.sum };
      if (frame.pages === 0) continue;
      for (; start <= one; start++, this.#frames++) give(bytes, start * frameBytes, { after, sink });
      this.#last = Buffer.from(bytes.subarray(one * frameBytes, one * frameBytes + FRAME_HEADER_BYTES));
      this.#at = after;
      sink.onCommit(frame.pages);
    }
    if (start > 0) return true;
    return count === most && "more";
  }

  /** Lent until the next call. */
  #bytes(from: number, most: number): Buffer {
    if (this.#piece.length < most) this.#piece = Buffer.allocUnsafeSlow(most);
    return this.#piece.subarray(0, readSync(this.#log, this.#piece, 0, most, from));
  }
}

function give(bytes: Buffer, at: number, { after, sink }: { after: LogHeader; sink: LogSink }): void {
  const content = at + FRAME_HEADER_BYTES;
  sink.onPage(bytes.readUInt32BE(at), bytes.subarray(content, content + after.pageBytes));
}

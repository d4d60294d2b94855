// One file of a workbook: unpacked and parsed as XML piece by piece, so that a large one takes little memory.
import { crc32, createInflateRaw } from "node:zlib";
import { Parser } from "htmlparser2";
import { BrokenZip, type ZipEntry } from "../../../base/zip.ts";
import { WorkbookFault } from "./fault.ts";

export type Attributes = Readonly<Record<string, string>>;
/** Callbacks for the markup. Names are without their prefix, except those of attributes. */
export type MarkupTaker = {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
};

const PIECE_BYTES = 64 * 1024;
/** In these, a few hundred cells may name the longest texts. */
const STEP_CHARS = 8 * 1024;
/** A sheet has some ten levels. */
const MAX_DEPTH = 64;
/** In characters, of one tag, text or comment. */
const MAX_MARKUP_CHARS = 2_000_000;

/** How many bytes the files of a workbook may unpack to, together. */
export class UnpackingBudget {
  #leftBytes: number;

  constructor(bytes: number) {
    this.#leftBytes = bytes;
  }

  /** @throws WorkbookFault */
  take(bytes: number): void {
    this.#leftBytes -= bytes;
    if (this.#leftBytes < 0) throw new WorkbookFault("big_file");
  }
}

/** Stops after each step, so that the caller can pass on what has been taken. @throws WorkbookFault */
export async function* piecesOf(part: ZipEntry, budget: UnpackingBudget, taker: MarkupTaker): AsyncGenerator<void> {
  const markup = new Markup(taker);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const piece of unpacked(part, budget)) {
    const text = decoder.decode(piece, { stream: true });
    for (let at = 0; at < text.length; at += STEP_CHARS) {
      markup.push(text.slice(at, at + STEP_CHARS));
      yield;
    }
  }
  markup.push(decoder.decode());
  markup.end();
}

/** Reads a small part whole. @throws WorkbookFault */
export async function readPart(part: ZipEntry, budget: UnpackingBudget, taker: MarkupTaker): Promise<void> {
  for await (const _ of piecesOf(part, budget, taker));
}

/**
 * The bytes of a part in pieces. @throws WorkbookFault for too many, BrokenZip at the end of other bytes than were
 * packed
 */
export async function* unpacked(part: ZipEntry, budget: UnpackingBudget): AsyncGenerator<Uint8Array> {
  const { packed, isDeflated, checksum } = part.content();
  let found = 0;
  for await (const piece of isDeflated ? inflated(packed) : stored(packed)) {
    budget.take(piece.length);
    found = crc32(piece, found);
    yield piece;
  }
  if (found !== checksum) throw new BrokenZip();
}

function* stored(packed: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < packed.length; at += PIECE_BYTES) yield packed.subarray(at, at + PIECE_BYTES);
}

function inflated(packed: Buffer): AsyncIterable<Uint8Array> {
  const inflating = createInflateRaw({ chunkSize: PIECE_BYTES });
  inflating.end(packed);
  return inflating as AsyncIterable<Uint8Array>;
}

/** Refuses document types, so there are no entities but the five of XML. */
class Markup {
  readonly #parser: Parser;
  #open = 0;
  #hasRoot = false;
  /** Characters since the last tag or text. */
  #quiet = 0;

  constructor({ open, text, close }: MarkupTaker) {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => {
          this.#quiet = 0;
          if (++this.#open > MAX_DEPTH || (this.#open === 1 && this.#hasRoot)) throw new WorkbookFault("broken_file");
          this.#hasRoot = true;
          open(localName(name), attributes);
        },
        ontext: (piece) => {
          this.#quiet = 0;
          text?.(piece);
        },
        onclosetag: (name) => {
          this.#open--;
          close?.(localName(name));
        },
        onprocessinginstruction: (name) => {
          if (name.startsWith("!")) throw new WorkbookFault("broken_file");
        },
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  push(text: string): void {
    this.#quiet += text.length;
    this.#parser.write(text);
    if (this.#quiet > MAX_MARKUP_CHARS) throw new WorkbookFault("big_file");
  }

  /** A part that is cut off has no complete last tag. */
  end(): void {
    if (!this.#hasRoot || this.#open > 0) throw new WorkbookFault("broken_file");
    this.#parser.end();
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

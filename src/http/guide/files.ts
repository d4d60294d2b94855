// The files of the guide: packed in the executable (build/executable.ts), as they are where Posthorn runs from source.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** By their places in the repository. */
type Files = Readonly<Record<string, string>>;

/** Bun puts a hash between the name and its ending. */
const PACK = /^guide(-\w+)?\.zst$/;

/** Kept while in use. */
let unpacked: WeakRef<Files> | undefined;

export function guideFile(path: string): string {
  const pack = Bun.embeddedFiles.find((file) => PACK.test((file as File).name));
  if (!pack) return readFileSync(join(import.meta.dir, "../../..", path), "utf8");
  const files = unpacked?.deref() ?? filesIn((pack as File).name);
  unpacked = new WeakRef(files);
  return files[path] ?? "";
}

function filesIn(pack: string): Files {
  return JSON.parse(Bun.zstdDecompressSync(readFileSync(join(import.meta.dir, pack))).toString()) as Files;
}

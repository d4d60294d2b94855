// The face that is being served: the one embedded in the executable, or the one bundled from web/ where Posthorn runs
// from source.
import { bundleFace, lastChangeMs } from "./bundle.ts";
import type { FaceFile } from "./face-file.ts";
import { readPack } from "./pack.ts";

export type Face = {
  readonly files: ReadonlyMap<string, FaceFile>;
  /** The encoding of the files' bytes. */
  readonly encoding: "br" | "identity";
};

/** Bun puts a hash between the name and its ending. */
const PACK = /^face(-\w+)?\.pack$/;

/** For a page that is being opened. @throws AggregateError with the bundler's faults */
export function currentFace(): Promise<Face> {
  return embedded() ?? fromSource();
}

/** For the files that a page names: of the face that the last page opened. */
export function openedFace(): Promise<Face> {
  return embedded() ?? bundled?.face ?? fromSource();
}

let unpacked: Promise<Face> | undefined;

function embedded(): Promise<Face> | null {
  const pack = Bun.embeddedFiles.find((file) => PACK.test((file as File).name));
  if (!pack) return null;
  return (unpacked ??= readPack(pack).then((files) => ({ files: byName(files), encoding: "br" })));
}

let bundled: { readonly changedMs: number; readonly face: Promise<Face> } | undefined;

/** Bundled again when a file has changed. */
function fromSource(): Promise<Face> {
  const changedMs = lastChangeMs();
  if (bundled?.changedMs === changedMs) return bundled.face;
  const face = bundleFace().then((files): Face => ({ files: byName(files), encoding: "identity" }));
  bundled = { changedMs, face };
  return face;
}

function byName(files: readonly FaceFile[]): ReadonlyMap<string, FaceFile> {
  return new Map(files.map((file) => [file.name, file]));
}

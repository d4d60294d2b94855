// Names for the files of a bundle. The bundler's own names depend on the folder of the checkout, and do not compress.
import { basename } from "node:path";

export type BundleFile = { readonly path: string; readonly text: string };

/** The bundler's hash, between the name and its ending. */
const HASH = /-([a-z0-9]{8})\.(?:js|css)$/;
const PLACE_CHARS = 3;
const SALT_CHARS = 5;

/**
 * Each hash becomes the file's place and a shared salt: a digest of all files, so that a name identifies the content.
 * The places are those of the texts in order, hashes apart.
 */
export function renamed(files: readonly BundleFile[]): readonly BundleFile[] {
  const hashes = files.flatMap(({ path }) => HASH.exec(path)?.[1] ?? []);
  const any = new RegExp(`\\b(?:${hashes.join("|")})\\b`, "g");
  const sorted = files.map((file) => ({ file, bare: file.text.replace(any, "") })).sort(byText);
  const places = new Map(
    sorted.map(({ file: { path } }, place) => [HASH.exec(path)?.[1] ?? "", base36(place, PLACE_CHARS)]),
  );
  const placed = files.map(({ text }) => text.replace(any, (hash) => places.get(hash) ?? "")).sort();
  const salt = base36(Bun.hash.wyhash(placed.join("\0")), SALT_CHARS);
  const withNames = (text: string) => text.replace(any, (hash) => `${places.get(hash)}${salt}`);
  return files.map(({ path, text }) => ({ path: withNames(basename(path)), text: withNames(text) }));
}

function byText(one: { readonly bare: string }, other: { readonly bare: string }): number {
  return one.bare < other.bare ? -1 : Number(one.bare > other.bare);
}

function base36(value: number | bigint, chars: number): string {
  return value.toString(36).padStart(chars, "0").slice(-chars);
}

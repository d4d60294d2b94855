// Disk usage as a text and as a bar.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { serverTexts } from "../../texts/areas.ts";
import type { Installation } from "./installation.ts";

type DiskProps = { readonly name: string; readonly space: Installation["dataDirectory"] };

const FULL = 0.9;

export function Disk({ name, space }: DiskProps) {
  const t = useTexts(serverTexts);
  const { bytes, percent } = useFormats();
  const { path, freeBytes, totalBytes } = space;
  if (freeBytes === null || !totalBytes) return null;
  const used = 1 - freeBytes / totalBytes;
  return (
    <div className="stack tight row-text">
      <span>
        {name} <code className="dim">{path}</code>
      </span>
      <svg className="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect className="g" width="100" height="4" />
        <rect className={used > FULL ? "v bad" : "v"} width={100 * used} height="4" />
      </svg>
      <span className={used > FULL ? "state bad" : "dim"}>
        {t.free(bytes(freeBytes), bytes(totalBytes), percent(used))}
      </span>
    </div>
  );
}

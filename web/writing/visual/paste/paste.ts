// Paste into the visual editor: text with its formatting, and pictures, which are uploaded to the workspace's images.
import type { EditorView } from "@tiptap/pm/view";
import { imageFiles, type Image } from "../../../images/calls.ts";
import { showToast } from "../../../parts/overlays/toast.tsx";
import { cleanPasted, hasWords, localPictures } from "./pasted.ts";

type PasteHandlers = {
  /** Receives files that are pasted without text; false = there are no images among them. */
  readonly onFiles: (files: readonly File[]) => boolean;
  readonly upload: (files: readonly File[]) => Promise<readonly Image[]>;
  /** The message about pictures that could not be pasted. */
  readonly lost: (count: number) => string;
};

/** True = handled. */
export function takePaste(view: EditorView, data: DataTransfer | null, pasting: PasteHandlers): boolean {
  const html = data?.getData("text/html") ?? "";
  const files = [...(data?.files ?? [])];
  // Office programs also copy a picture of the text: it is ignored if there is text.
  if (html === "" || (files.length > 0 && !hasWords(html))) return files.length > 0 && pasting.onFiles(files);
  const pictures = localPictures(html);
  if (pictures.length === 0) return false;
  void bring(view, html, { pictures, files: imageFiles(files) }, pasting);
  return true;
}

type PastedFiles = { readonly pictures: readonly string[]; readonly files: readonly File[] };

/** Pastes the text with its pictures, or without those that could not be uploaded; a toast says so. */
async function bring(
  view: EditorView,
  html: string,
  found: PastedFiles,
  { upload, lost }: PasteHandlers,
): Promise<void> {
  const byPicture = filesOf(found);
  const sources = [...byPicture.keys()];
  const images = sources.length === 0 ? [] : await upload([...byPicture.values()]).catch(() => []);
  const urls = new Map(images.map(({ url }, at) => [sources[at] ?? "", url]));
  if (view.isDestroyed) return;
  view.pasteHTML(cleanPasted(html, (src) => urls.get(src) ?? (/^https?:/i.test(src) ? src : null)));
  const missing = new Set(found.pictures).size - urls.size;
  if (missing > 0 && (sources.length === 0 || images.length > 0)) showToast(lost(missing));
}

/**
 * The files of pictures: data URLs in the HTML are files themselves. Word has them beside the HTML, in the same order;
 * they are used only if all are there.
 */
function filesOf({ pictures, files }: PastedFiles): ReadonlyMap<string, File> {
  const all = [...new Set(pictures)];
  const beside = all.filter((src) => !src.startsWith("data:"));
  const isWhole = beside.length === files.length;
  const pairs = all.flatMap((src): [string, File][] => {
    const file = src.startsWith("data:") ? fileIn(src) : isWhole ? files[beside.indexOf(src)] : undefined;
    return file ? [[src, file]] : [];
  });
  return new Map(pairs);
}

function fileIn(url: string): File | undefined {
  const [, type = "", text = ""] = /^data:(image\/[a-z]+);base64,([\s\S]+)$/i.exec(url) ?? [];
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return imageFiles([new File([bytes], `pasted.${type.slice("image/".length)}`, { type })])[0];
  } catch {
    return undefined;
  }
}

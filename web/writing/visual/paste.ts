// What is pasted into the visual editor: words as they looked, and pictures, which go into the workspace's images.
import type { EditorView } from "@tiptap/pm/view";
import { imageFiles, type Image } from "../../images/calls.ts";
import { showToast } from "../../parts/toast.tsx";
import { cleanPasted, hasWords, localPictures } from "./pasted.ts";

type PasteHandlers = {
  /** Takes files that are pasted by themselves; false: there are no images among them. */
  readonly onFiles: (files: readonly File[]) => boolean;
  readonly upload: (files: readonly File[]) => Promise<readonly Image[]>;
  /** What is said of pictures that could not be taken. */
  readonly lost: (count: number) => string;
};

/** True: it is taken care of. */
export function takePaste(view: EditorView, data: DataTransfer | null, pasting: PasteHandlers): boolean {
  const html = data?.getData("text/html") ?? "";
  const files = [...(data?.files ?? [])];
  // Office programs add a picture of the words to the words.
  if (html === "" || (files.length > 0 && !hasWords(html))) return files.length > 0 && pasting.onFiles(files);
  const pictures = localPictures(html);
  if (pictures.length === 0) return false;
  void bring(view, html, { pictures, files: imageFiles(files) }, pasting);
  return true;
}

type PastedFiles = { readonly pictures: readonly string[]; readonly files: readonly File[] };

/** The words come with their pictures, or without them if the upload fails, which is said. */
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

/** A picture in the HTML is a file itself; those of Word are beside it, in their order, if all of them are there. */
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

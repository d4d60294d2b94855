// A mail for display: its HTML with its inline images, otherwise unchanged.
import { findEmail } from "../emails/email.ts";
import type { Mail } from "../emails/queries.ts";
import { bytesOfFile, type InboundSources } from "./attached.ts";
import { mailText, type Compose } from "./content.ts";
import type { AttachedFile } from "./reading/reading.ts";

/** A mail without HTML has only text. */
export type LetterView = { readonly html: string | null; readonly text: string };

type LetterRequest = { readonly workspace: number; readonly id: string; readonly compose: Compose };

const MOST_PICTURES = 50;
const MOST_PICTURE_BYTES = 5 * 1024 * 1024;
/** Image types that browsers draw without running code. */
const PICTURE = /^image\/[\w.+-]+$/i;
/** In an attribute or in `url(…)`. */
const REFERENCE = /(["'(=]\s*)cid:([^"'()<>\s]{1,500})/gi;

/** @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE */
export async function letterOf(
  sources: InboundSources,
  { workspace, id, compose }: LetterRequest,
): Promise<LetterView> {
  const mail = await sources.store.read((reader) => findEmail(reader, workspace, id));
  const { html, text, files } = await mailText(sources, mail, compose);
  if (html === null) return { html, text: text ?? "" };
  return { html: await withPictures(sources, { mail, html, files }), text: text ?? "" };
}

type LetterPictures = { readonly mail: Mail; readonly html: string; readonly files: readonly AttachedFile[] };

async function withPictures(sources: InboundSources, { mail, html, files }: LetterPictures): Promise<string> {
  const wanted = new Set([...html.matchAll(REFERENCE)].slice(0, MOST_PICTURES).map(([, , name = ""]) => plain(name)));
  const pictures = new Map<string, string>();
  let left = MOST_PICTURE_BYTES;
  for (const [place, { contentId, contentType, size }] of files.entries()) {
    if (contentId === null || !wanted.has(contentId) || !PICTURE.test(contentType) || size > left) continue;
    left -= size;
    const bytes = await bytesOfFile(sources, mail, place);
    if (bytes) pictures.set(contentId, `data:${contentType};base64,${bytes.toBase64()}`);
  }
  return html.replace(REFERENCE, (whole, before: string, name: string) => {
    const picture = pictures.get(plain(name));
    return picture === undefined ? whole : before + picture;
  });
}

function plain(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

// API calls for the image library. Uploaded images keep their URL.
import { useMutation } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import { queries } from "../calls/queries.ts";
import { keyOf, pages, usePages } from "../calls/query.ts";

export type Image = components["schemas"]["Image"];

const PAGE_SIZE = 60;
const MAX_BYTES = 5_000_000;
/** Twice the width of an email, for high-density screens. */
const MAX_WIDTH = 1_200;

export const useImages = () => usePages(pages("GET /images", { pageSize: PAGE_SIZE }));

function changed(): void {
  void queries.invalidateQueries({ queryKey: keyOf("GET /images") });
}

async function upload(file: File): Promise<Image> {
  const content = await base64Of(file);
  return call("POST /images", { body: { name: file.name || "image", content, maxWidth: MAX_WIDTH } });
}

function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  // `data:image/png;base64,…`
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}

/** Uploads one after the other. */
export function useUpload(done: (images: readonly Image[]) => void) {
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      const images: Image[] = [];
      for (const file of files) images.push(await upload(file));
      return images;
    },
    onSuccess: done,
    onSettled: changed,
  });
}

export function useDelete() {
  return useMutation({
    mutationFn: ({ id }: Image) => call("DELETE /images/{id}", { id }),
    onSettled: changed,
  });
}

/** Files of the image types allowed in emails. */
export function imageFiles(files: readonly File[]): readonly File[] {
  return files.filter(({ type, size }) => /^image\/(png|jpeg|gif|webp)$/.test(type) && size <= MAX_BYTES);
}

/** The path of an image on this server, under any public host. Null for images elsewhere, which are never fetched. */
export function ownPath(url: string): string | null {
  if (url === "" || !URL.canParse(url, location.href)) return null;
  const { pathname } = new URL(url, location.href);
  return pathname.startsWith("/i/") ? pathname : null;
}

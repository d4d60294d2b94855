// The starter content of a new email, visual or code, ready to send.
import { useLook } from "../brand/calls.ts";
import { greetingPath } from "../calls/contact-fields.ts";
import { language } from "../base/language.ts";
import { loadChunk } from "../base/load-chunk.ts";
import { writingTexts } from "../texts/areas.ts";
import { firstDocument, type MailColours } from "./visual/document.ts";
import type { Design } from "./content.ts";

export type WritingMode = "visual" | "code";
export type StarterContent = { readonly body: string; readonly design?: Design };

export function useStarterContent(): (how: WritingMode) => Promise<StarterContent> {
  const look = useLook();
  return async (how) => {
    const [texts, path] = await Promise.all([writingTexts(language.get()), greetingPath()]);
    const words = { ...texts.greeting, path };
    return how === "code" ? { body: codeStarter(words, language.get()) } : visualStarter(words, look);
  };
}

type StarterTexts = { readonly hello: string; readonly path: string; readonly there: string };

function codeStarter({ hello, path, there }: StarterTexts, lang: string): string {
  return `<!doctype html>
<html lang="${lang}">
  <body style="margin: 0; padding: 32px; font: 16px/26px -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif; color: #1d1b16">
    <p>${hello} {{ ${path} ?? "${there}" }},</p>
    <p></p>
  </body>
</html>
`;
}

/** MJML is large, so it is loaded only for visual emails. */
async function visualStarter({ hello, path, there }: StarterTexts, look: MailColours): Promise<StarterContent> {
  const { htmlOf } = await loadChunk(() => import("./visual/mjml/html.ts"));
  const source = firstDocument(hello, path, there);
  return { body: await htmlOf(source, look), design: { kind: "visual", source: { ...source } } };
}

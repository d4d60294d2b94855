// The first words of a new mail, visual or as code: complete, so that it can be sent as it is.
import { useLook } from "../brand/calls.ts";
import { language } from "../language.ts";
import { visualTexts } from "../texts/areas.ts";
import { firstDocument, type Look } from "./visual/document.ts";
import type { Design } from "./written.ts";

export type How = "visual" | "code";
export type FirstWords = { readonly body: string; readonly design?: Design };

export function useFirstWords(): (how: How) => Promise<FirstWords> {
  const look = useLook();
  return async (how) => {
    const words = await visualTexts(language.get());
    return how === "code" ? { body: asCode(words, language.get()) } : visually(words, look);
  };
}

type Words = { readonly hello: string; readonly there: string };

function asCode({ hello, there }: Words, lang: string): string {
  return `<!doctype html>
<html lang="${lang}">
  <body style="margin: 0; padding: 32px; font: 16px/26px sans-serif; color: #1d1b16">
    <p>${hello} {{ name ?? "${there}" }},</p>
    <p></p>
  </body>
</html>
`;
}

/** MJML is large: it is loaded here at the first visual mail. */
async function visually({ hello, there }: Words, look: Look): Promise<FirstWords> {
  const { htmlOf } = await import("./visual/html.ts");
  const source = firstDocument(hello, there);
  return { body: await htmlOf(source, look), design: { kind: "visual", source: { ...source } } };
}

// What a new template begins with: its first words, and the sender of the brand.
import { useQuery } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import { brandQuery, useLook } from "../brand/calls.ts";
import { useTexts } from "../language.ts";
import { visualTexts } from "../texts/visual.ts";
import { firstDocument, type Look } from "../writing/visual/document.ts";
import type { Template } from "./calls.ts";

/** Complete, so that it can be sent as it is. */
const FIRST_BODY = `<!doctype html>
<html>
  <body style="margin: 0; padding: 32px; font: 16px/26px sans-serif; color: #1d1b16">
    <p>Hello {{ name ?? "there" }},</p>
    <p></p>
  </body>
</html>
`;

/** MJML is large: it is loaded here at the first visual mail. */
async function visually({ hello, there }: { readonly hello: string; readonly there: string }, look: Look) {
  const { htmlOf } = await import("../writing/visual/html.ts");
  const source = firstDocument(hello, there);
  return { body: await htmlOf(source, look), design: { kind: "visual", source: { ...source } } };
}

type Named = { readonly name: string; readonly type: Template["type"]; readonly how: "visual" | "code" };

export function useFirst(): (named: Named) => Promise<components["schemas"]["CreateTemplateRequest"]> {
  const words = useTexts(visualTexts);
  const look = useLook();
  const { data: brand } = useQuery({ ...brandQuery, throwOnError: false });
  return async ({ name, type, how }) => {
    const written = how === "code" ? { body: FIRST_BODY } : await visually(words, look);
    const sender = brand?.from ? { from: brand.from, ...(brand.fromName ? { fromName: brand.fromName } : {}) } : {};
    return { name, type, subject: name, ...sender, ...written };
  };
}

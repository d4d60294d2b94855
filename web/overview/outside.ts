// What was found of a fault that only others see, in the reader's words.
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { overviewTexts } from "../texts/areas.ts";
import type { Need } from "./calls.ts";

type Outside = Extract<Need, { readonly kind: "SEEN_FROM_OUTSIDE" }>;

export function useOutsideText(): (need: Outside) => string {
  const t = useTexts(overviewTexts).needs;
  const { exact } = useFormats();
  return ({ aspect, detail }) => {
    const endsAt = /^it ends at (\S+)$/.exec(detail ?? "")?.[1];
    if (endsAt !== undefined) return t.endsAt(exact(new Date(endsAt)));
    return detail === null ? t.outsideText[aspect] : t.outsideFound[aspect](detail);
  };
}

/** Of a blocklist only its name is new. */
export function listIn(problem: string | null): string | undefined {
  return /is on the blocklist (\S+) \(/.exec(problem ?? "")?.[1];
}

// The time since a record was saved.
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { useNow } from "../parts/time.tsx";
import { frameTexts } from "../texts/areas.ts";

const MINUTE_MS = 60_000;

/** "just now" or "2 min ago". */
export function useSavedAgo(): (at: string) => string {
  const { time } = useTexts(frameTexts);
  const { ago } = useFormats();
  const now = useNow();
  return (at) => (now.getTime() - Date.parse(at) < MINUTE_MS ? time.now : ago(new Date(at), now));
}

// When the name servers were asked last; counts the seconds.
import { useEffect, useState } from "react";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { domainsTexts } from "../../texts/areas.ts";
import { LOOK_SECONDS } from "./calls.ts";

const SECOND_MS = 1_000;

type LastLookProps = { readonly at: number | null; readonly watches: boolean };

export function LastLook({ at, watches }: LastLookProps) {
  const t = useTexts(domainsTexts);
  const { ago } = useFormats();
  const nowMs = useSeconds();
  const seconds = at === null ? null : Math.max(0, Math.round((nowMs - at) / SECOND_MS));
  const last =
    at === null || seconds === null
      ? t.noLook
      : seconds < 60
        ? t.lastLook(seconds)
        : t.lastLookAt(ago(new Date(at), new Date(nowMs)));
  return (
    <p className="dim row-text last-look">
      {watches ? t.watches(LOOK_SECONDS) : t.watchesHourly} {last}
    </p>
  );
}

function useSeconds(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

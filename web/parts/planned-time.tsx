// When a campaign is scheduled, with its time zone.
import { useFormats } from "../base/formats.ts";
import { useZone } from "../calls/zone.ts";

/** As `PlannedTime`, without its style, for a sentence. */
export function ExpectedTime({ at }: { readonly at: string }) {
  const { exact, inZone } = useFormats();
  const zone = useZone();
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact(date)}>
      {inZone(date, zone)}
    </time>
  );
}

export function PlannedTime({ at }: { readonly at: string }) {
  const { exact, inZone } = useFormats();
  const zone = useZone();
  const date = new Date(at);
  return (
    <time className="planned" dateTime={at} title={exact(date)}>
      {inZone(date, zone)}
    </time>
  );
}

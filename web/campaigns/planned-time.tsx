// When a campaign is to leave, with the zone in which that was planned.
import { useFormats } from "../formats.ts";
import { useZone } from "../workspace/zone.ts";

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

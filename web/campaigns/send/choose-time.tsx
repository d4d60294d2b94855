// Picks the time to send, in the time zone of the workspace.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import { momentsOf, ownZone } from "../../base/zones.ts";

type ChosenTime = {
  /** Null unless the time exists in the zone and is in the future. */
  readonly moment: number | null;
  readonly disabledReason: string | undefined;
};

type SendTexts = ReturnType<typeof useTexts<Awaited<ReturnType<typeof campaignsTexts>>>>["send"];

/** `local`: the value of the input. An ambiguous time is the first of the two. */
export function parseTime(local: string, zone: string, t: SendTexts): ChosenTime {
  const [moment] = momentsOf(local, zone);
  if (local === "") return { moment: null, disabledReason: t.noTime };
  if (moment === undefined) return { moment: null, disabledReason: t.skippedTime(zone) };
  return moment < Date.now() ? { moment: null, disabledReason: t.pastTime } : { moment, disabledReason: undefined };
}

type ChooseTimeProps = {
  readonly value: string;
  readonly zone: string;
  readonly onChange: (value: string) => void;
};

export function ChooseTime({ value, zone, onChange }: ChooseTimeProps) {
  const { send: t } = useTexts(campaignsTexts);
  const { clock } = useFormats();
  const [first, second] = momentsOf(value, zone);
  // The time on the reader's clock is shown only if it differs.
  const isElsewhere = first !== undefined && momentsOf(value, ownZone())[0] !== first;
  return (
    <>
      <input
        type="datetime-local"
        className="input"
        aria-label={t.time}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {isElsewhere && <p className="help">{t.here(clock(new Date(first)))}</p>}
      {second !== undefined && <p className="help">{t.twice(zone)}</p>}
    </>
  );
}

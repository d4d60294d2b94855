// A person's history, grouped by day.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Timeline, type TimelineItem } from "../../parts/layout.tsx";
import { useNow } from "../../parts/time.tsx";
import { peopleTexts } from "../../texts/areas.ts";

type DaysProps<Entry> = {
  readonly entries: readonly Entry[];
  readonly describe: (entry: Entry, key: string) => TimelineItem;
};

export function Days<Entry extends { readonly at: string }>({ entries, describe }: DaysProps<Entry>) {
  const t = useTexts(peopleTexts);
  const formats = useFormats();
  const now = useNow();
  const days = Map.groupBy(entries, ({ at }) => new Date(at).toDateString());
  return [...days].map(([day, some]) => (
    <div key={day} className="past-day">
      <h2 className="day-name">
        {day === now.toDateString() ? t.past.today(formats.day(now)) : formats.brief(new Date(day), now)}
      </h2>
      <Timeline moments={some.map((entry, at) => describe(entry, `${day} ${at}`))} />
    </div>
  ));
}

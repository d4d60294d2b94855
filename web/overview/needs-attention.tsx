// Problems that need attention, each with a link to the place where it is solved.
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { Time } from "../parts/time.tsx";
import { brakesTexts, overviewTexts } from "../texts/areas.ts";
import type { Need } from "./calls.ts";
import { rowOf } from "./needs.tsx";

export function NeedsAttention({ needs }: { readonly needs: readonly Need[] }) {
  const t = useTexts(overviewTexts).needs;
  if (needs.length === 0)
    return (
      <p className="calm" role="status">
        <StatusIcon name="delivered" tone="ok" />
        {t.nothing}
      </p>
    );
  return (
    <section className="panel" aria-labelledby="needs">
      <header>
        <h2 id="needs">{t.title}</h2>
        <span className="count">{needs.length}</span>
      </header>
      <div className="rows needs">
        {needs.map((need) => (
          <Line key={`${need.kind} ${rowOf(need).id?.(need) ?? ""}`} need={need} />
        ))}
      </div>
    </section>
  );
}

function Line({ need }: { readonly need: Need }) {
  const { kinds, see: links } = useTexts(overviewTexts).needs;
  const brakes = useTexts(brakesTexts);
  const formats = useFormats();
  const { icon, tone, says, see, when, link } = rowOf(need);
  const texts = need.kind === "PROVIDER_PAUSED" ? undefined : kinds[need.kind];
  const [what, why] = says(need, texts as never, { ...formats, brakes });
  const at = when ? when(need) : "since" in need ? need.since : null;
  return link(need, {
    className: "line",
    children: (
      <>
        <StatusIcon name={icon} tone={typeof tone === "function" ? tone(need) : tone} />
        <span>
          <b>{what}</b> {why}
        </span>
        <span className="end dim small">{at && <Time at={at} />}</span>
        <span className="inline way">{links[typeof see === "function" ? see(need) : see]}</span>
      </>
    ),
  });
}

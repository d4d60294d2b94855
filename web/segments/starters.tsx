// Segments that most shops and newsletters need: a click creates one, and its condition can be changed later.
import type { components } from "../api.gen.ts";
import { useKnownNames } from "../condition/known-names.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { segmentsTexts } from "../texts/areas.ts";

type NewSegment = components["schemas"]["CreateSegmentRequest"];
type StarterFilter = components["schemas"]["Condition"]["groups"][number]["filters"][number];

type StartersProps = {
  /** The typed name. */
  readonly name: string;
  readonly disabledReason: string | undefined;
  readonly busy: boolean;
  readonly create: (segment: NewSegment) => void;
};

export function SegmentStarters({ name, disabledReason, busy, create }: StartersProps) {
  const { starters: t } = useTexts(segmentsTexts);
  const { events } = useKnownNames();
  const filters = filtersFor(events.find((name) => ORDER.test(name)) ?? "order.placed");
  return (
    <div className="field" role="group" aria-label={t.title}>
      <span className="label">{t.title}</span>
      <span className="inline starters">
        {STARTERS.map((id) => (
          <Button
            key={id}
            small
            icon="plus"
            disabledReason={disabledReason}
            onClick={() =>
              busy ||
              create({
                name: name.trim() || t.names[id],
                condition: { logic: "AND", groups: [{ filters: filters[id] }] },
              })
            }
          >
            {t.names[id]}
          </Button>
        ))}
      </span>
    </div>
  );
}

const STARTERS = ["bought", "lapsed", "unopened", "clicked", "added"] as const;
/** Common names of a shop's order event. */
const ORDER = /^(order|purchase|checkout)([._ -]?(placed|completed?|paid|created|made))?$/i;

function filtersFor(order: string): Readonly<Record<(typeof STARTERS)[number], StarterFilter[]>> {
  const event = `event.${order}`;
  return {
    bought: [{ field: event, operator: "triggeredWithin", value: 30, unit: "days" }],
    lapsed: [
      { field: event, operator: "triggered" },
      { field: event, operator: "notTriggeredWithin", value: 90, unit: "days" },
    ],
    unopened: [
      { field: "email.delivered", operator: "triggered" },
      { field: "email.opened", operator: "notTriggered" },
    ],
    clicked: [{ field: "email.clicked", operator: "triggeredWithin", value: 30, unit: "days" }],
    added: [{ field: "createdAt", operator: "within", value: 7, unit: "days" }],
  };
}

// The menu of segments for selected people: adds them to a static segment, removes them, or creates a segment or a
// campaign.
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { Menu } from "../../parts/overlays/menu.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { segmentsQuery } from "../calls.ts";
import { SaveAsSegment, type NextScreen } from "./save-as-segment.tsx";
import { useMembers, type Move, type MemberSelection } from "../use-members.ts";

type SegmentMenuProps = {
  readonly whom: MemberSelection;
  /** The number of people. */
  readonly count: string;
  readonly tooMany: string | undefined;
  readonly done: () => void;
};

export function SegmentMenu({ whom, count, tooMany, done }: SegmentMenuProps) {
  const { bulk: t } = useTexts(peopleTexts);
  const mayNot = useDisabledReason("campaigns.write");
  const { data: segments = [] } = useQuery(segmentsQuery);
  const { move, isMoving } = useMembers(done);
  const [making, make] = useState<NextScreen | null>(null);
  const [asked, ask] = useState<Move | null>(null);
  const disabledReason = mayNot ?? tooMany;
  if (disabledReason !== undefined || isMoving)
    return (
      <Button small disabledReason={disabledReason} busy={isMoving}>
        {t.segment}
      </Button>
    );
  // A selection is changed without a question, because it can be undone. For a filter, earlier members are not known.
  const run = "emails" in whom ? move : ask;
  const byHand = segments.filter(({ type }) => type === "STATIC");
  const moves = (action: "add" | "remove") =>
    byHand.map(({ id, name }) => ({
      id: `${action} ${id}`,
      name: action === "add" ? t.addTo(name) : t.removeFrom(name),
      run: () => run({ action, id, name, whom }),
    }));
  const news = (["segment", "campaign"] as const).map((then) => ({
    id: `new ${then}`,
    name: t.make[then],
    run: () => make(then),
  }));
  const entries =
    byHand.length === 0 ? news : [...news, "line" as const, ...moves("add"), "line" as const, ...moves("remove")];
  return (
    <>
      <Menu label={t.segment} className="btn s" entries={entries}>
        {t.segment}
      </Menu>
      {making && <SaveAsSegment whom={whom} count={count} then={making} close={() => make(null)} done={done} />}
      {asked && (
        <Question
          title={t.moveAsk[asked.action](count, asked.name)}
          text={t.moveMeans}
          close={() => ask(null)}
          action={t.moveAct[asked.action]}
          run={() => {
            ask(null);
            move(asked);
          }}
        />
      )}
    </>
  );
}

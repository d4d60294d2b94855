// The members of a segment. Static segments are edited here.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { MarketingTag } from "../condition/matching-people.tsx";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { ColumnNames, More } from "../parts/rows.tsx";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import { usePages } from "../calls/query.ts";
import { membersQuery, useAddMembers, useRemoveMember, type Segment } from "./calls.ts";
import { AddFrom, AddPeople } from "./add-members.tsx";

type MembersProps = { readonly segment: Segment; readonly disabledReason: string | undefined };

export function Members({ segment, disabledReason }: MembersProps) {
  const { people: t, undo } = useTexts(segmentsTexts);
  const { number } = useFormats();
  const { all: people, first, ...pages } = usePages(membersQuery(segment.id));
  const [adds, setAdds] = useState<"some" | "segment" | null>(null);
  const back = useAddMembers(segment.id, () => undefined);
  const taking = useRemoveMember(segment.id, (email) =>
    showToast(t.removed(email), { name: undo, icon: "undo", run: () => back.mutate({ emails: [email] }) }),
  );
  const byHand = segment.type === "STATIC";
  const total = first?.total ?? 0;
  return (
    <div className="page">
      <Panel
        title={t.title}
        actions={
          byHand && (
            <>
              <Button small disabledReason={disabledReason} onClick={() => setAdds("segment")}>
                {t.addFrom}
              </Button>
              <Button small icon="plus" disabledReason={disabledReason} onClick={() => setAdds("some")}>
                {t.add}
              </Button>
            </>
          )
        }
      >
        {people ? (
          <div className="rows members">
            <ColumnNames columns={[t.email, t.standing, { end: t.since }]} />
            {people.map((person) => (
              <div className="line" key={person.id}>
                <Link className="cut plain" to="/people/$id" params={{ id: person.id }}>
                  {person.email}
                </Link>
                <MarketingTag {...person} />
                <span className="dim end">
                  <Time at={person.createdAt} as="brief" />
                </span>
                {byHand && (
                  <Button
                    kind="quiet"
                    small
                    icon="x"
                    label={t.remove(person.email)}
                    disabledReason={disabledReason}
                    onClick={() => taking.mutate(person.email)}
                  />
                )}
              </div>
            ))}
            {people.length === 0 && <p className="pad dim row-text">{byHand ? t.noneByHand : t.none}</p>}
          </div>
        ) : (
          <Skeleton of={pages} className="members" rows={8} columns={3} />
        )}
        {people && people.length > 0 && (
          <div className="foot">
            <span>{t.shown(number(people.length), number(total))}</span>
            <More {...pages} name={t.more} />
          </div>
        )}
      </Panel>
      {adds === "some" && <AddPeople segment={segment} close={() => setAdds(null)} />}
      {adds === "segment" && <AddFrom segment={segment} close={() => setAdds(null)} />}
    </div>
  );
}

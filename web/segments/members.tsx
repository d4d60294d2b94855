// Who is in a segment now. Where people are added by hand, they are added and taken out here.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Standing } from "../condition/found-people.tsx";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/toast.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import { AddPeople } from "./add-people.tsx";
import { membersQuery, useAddMembers, useTakeOut, type Segment } from "./calls.ts";

type MembersProps = { readonly segment: Segment; readonly disabledReason: string | undefined };

export function Members({ segment, disabledReason }: MembersProps) {
  const { people: t, undo } = useTexts(segmentsTexts);
  const { number } = useFormats();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(membersQuery(segment.id));
  const [adds, setAdds] = useState(false);
  const back = useAddMembers(segment.id, () => undefined);
  const taking = useTakeOut(segment.id, (email) =>
    showToast(t.removed(email), { name: undo, icon: "undo", run: () => back.mutate({ emails: [email] }) }),
  );
  const byHand = segment.type === "STATIC";
  const people = data?.pages.flatMap((page) => page.data);
  const total = data?.pages[0]?.total ?? 0;
  return (
    <div className="page">
      <Panel
        title={t.title}
        actions={
          byHand && (
            <Button small icon="plus" disabledReason={disabledReason} onClick={() => setAdds(true)}>
              {t.add}
            </Button>
          )
        }
      >
        {people ? (
          <div className="rows members">
            <div className="head wide-only">
              <span>{t.email}</span>
              <span>{t.standing}</span>
              <span className="end">{t.since}</span>
            </div>
            {people.map((person) => (
              <div className="line" key={person.id}>
                <Link className="cut plain" to="/people/$id" params={{ id: person.id }}>
                  {person.email}
                </Link>
                <Standing {...person} />
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
          <Skeleton className="members" rows={8} columns={3} />
        )}
        {people && people.length > 0 && (
          <div className="foot">
            <span>{t.shown(number(people.length), number(total))}</span>
            {hasNextPage && (
              <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t.more}
              </Button>
            )}
          </div>
        )}
      </Panel>
      {adds && <AddPeople segment={segment} close={() => setAdds(false)} />}
    </div>
  );
}

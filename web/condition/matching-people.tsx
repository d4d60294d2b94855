// The people behind a number: those who match a condition, or those excluded for one reason.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { More } from "../parts/rows.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { Label } from "../parts/state.tsx";
import { conditionTexts } from "../texts/areas.ts";
import type { SegmentCondition } from "./draft.ts";

export type AudienceState = "matched" | "willReceive" | "unsubscribed" | "pending" | "suppressed" | "paused";

type MatchingPeopleProps = {
  readonly title: string;
  readonly condition: SegmentCondition;
  readonly part?: AudienceState;
  readonly close: () => void;
};

const PAGE_SIZE = 50;

export function MatchingPeople({ title, condition, part = "matched", close }: MatchingPeopleProps) {
  const t = useTexts(conditionTexts);
  const { data, ...pages } = useInfiniteQuery({
    queryKey: ["contacts", "found", part, condition],
    queryFn: ({ pageParam, signal }) =>
      call("POST /campaigns/audience-people", {
        body: {
          audienceType: "FILTERED",
          audienceCondition: condition,
          part,
          limit: PAGE_SIZE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
  const people = data?.pages.flatMap((page) => page.data);
  return (
    <Dialog title={title} isOpen onClose={close} wide>
      {people ? (
        <div className="rows found-people">
          {people.map((person) => (
            <Link className="line" key={person.id} to="/people/$id" params={{ id: person.id }}>
              <span className="cut">{person.email}</span>
              <MarketingTag {...person} />
            </Link>
          ))}
          {people.length === 0 && !pages.hasNextPage && <p className="dim row-text">{t.nobodyFound}</p>}
        </div>
      ) : (
        <Skeleton of={pages} rows={6} columns={2} className="found-people" />
      )}
      <More {...pages} name={t.showMore} large />
    </Dialog>
  );
}

type MarketingTagProps = { readonly subscribed: boolean; readonly status: "ACTIVE" | "PENDING" };

/** Whether a person may receive marketing email. */
export function MarketingTag({ subscribed, status }: MarketingTagProps) {
  const { standing } = useTexts(conditionTexts);
  if (status === "PENDING") return <Label icon="waiting">{standing.pending}</Label>;
  if (!subscribed) return <Label icon="unsub">{standing.unsubscribed}</Label>;
  return (
    <Label icon="check" tone="ok">
      {standing.subscribed}
    </Label>
  );
}

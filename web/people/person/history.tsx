// A person's history by day, newest first, with filter tabs in the URL.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { mailTexts, peopleTexts } from "../../texts/areas.ts";
import { useTopicNamed } from "../../topics/calls.ts";
import { summaryQuery, timelineQuery, type Contact } from "../calls.ts";
import { KINDS, type KeyKind } from "../filters.ts";
import { useFormats } from "../../base/formats.ts";
import { Consent } from "./consent.tsx";
import { Days } from "./days.tsx";
import { causeText, describeEntry } from "./describe-entry.tsx";
import { withoutOutcomes } from "./without-outcomes.ts";

type HistoryProps = { readonly contact: Contact; readonly kind: KeyKind | undefined };

export function History({ contact, kind }: HistoryProps) {
  const t = useTexts(peopleTexts);
  return (
    <>
      <nav className="tabs" aria-label={t.past.title}>
        {[undefined, ...KINDS].map((one) => (
          <Link
            key={one ?? "ALL"}
            to="/people/$id"
            params={{ id: contact.id }}
            search={one ? { kind: one } : {}}
            activeOptions={{ exact: true }}
            aria-current={one === kind ? "page" : "false"}
            activeProps={{}}
          >
            {t.past.kinds[one ?? "ALL"]}
          </Link>
        ))}
      </nav>
      {kind === "CONSENT" ? <Consent contact={contact} /> : <Past contact={contact} kind={kind} />}
    </>
  );
}

function Past({ contact, kind }: HistoryProps) {
  const t = useTexts(peopleTexts);
  const mail = useTexts(mailTexts);
  const formats = useFormats();
  const topicNamed = useTopicNamed();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    timelineQuery(contact.id, kind),
  );
  const all = data?.pages.flatMap((page) => page.entries);
  const entries = useMemo(() => all && withoutOutcomes(all), [data]);
  return (
    <>
      {error && !entries ? <FaultBanner fault={error} /> : null}
      {!entries && !error && <Skeleton of={null} rows={6} columns={2} />}
      {entries && (
        <Days
          entries={entries}
          describe={(entry, key) => describeEntry(entry, key, { t, mail, formats, topicNamed })}
        />
      )}
      {entries && !hasNextPage && <HistoryStart contact={contact} isEmpty={entries.length === 0} />}
      {hasNextPage && (
        <span>
          <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.past.more}
          </Button>
        </span>
      )}
    </>
  );
}

function HistoryStart({ contact, isEmpty }: { readonly contact: Contact; readonly isEmpty: boolean }) {
  const t = useTexts(peopleTexts);
  const formats = useFormats();
  const { data: summary } = useQuery(summaryQuery(contact.id));
  return (
    <p className="dim row-text">
      {isEmpty && `${t.past.nothing} `}
      {t.past.created(formats.exact(new Date(contact.createdAt)))} {summary && causeText(summary.added, { t, formats })}
    </p>
  );
}

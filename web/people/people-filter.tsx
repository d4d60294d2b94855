// The filters of the list of people: search, subscription, period, topic, segment.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { FilterField, filterEntry, useDebouncedText, useFiltersKeptAnew } from "../parts/fields/filter-field.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { useTopicName, useTopicNamed, useTopics } from "../topics/calls.ts";
import { SavedViews } from "../views/saved-views.tsx";
import { segmentsQuery } from "./calls.ts";
import { CHOICES, PERIODS, SUBSCRIPTION_STATUSES, without, type PeopleFilter, type PeopleFilters } from "./filters.ts";

type PeopleTabsProps = { readonly filters: PeopleFilters; readonly total: string | undefined };

export function PeopleTabs({ filters, total }: PeopleTabsProps) {
  const t = useTexts(peopleTexts);
  return (
    <nav className="tabs views" aria-label={t.views}>
      {[undefined, ...SUBSCRIPTION_STATUSES].map((status) => {
        const { status: _, ...rest } = filters;
        return (
          <Link
            key={status ?? "ALL"}
            to="/people"
            search={status === undefined ? rest : { ...rest, status }}
            aria-current={filters.status === status ? "page" : undefined}
            activeProps={{}}
          >
            {status === undefined ? t.all : t.standing[status]}
            {filters.status === status && total !== undefined && <span className="n">{total}</span>}
          </Link>
        );
      })}
      <SavedViews list="people" to="/people" filters={filters} />
    </nav>
  );
}

type PeopleFilterProps = { readonly filters: PeopleFilters; readonly narrow: (filters: PeopleFilters) => void };

export function PeopleFilter({ filters, narrow }: PeopleFilterProps) {
  const t = useTexts(peopleTexts);
  const { data: segments = [] } = useQuery(segmentsQuery);
  const keptAnew = useFiltersKeptAnew(filters);
  const written = useDebouncedText(filters.search ?? "", (words, isAnew) => {
    const { sort } = filters;
    const { search: _, ...rest } = isAnew && words.trim() !== "" ? { ...keptAnew(), ...compact({ sort }) } : filters;
    const narrowed = words.trim() === "" ? rest : { ...rest, search: words.trim() };
    narrow(narrowed);
    return narrowed;
  });
  const entry = filterEntry(filters, narrow);
  const choices = useChoices(filters, narrow);
  return (
    <FilterField
      texts={t}
      written={written}
      write={written.write}
      tokens={useTokens(filters)}
      remove={(name) => narrow(without(filters, name))}
      entries={[
        ...PERIODS.map((since) => entry("since", since, t.sinces[since] ?? since)),
        "line",
        entry("sort", "email", t.byEmail),
        ...(choices.length > 0 ? ["line" as const] : []),
        ...choices,
        ...(segments.length > 0 ? ["line" as const] : []),
        ...segments.map(({ id, name }) => entry("segmentId", id, t.inSegment(name))),
      ]}
    />
  );
}

function useChoices(filters: PeopleFilters, narrow: (filters: PeopleFilters) => void) {
  const t = useTexts(peopleTexts);
  const nameOf = useTopicName();
  const topics = useTopics();
  return CHOICES.flatMap((choice) =>
    topics.map((topic) => {
      const chosen = filters.topic === topic.key && filters.choice === choice;
      const rest = without(filters, "topic");
      return {
        id: `${choice} ${topic.key}`,
        name: t.said[choice](nameOf(topic)),
        chosen,
        run: () => narrow(chosen ? rest : { ...rest, topic: topic.key, choice }),
      };
    }),
  );
}

function useTokens(filters: PeopleFilters): readonly { readonly name: PeopleFilter; readonly text: string }[] {
  const t = useTexts(peopleTexts);
  const { exact } = useFormats();
  const momentIn = (text: string) => (Number.isNaN(Date.parse(text)) ? text : exact(new Date(text)));
  const topicNamed = useTopicNamed();
  const said = t.said[filters.choice as keyof typeof t.said] ?? t.said.unsaid;
  const { data: segments } = useQuery({ ...segmentsQuery, enabled: filters.segmentId !== undefined });
  const segment = segments?.find(({ id }) => id === filters.segmentId)?.name ?? "…";
  return [
    ...(filters.segmentId ? [{ name: "segmentId" as const, text: t.inSegment(segment) }] : []),
    ...(filters.topic ? [{ name: "topic" as const, text: said(topicNamed(filters.topic)) }] : []),
    ...(filters.since
      ? [{ name: "since" as const, text: t.sinces[filters.since] ?? t.since(momentIn(filters.since)) }]
      : []),
    ...(filters.importId
      ? [{ name: "importId" as const, text: t.byImport[filters.imported ?? ""] ?? t.byImport.all }]
      : []),
    ...(filters.sort === "email" ? [{ name: "sort" as const, text: t.byEmail }] : []),
  ];
}

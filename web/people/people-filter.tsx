// The search field above the people: email address, subscription, segment, period.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { FilterField, filterEntry, useDebouncedText } from "../parts/filter-field.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { SavedViews } from "../views/saved-views.tsx";
import { segmentsQuery } from "./calls.ts";
import { PERIODS, SUBSCRIPTION_STATUSES, without, type FilterName, type Filters } from "./filters.ts";

type PeopleFilterProps = {
  readonly filters: Filters;
  readonly narrow: (filters: Filters) => void;
  readonly total: string | undefined;
};

export function PeopleFilter({ filters, narrow, total }: PeopleFilterProps) {
  const t = useTexts(peopleTexts);
  return (
    <div className="people-ask">
      <Words filters={filters} narrow={narrow} />
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
    </div>
  );
}

function Words({ filters, narrow }: Pick<PeopleFilterProps, "filters" | "narrow">) {
  const t = useTexts(peopleTexts);
  const { data: segments = [] } = useQuery(segmentsQuery);
  const written = useDebouncedText(filters.search ?? "", (words) => {
    const { search: _, ...rest } = filters;
    narrow(words.trim() === "" ? rest : { ...rest, search: words.trim() });
  });
  const entry = filterEntry(filters, narrow);
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
        ...(segments.length > 0 ? ["line" as const] : []),
        ...segments.map(({ id, name }) => entry("segmentId", id, t.inSegment(name))),
      ]}
    />
  );
}

function useTokens(filters: Filters): readonly { readonly name: FilterName; readonly text: string }[] {
  const t = useTexts(peopleTexts);
  const { exact } = useFormats();
  const momentIn = (text: string) => (Number.isNaN(Date.parse(text)) ? text : exact(new Date(text)));
  const { data: segments } = useQuery({ ...segmentsQuery, enabled: filters.segmentId !== undefined });
  const segment = segments?.find(({ id }) => id === filters.segmentId)?.name ?? "…";
  return [
    ...(filters.segmentId ? [{ name: "segmentId" as const, text: t.inSegment(segment) }] : []),
    ...(filters.since
      ? [{ name: "since" as const, text: t.sinces[filters.since] ?? t.since(momentIn(filters.since)) }]
      : []),
    ...(filters.importId
      ? [{ name: "importId" as const, text: t.byImport[filters.imported ?? ""] ?? t.byImport.all }]
      : []),
    ...(filters.sort === "email" ? [{ name: "sort" as const, text: t.byEmail }] : []),
  ];
}

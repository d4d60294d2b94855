// Segments: all of them with their sizes, newest first, found by name.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { curlOf } from "../calls.ts";
import { useFormats } from "../formats.ts";
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton, Empty } from "../parts/layout.tsx";
import { Time } from "../parts/time.tsx";
import { useDisabledReason } from "../session.ts";
import { segmentsTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { segmentsQuery, type Segment } from "./calls.ts";
import "./look.ts";

const route = getRouteApi("/frame/segments");
const MAKE = {
  method: "POST",
  path: "/segments",
  body: {
    name: "Pro users",
    condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
  },
} as const;

export function Segments() {
  const t = useTexts(segmentsTexts);
  const disabledReason = useDisabledReason("campaigns.write");
  const navigate = useNavigate();
  const { search = "" } = route.useSearch();
  const { data: all } = useQuery(segmentsQuery);
  const make = () => void navigate({ to: "/segments/new" });
  useVerbs([{ id: "new segment", name: t.make, icon: "segments", run: make, disabledReason }]);
  const found = all?.filter(({ name, description }) => {
    const said = `${name}\n${description ?? ""}`.toLowerCase();
    return said.includes(search.trim().toLowerCase());
  });
  const button = (kind?: "first") => (
    <Button {...(kind ? { kind } : {})} icon="plus" disabledReason={disabledReason} onClick={make}>
      {t.make}
    </Button>
  );
  return (
    <>
      <Bar title={t.title} call={{ path: "/segments" }} actions={button()} />
      <div className="page">
        {all?.length === 0 ? (
          <Empty title={t.empty.title} curl={curlOf(MAKE)} action={button("first")}>
            {t.empty.text}
          </Empty>
        ) : (
          <>
            <input
              type="search"
              className="input find-segments"
              aria-label={t.find}
              placeholder={t.find}
              defaultValue={search}
              onChange={({ target }) =>
                void navigate({
                  to: "/segments",
                  search: target.value ? { search: target.value } : {},
                  replace: true,
                })
              }
            />
            <section className="panel" aria-label={t.title}>
              {found ? <Rows segments={found} /> : <Skeleton rows={8} columns={4} className="segments" />}
              {found?.length === 0 && <p className="pad dim row-text">{t.noMatch}</p>}
            </section>
          </>
        )}
      </div>
    </>
  );
}

function Rows({ segments }: { readonly segments: readonly Segment[] }) {
  const t = useTexts(segmentsTexts);
  const { number } = useFormats();
  return (
    <div className="rows segments">
      <div className="head wide-only">
        <span />
        <span>{t.name}</span>
        <span>{t.kind}</span>
        <span className="end">{t.size}</span>
        <span className="end">{t.made}</span>
      </div>
      {segments.map(({ id, name, description, type, memberCount, createdAt }) => (
        <Link key={id} className="line" to="/segments/$id" params={{ id }}>
          <Icon name="segments" />
          <span className="cut">
            <b>{name}</b> {description && <span className="dim">{description}</span>}
          </span>
          <span className="dim">{t.kinds[type]}</span>
          <b className="end">{number(memberCount)}</b>
          <span className="dim end">
            <Time at={createdAt} as="brief" />
          </span>
        </Link>
      ))}
    </div>
  );
}

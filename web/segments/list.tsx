// The list of segments with their sizes, newest first, searchable by name.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useFormats } from "../formats.ts";
import { ListScreen } from "../frame/list-screen.tsx";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { Time } from "../parts/time.tsx";
import { useDisabledReason } from "../session.ts";
import { segmentsTexts } from "../texts/areas.ts";
import { segmentsQuery, type Segment } from "./calls.ts";
import "./styles.ts";

const route = getRouteApi("/frame/segments");
const CREATE = {
  method: "POST",
  path: "/segments",
  body: {
    name: "Pro users",
    condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
  },
} as const;

export function Segments() {
  const t = useTexts(segmentsTexts);
  const { search } = route.useSearch();
  const navigate = useNavigate();
  const { data: all, ...asked } = useQuery(segmentsQuery);
  const words = (search ?? "").toLowerCase();
  return (
    <ListScreen
      texts={t}
      call={{ path: "/segments" }}
      make={() => void navigate({ to: "/segments/new" })}
      disabledReason={useDisabledReason("campaigns.write")}
      example={CREATE}
      verb={{ id: "new segment", icon: "segments" }}
      search={search}
      find={(next) => void navigate({ to: "/segments", search: next ? { search: next } : {}, replace: true })}
      className="segments"
      columns={[null, t.name, t.kind, { end: t.size }, { end: t.made }]}
      items={all?.filter(({ name, description }) => `${name}\n${description ?? ""}`.toLowerCase().includes(words))}
      of={asked}
      row={(segment) => <Row key={segment.id} {...segment} />}
    />
  );
}

function Row({ id, name, description, type, memberCount, createdAt }: Segment) {
  const t = useTexts(segmentsTexts);
  const { number } = useFormats();
  return (
    <Link className="line" to="/segments/$id" params={{ id }}>
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
  );
}

// The list of segments with their sizes, newest first, searchable by name.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { ListScreen } from "../lists/list-screen.tsx";
import { Time } from "../parts/time.tsx";
import { useDisabledReason } from "../calls/session.ts";
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
  const find = (next: string | undefined) =>
    void navigate({ to: "/segments", search: next ? { search: next } : {}, replace: true });
  const words = (search ?? "").toLowerCase();
  return (
    <ListScreen
      texts={t}
      call={{ path: "/segments" }}
      make={{
        id: "new segment",
        icon: "segments",
        run: () => void navigate({ to: "/segments/new" }),
        disabledReason: useDisabledReason("campaigns.write"),
      }}
      example={CREATE}
      search={{ value: search, onChange: find }}
      clear={() => find(undefined)}
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
    <Line icon="segments" name={name} more={description} link={{ to: "/segments/$id", params: { id } }}>
      <span className="dim">{t.kinds[type]}</span>
      <span className="end" data-label={t.size}>
        {number(memberCount)}
      </span>
      <span className="dim small end wide-only">
        <Time at={createdAt} as="brief" />
      </span>
    </Line>
  );
}

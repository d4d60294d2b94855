// Templates: all of them, newest first, found by what they are called or say.
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { curlOf } from "../calls.ts";
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton, Empty } from "../parts/layout.tsx";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { Tag } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";
import { useDisabledReason } from "../session.ts";
import { templatesTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { useTemplates, type Template } from "./calls.ts";
import { MakeTemplate } from "./make.tsx";
import type { TemplatesSearch } from "./route.ts";
import "./templates.css";

const route = getRouteApi("/frame/templates");
const MAKE = {
  method: "POST",
  path: "/templates",
  body: { name: "Receipt", type: "TRANSACTIONAL", subject: "Your receipt", body: "<p>Thank you, {{ name }}.</p>" },
} as const;

export function Templates() {
  const t = useTexts(templatesTexts);
  const { make: makes, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const disabledReason = useDisabledReason("templates.write");
  const make = () => void navigate({ search: { ...search, make: true } });
  const close = () => void navigate({ search, replace: true });
  useVerbs([{ id: "new template", name: t.make, icon: "templates", run: make, disabledReason }]);
  return (
    <>
      <Bar
        title={t.title}
        call={{ path: "/templates", query: search }}
        actions={
          <Button icon="plus" disabledReason={disabledReason} onClick={make}>
            {t.make}
          </Button>
        }
      />
      <Found search={search} disabledReason={disabledReason} make={make} />
      {makes && <MakeTemplate close={close} />}
    </>
  );
}

type FoundProps = {
  readonly search: TemplatesSearch;
  readonly disabledReason: string | undefined;
  readonly make: () => void;
};

function Found({ search, disabledReason, make }: FoundProps) {
  const t = useTexts(templatesTexts);
  const { all, total, hasNextPage, fetchNextPage, isFetchingNextPage } = useTemplates(search);
  const isNarrowed = search.search !== undefined || search.type !== undefined;
  if (all?.length === 0 && !isNarrowed)
    return (
      <div className="page">
        <Empty
          title={t.empty.title}
          curl={curlOf(MAKE)}
          action={
            <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={make}>
              {t.make}
            </Button>
          }
        >
          {t.empty.text}
        </Empty>
      </div>
    );
  return (
    <div className="page">
      <Narrow search={search} />
      <section className="panel" aria-label={t.title}>
        {all ? <Rows templates={all} /> : <Skeleton rows={8} columns={4} className="templates" />}
        {all?.length === 0 && <p className="pad dim row-text">{t.noMatch}</p>}
        {all && all.length > 0 && (
          <div className="foot">
            <span>{t.shown(all.length, total)}</span>
            {hasNextPage && (
              <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t.more}
              </Button>
            )}
          </div>
        )}
      </section>
    </div>
  );
}

const ANY = "any";

function Narrow({ search }: { readonly search: TemplatesSearch }) {
  const t = useTexts(templatesTexts);
  const navigate = useNavigate();
  const narrow = (change: { search?: string | undefined; type?: TemplatesSearch["type"] | undefined }) =>
    void navigate({ to: "/templates", search: { ...search, ...change } as TemplatesSearch, replace: true });
  return (
    <div className="inline l finding">
      <input
        type="search"
        className="input find-templates"
        aria-label={t.find}
        placeholder={t.find}
        defaultValue={search.search}
        onChange={({ target }) => narrow({ search: target.value || undefined })}
      />
      <SegmentedControl
        label={t.type}
        value={search.type ?? ANY}
        onChange={(type) => narrow({ type: type === ANY ? undefined : type })}
        choices={[
          { value: ANY, content: t.any },
          { value: "TRANSACTIONAL", content: t.types.TRANSACTIONAL },
          { value: "MARKETING", content: t.types.MARKETING },
        ]}
      />
    </div>
  );
}

function Rows({ templates }: { readonly templates: readonly Template[] }) {
  const t = useTexts(templatesTexts);
  return (
    <div className="rows templates">
      <div className="head wide-only">
        <span />
        <span>{t.name}</span>
        <span>{t.subject}</span>
        <span>{t.type}</span>
        <span className="end">{t.changed}</span>
      </div>
      {templates.map(({ id, name, subject, type, updatedAt }) => (
        <Link key={id} className="line" to="/templates/$id" params={{ id }}>
          <Icon name="templates" />
          <b className="cut">{name}</b>
          <span className="dim cut">{subject}</span>
          <span>
            <Tag>{t.types[type]}</Tag>
          </span>
          <span className="dim small end">
            <Time at={updatedAt} as="brief" />
          </span>
        </Link>
      ))}
    </div>
  );
}

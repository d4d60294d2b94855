// Behind the views that everybody has: those that were saved, and a way to save what the list shows now, or to forget it.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { showToast } from "../parts/toast.tsx";
import { useOff } from "../session.ts";
import { mailTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { VIEWS } from "./asked.ts";
import type { Filters, MailSearch } from "./filters.ts";
import { filtersOf, isSame, savedViewsQuery, useRemove, useSave, type SavedView } from "./saved-views.ts";
import "./own-views.css";

const SaveView = lazy(() => import("./save-view.tsx").then(({ SaveView }) => ({ default: SaveView })));

type OwnViewsProps = { readonly filters: Filters; readonly tab: MailSearch["tab"] };

export function OwnViews({ filters, tab }: OwnViewsProps) {
  const views = useQuery(savedViewsQuery).data ?? [];
  const here = views.find((view) => isSame(filtersOf(view), filters));
  const isKnown = Object.values(VIEWS).some((view) => isSame(view, filters));
  return (
    <>
      {views.map((view) => (
        <Link
          key={view.id}
          to="."
          search={{ ...filtersOf(view), ...(tab === undefined ? {} : { tab }) }}
          activeOptions={{ exact: true }}
          aria-current={view === here ? "true" : "false"}
          preload={false}
        >
          {view.name}
        </Link>
      ))}
      {here ? <Remove view={here} /> : !isKnown && <Save filters={filters} />}
    </>
  );
}

function Save({ filters }: { readonly filters: Filters }) {
  const t = useTexts(mailTexts).saved;
  const [isAsking, ask] = useState(false);
  useVerbs([{ id: "save view", name: t.save, icon: "plus", run: () => ask(true) }]);
  return (
    <>
      <Button kind="quiet" small icon="plus" onClick={() => ask(true)}>
        {t.save}
      </Button>
      {isAsking && (
        <Suspense>
          <SaveView filters={filters} close={() => ask(false)} />
        </Suspense>
      )}
    </>
  );
}

function Remove({ view }: { readonly view: SavedView }) {
  const t = useTexts(mailTexts).saved;
  const mayNot = useOff("mail.send");
  const off = view.shared ? mayNot : undefined;
  const { mutate: save } = useSave(() => undefined, false);
  const remove = useRemove(({ name, shared, ...gone }) => {
    const filters = filtersOf(gone);
    showToast(t.removed(name), { name: t.undo, icon: "undo", run: () => save({ name, shared, filters }) });
  });
  const run = () => remove.mutate(view);
  useVerbs([{ id: "remove view", name: t.removeNamed(view.name), icon: "trash", run, off }]);
  return <Button kind="quiet" small icon="trash" label={t.removeNamed(view.name)} off={off} onClick={run} />;
}

// The views of a list that were saved, and a way to save what it shows now, or to forget a view.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { showToast } from "../parts/toast.tsx";
import { useDisabledReason } from "../session.ts";
import { viewsTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import {
  isSame,
  saidBy,
  useRemove,
  useSave,
  viewsQuery,
  type Filters,
  type ListName,
  type SavedView,
} from "./saved.ts";
import "./views.css";

const SaveView = lazy(() => import("./save-view.tsx").then(({ SaveView }) => ({ default: SaveView })));

type OwnViewsProps = {
  readonly list: ListName;
  readonly to: "/mail" | "/people" | "/campaigns" | "/events";
  readonly filters: Filters;
  /** What the address says besides the filters, and keeps. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The filters are those of a view that everybody has. */
  readonly isKnown?: boolean;
  /** What a view would show, in words. */
  readonly shown?: ReactNode;
  /** No views that everybody has stand before them. */
  readonly alone?: boolean;
};

export function OwnViews({ list, to, filters, beside, isKnown, shown, alone }: OwnViewsProps) {
  const t = useTexts(viewsTexts);
  const saved = useQuery(viewsQuery(list)).data ?? [];
  const said = saidBy(filters);
  const here = saved.find(({ filter }) => isSame(filter, said));
  const views = (
    <>
      {saved.map((view) => (
        <Link
          key={view.id}
          to={to}
          search={{ ...view.filter, ...beside }}
          activeProps={{}}
          aria-current={view === here ? "true" : "false"}
          preload={false}
        >
          {view.name}
        </Link>
      ))}
      {here && <Remove view={here} />}
      {!here && !isKnown && Object.keys(said).length > 0 && <Save list={list} filter={said} shown={shown} />}
    </>
  );
  return alone ? (
    <nav className="tabs views own-views" aria-label={t.title}>
      {views}
    </nav>
  ) : (
    views
  );
}

type SaveProps = Pick<SavedView, "list" | "filter"> & Pick<OwnViewsProps, "shown">;

function Save({ list, filter, shown }: SaveProps) {
  const t = useTexts(viewsTexts);
  const [isAsking, ask] = useState(false);
  useVerbs([{ id: "save view", name: t.save, icon: "plus", run: () => ask(true) }]);
  return (
    <>
      <Button kind="quiet" small icon="plus" onClick={() => ask(true)}>
        {t.save}
      </Button>
      {isAsking && (
        <Suspense>
          <SaveView list={list} filter={filter} shown={shown} close={() => ask(false)} />
        </Suspense>
      )}
    </>
  );
}

function Remove({ view }: { readonly view: SavedView }) {
  const t = useTexts(viewsTexts);
  const mayNot = useDisabledReason("mail.send");
  const disabledReason = view.shared ? mayNot : undefined;
  const { mutate: save } = useSave(view.list, () => undefined, false);
  const remove = useRemove(view.list, ({ name, shared, filter }) =>
    showToast(t.removed(name), { name: t.undo, icon: "undo", run: () => save({ name, shared, filter }) }),
  );
  const run = () => remove.mutate(view);
  useVerbs([{ id: "remove view", name: t.removeNamed(view.name), icon: "trash", run, disabledReason }]);
  return (
    <Button
      kind="quiet"
      small
      icon="trash"
      label={t.removeNamed(view.name)}
      disabledReason={disabledReason}
      onClick={run}
    />
  );
}

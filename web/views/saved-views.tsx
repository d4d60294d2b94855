// The saved views of a list, with actions to save and remove one.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState, type ReactNode } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { viewsTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import {
  isSame,
  activeFilters,
  useRemoveView,
  useSaveView,
  viewsQuery,
  type ViewFilters,
  type ListName,
  type SavedView,
} from "./saved.ts";
import { lazyPart, nothing } from "../chunks.tsx";
import "./views.css";

const SaveView = lazyPart(() => import("./save-view.tsx"), "SaveView", nothing);

type SavedViewsProps = {
  readonly list: ListName;
  readonly to: "/mail" | "/people" | "/campaigns" | "/events";
  readonly filters: ViewFilters;
  /** Parameters of the URL that are not filters; a view keeps them. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The filters are those of a built-in view. */
  readonly isKnown?: boolean;
  /** The current filters as text. */
  readonly shown?: ReactNode;
  /** There are no built-in views before them. */
  readonly alone?: boolean;
};

export function SavedViews({ list, to, filters, beside, isKnown, shown, alone }: SavedViewsProps) {
  const t = useTexts(viewsTexts);
  const saved = useQuery(viewsQuery(list)).data ?? [];
  const active = activeFilters(filters);
  const here = saved.find(({ filter }) => isSame(filter, active));
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
      {here && <RemoveView view={here} />}
      {!here && !isKnown && Object.keys(active).length > 0 && <SaveButton list={list} filter={active} shown={shown} />}
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

type SaveProps = Pick<SavedView, "list" | "filter"> & Pick<SavedViewsProps, "shown">;

function SaveButton({ list, filter, shown }: SaveProps) {
  const t = useTexts(viewsTexts);
  const [isAsking, ask] = useState(false);
  useCommands([{ id: "save view", name: t.save, icon: "plus", run: () => ask(true) }]);
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

function RemoveView({ view }: { readonly view: SavedView }) {
  const t = useTexts(viewsTexts);
  const denied = useDisabledReason("mail.send");
  const disabledReason = view.shared ? denied : undefined;
  const { mutate: save } = useSaveView(view.list, () => undefined, false);
  const remove = useRemoveView(view.list, ({ name, shared, filter }) =>
    showToast(t.removed(name), { name: t.undo, icon: "undo", run: () => save({ name, shared, filter }) }),
  );
  const run = () => remove.mutate(view);
  useCommands([{ id: "remove view", name: t.removeNamed(view.name), icon: "trash", run, disabledReason }]);
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

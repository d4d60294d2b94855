// People: the list with filters, search and bulk actions.
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useMutation } from "@tanstack/react-query";
import { CopyActions, useScreen } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { useDisabledReason } from "../session.ts";
import { peopleTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { PeopleFilter } from "./people-filter.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { useSelection } from "./selection.ts";
import { exportPeople } from "./export.ts";
import { peopleSearch, queryOf, type Filters } from "./filters.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { List } from "./list.tsx";
import { usePeople } from "./use-people.ts";
import { api, unwrap } from "../api.ts";
import { useIdempotencyKey } from "../idempotency-key.ts";
import { Field } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Checkbox } from "../parts/checkbox.tsx";
import { showToast } from "../parts/toast.tsx";
import { peopleChanged } from "./calls.ts";
import "./people.css";

const route = getRouteApi("/frame/people");

export function PeopleScreen() {
  const t = useTexts(peopleTexts);
  const search = route.useSearch();
  const filters = useMemo(() => peopleSearch(search), [search]);
  const navigate = useNavigate();
  const narrow = useCallback((next: Filters) => void navigate({ to: "/people", search: next }), [navigate]);
  const people = usePeople(filters);
  const chosen = useSelection(filters);
  const add = (make: boolean) =>
    void navigate({ to: "/people", search: { ...filters, ...(make ? { make: "true" } : {}) }, replace: !make });
  const mayBulk = useDisabledReason("people.bulk");
  useScreen(t.title, { path: "/contacts", query: { ...queryOf(filters), limit: 100 } });
  const actions = {
    add: { disabledReason: useDisabledReason("people.write"), run: () => add(true) },
    get: { disabledReason: mayBulk, run: () => void exportPeople(filters) },
  };
  useCommands([
    { id: "add person", name: t.add.open, icon: "plus", ...actions.add },
    { id: "export people", name: t.export, icon: "get", ...actions.get },
    {
      id: "find duplicates",
      name: t.duplicates.open,
      icon: "search",
      run: () => void navigate({ to: "/people/duplicates" }),
    },
    { id: "import people", name: t.import.title, icon: "out", run: () => void navigate({ to: "/people/import" }) },
  ]);
  return (
    <div className="fill people-screen">
      <header className="bar">
        <h1>{t.title}</h1>
        <div className="actions">
          <CopyActions />
          <span className="inline wide-only">
            <ColumnMenu />
            <Button kind="quiet" icon="get" disabledReason={actions.get.disabledReason} onClick={actions.get.run}>
              {t.export}
            </Button>
            <ButtonLink to="/people/duplicates">{t.duplicates.open}</ButtonLink>
            <ButtonLink to="/people/import">{t.import.open}</ButtonLink>
          </span>
          <Button kind="first" icon="plus" disabledReason={actions.add.disabledReason} onClick={actions.add.run}>
            {t.add.open}
          </Button>
        </div>
      </header>
      {chosen.count(people.total) > 0 ? (
        <BulkActions chosen={chosen} total={people.total} totalText={people.totalText} filters={filters} />
      ) : (
        <PeopleFilter filters={filters} narrow={narrow} total={people.totalText} />
      )}
      <List filters={filters} people={people} chosen={chosen} clear={() => narrow({})} add={actions.add} />
      {search.make && actions.add.disabledReason === undefined && <Add close={() => add(false)} />}
    </div>
  );
}

/** Adding one person. */
function Add({ close }: { readonly close: () => void }) {
  const t = useTexts(peopleTexts);
  const idempotencyKey = useIdempotencyKey();
  const navigate = useNavigate();
  const adding = useMutation({
    mutationFn: ({ email = "", name = "", subscribed }: Readonly<Record<string, string>>) => {
      const body = {
        email,
        data: name === "" ? {} : { name },
        subscribed: subscribed !== undefined,
      };
      return unwrap(api.POST("/contacts", { ...idempotencyKey, body }));
    },
    onSuccess: ({ id, _meta }) => {
      peopleChanged();
      close();
      showToast(_meta.isNew ? t.add.done : t.add.known);
      void navigate({ to: "/people/$id", params: { id } });
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.add.title}
      close={close}
      sending={adding}
      unsaved={false}
      submit={t.add.action}
      onSubmit={(values) => adding.mutate(values)}
    >
      <Field name="email" label={t.email} type="email" autoFocus autoComplete="off" />
      <Field name="name" label={t.name} note={t.optional} autoComplete="off" />
      <Checkbox name="subscribed" defaultChecked>
        {t.add.subscribed}
      </Checkbox>
    </FormDialog>
  );
}

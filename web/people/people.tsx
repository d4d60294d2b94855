// People: the list with filters, search and bulk actions.
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useMutation } from "@tanstack/react-query";
import { useTexts } from "../base/language.ts";
import { ListScreen } from "../lists/list-screen.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { KeyHints } from "../parts/layout.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { peopleTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { PeopleFilter, PeopleTabs } from "./people-filter.tsx";
import { BulkActions } from "./bulk/bulk-actions.tsx";
import { useSelection } from "./bulk/selection.ts";
import { exportPeople } from "./export.ts";
import { isNarrowed, peopleSearch, queryOf, type PeopleFilters } from "./filters.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { PeopleRows } from "./list.tsx";
import { usePeople } from "./use-people.ts";
import { call } from "../calls/api.ts";
import { useIdempotencyKey } from "../base/idempotency-key.ts";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { peopleChanged } from "./calls.ts";
import "./people.css";

const route = getRouteApi("/frame/people");

export function PeopleScreen() {
  const t = useTexts(peopleTexts);
  const search = route.useSearch();
  const filters = useMemo(() => peopleSearch(search), [search]);
  const navigate = useNavigate();
  const narrow = useCallback((next: PeopleFilters) => void navigate({ to: "/people", search: next }), [navigate]);
  const people = usePeople(filters);
  const chosen = useSelection(filters);
  const add = (make: boolean) =>
    void navigate({ to: "/people", search: { ...filters, ...(make ? { make: "true" } : {}) }, replace: !make });
  const mayBulk = useDisabledReason("people.bulk");
  const mayAdd = useDisabledReason("people.write");
  const get = () => void exportPeople(filters);
  const go = (to: "/people/duplicates" | "/people/import") => () => void navigate({ to });
  useCommands([
    { id: "export people", name: t.export, icon: "get", run: get, disabledReason: mayBulk },
    { id: "find duplicates", name: t.duplicates.open, icon: "search", run: go("/people/duplicates") },
    { id: "import people", name: t.import.title, icon: "out", run: go("/people/import") },
  ]);
  return (
    <ListScreen
      texts={{ ...t, make: t.add.open, noMatch: t.noneFound, empty: t.none }}
      call={{ path: "/contacts", query: { ...queryOf(filters), limit: 100 } }}
      make={{ id: "add person", icon: "plus", run: () => add(true), disabledReason: mayAdd }}
      example={FIRST}
      tools={
        <span className="wide-only">
          <ColumnMenu />
        </span>
      }
      actions={[
        { id: "export", name: t.export, icon: "get", run: get, disabledReason: mayBulk },
        { id: "duplicates", name: t.duplicates.open, icon: "people", to: "/people/duplicates" },
        { id: "import", name: t.import.open, icon: "inbox", to: "/people/import" },
      ]}
      orElse={<ButtonLink to="/people/import">{t.import.open}</ButtonLink>}
      ask={<PeopleFilter filters={filters} narrow={narrow} />}
      tabs={<PeopleTabs filters={filters} total={people.totalText} />}
      bulk={
        chosen.count(people.total) > 0 && (
          <BulkActions chosen={chosen} total={people.total} totalText={people.totalText} filters={filters} />
        )
      }
      isNarrowed={isNarrowed(filters)}
      clear={() => narrow({})}
      className="persons"
      columns={[null, t.email, t.columns.name, t.columns.status, { end: t.columns.createdAt }]}
      items={people.all}
      of={people.asked}
      rows={(all) => <PeopleRows all={all} people={people} chosen={chosen} filters={filters} />}
      total={people.total}
      totalText={people.totalText}
      keys={
        <span>
          <KeyHints keys={["x"]} /> {t.keys.choose}
        </span>
      }
    >
      {search.make && mayAdd === undefined && <Add close={() => add(false)} />}
    </ListScreen>
  );
}

const FIRST = {
  method: "POST",
  path: "/contacts",
  body: { email: "ada@example.com", data: { name: "Ada Lovelace", plan: "pro" } },
} as const;

/** Adds one person. */
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
      return call("POST /contacts", { ...idempotencyKey, body });
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

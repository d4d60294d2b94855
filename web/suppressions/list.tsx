// Suppressions: the addresses that get no email, with the reason; with add, remove, import and export.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { ListScreen } from "../lists/list-screen.tsx";
import { ListTabs } from "../lists/tabs.tsx";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/fields/form-dialog.tsx";
import { ResourceActions } from "../parts/overlays/resource-actions.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { suppressionsTexts } from "../texts/areas.ts";
import { usePages } from "../calls/query.ts";
import { AddSuppression } from "./add.tsx";
import { countsQuery, suppressionsQuery, useExport, useLift, type Suppression } from "./calls.ts";
import { ImportSuppressions } from "./import.tsx";
import { REASONS, type SuppressionReason } from "./search.ts";
import "./suppressions.css";

const route = getRouteApi("/frame/suppressions");
const ADD = { method: "POST", path: "/suppressions", body: { address: "ada@example.com" } } as const;

export function Suppressions() {
  const t = useTexts(suppressionsTexts);
  const { open, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { all: items, ...asked } = usePages(suppressionsQuery(filter));
  const exporting = useExport(filter);
  const noBulk = useDisabledReason("people.bulk");
  const noAdding = useDisabledReason("people.write");
  const begin = (dialog: "add" | "import") => void navigate({ search: { ...filter, open: dialog } });
  const close = () => void navigate({ search: filter, replace: true });
  return (
    <ListScreen
      texts={t}
      call={{ path: "/suppressions" }}
      make={{ id: "suppress", icon: "minus", run: () => begin("add"), disabledReason: noAdding }}
      example={ADD}
      search={{
        value: filter.search,
        onChange: (search) =>
          void navigate({
            search: ({ reason }) => ({ ...(reason && { reason }), ...(search && { search }) }),
            replace: true,
          }),
      }}
      isNarrowed={filter.reason !== undefined}
      clear={() => void navigate({ search: {}, replace: true })}
      actions={[
        {
          id: "export",
          name: t.export,
          icon: "get",
          run: () => exporting.mutate(),
          disabledReason: noBulk,
          busy: exporting.isPending,
        },
        { id: "import", name: t.import, icon: "inbox", run: () => begin("import"), disabledReason: noBulk },
      ]}
      orElse={
        <Button icon="inbox" disabledReason={noBulk} onClick={() => begin("import")}>
          {t.import}
        </Button>
      }
      tabs={<Reasons reason={filter.reason} />}
      className="suppressions"
      columns={[null, t.who, t.whyHead, t.stops, t.until, null]}
      items={items}
      of={asked}
      pages={asked}
      row={(one) => <Row key={one.id} one={one} />}
    >
      {open === "add" && noAdding === undefined && <AddSuppression close={close} />}
      {open === "import" && noBulk === undefined && <ImportSuppressions close={close} />}
    </ListScreen>
  );
}

/** Each reason with its number; a click filters the list. */
function Reasons({ reason }: { readonly reason: SuppressionReason | undefined }) {
  const t = useTexts(suppressionsTexts);
  const navigate = route.useNavigate();
  const { data: counts } = useQuery(countsQuery);
  const count = (name: SuppressionReason) => counts?.reasons[name] ?? 0;
  const shown = REASONS.filter((name) => count(name) > 0 || name === reason);
  return (
    <ListTabs<SuppressionReason | "all">
      label={t.whyHead}
      tabs={[
        { value: "all", name: t.all, ...(counts && { count: counts.total }) },
        ...shown.map((value) => ({ value, name: t.reason[value], count: count(value) })),
      ]}
      value={reason ?? "all"}
      onChange={(value) =>
        void navigate({
          search: ({ search }) => ({ ...(search && { search }), ...(value !== "all" && { reason: value }) }),
          replace: true,
        })
      }
    />
  );
}

function Row({ one }: { readonly one: Suppression }) {
  const t = useTexts(suppressionsTexts);
  const { id, address, domain, contactId, reason, scope, until, note } = one;
  const name = address ?? domain ?? t.erased;
  return (
    <Line
      icon={domain === null ? "user" : "globe"}
      name={name}
      more={note}
      link={contactId === null ? undefined : { to: "/people/$id", params: { id: contactId } }}
    >
      <span className="cut">{t.reason[reason]}</span>
      <span className="dim">{t.scopes[scope]}</span>
      <span className="dim">{until === null ? t.forGood : <Time at={until} as="day" />}</span>
      <ResourceActions
        label={t.actions(name)}
        disabledReason={useDisabledReason("people.write")}
        actions={[
          {
            id: "lift",
            name: t.lift,
            icon: "undo",
            dialog: (close) => <LiftQuestion id={id} name={name} close={close} />,
          },
        ]}
      />
    </Line>
  );
}

type LiftProps = { readonly id: string; readonly name: string; readonly close: () => void };

export function LiftQuestion({ id, name, close }: LiftProps) {
  const t = useTexts(suppressionsTexts);
  const lifting = useLift(() => {
    showToast(t.lifted(name));
    close();
  });
  return (
    <Question
      title={t.liftTitle(name)}
      text={t.liftText}
      action={t.liftNow}
      run={() => lifting.mutate(id)}
      busy={lifting.isPending}
      close={close}
    />
  );
}

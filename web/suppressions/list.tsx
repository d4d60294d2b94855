// Suppressions: who gets no email, and why; added, lifted, brought in and taken out here.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useFormats } from "../formats.ts";
import { ListScreen } from "../frame/list-screen.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { ResourceActions } from "../parts/resource-actions.tsx";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/toast.tsx";
import { useDisabledReason } from "../session.ts";
import { suppressionsTexts } from "../texts/areas.ts";
import { AddSuppression } from "./add.tsx";
import { countsQuery, suppressionsQuery, useExport, useLift, type Suppression } from "./calls.ts";
import { ImportSuppressions } from "./import.tsx";
import { REASONS, type Reason } from "./route.ts";
import "./suppressions.css";

const route = getRouteApi("/frame/suppressions");
const ADD = { method: "POST", path: "/suppressions", body: { address: "ada@example.com" } } as const;

export function Suppressions() {
  const t = useTexts(suppressionsTexts);
  const { open, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, ...asked } = useInfiniteQuery(suppressionsQuery(filter));
  const exporting = useExport(filter);
  const noBulk = useDisabledReason("people.bulk");
  const noAdding = useDisabledReason("people.write");
  const items = data?.pages.flatMap((page) => page.data);
  const begin = (dialog: "add" | "import") => void navigate({ search: { ...filter, open: dialog } });
  const close = () => void navigate({ search: filter, replace: true });
  const importing = (
    <Button icon="inbox" disabledReason={noBulk} onClick={() => begin("import")}>
      {t.import}
    </Button>
  );
  return (
    <ListScreen
      texts={t}
      call={{ path: "/suppressions" }}
      make={() => begin("add")}
      disabledReason={noAdding}
      example={ADD}
      verb={{ id: "suppress", icon: "minus" }}
      search={filter.search}
      find={(search) =>
        void navigate({
          search: ({ reason }) => ({ ...(reason && { reason }), ...(search && { search }) }),
          replace: true,
        })
      }
      isNarrowed={filter.reason !== undefined}
      orElse={importing}
      narrow={
        <>
          <Reasons reason={filter.reason} />
          {importing}
          <Button icon="get" disabledReason={noBulk} busy={exporting.isPending} onClick={() => exporting.mutate()}>
            {t.export}
          </Button>
        </>
      }
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

/** Each with how many there are, and opens them. */
function Reasons({ reason }: { readonly reason: Reason | undefined }) {
  const t = useTexts(suppressionsTexts);
  const navigate = route.useNavigate();
  const { number } = useFormats();
  const { data: counts } = useQuery(countsQuery);
  if (!counts) return null;
  const count = (name: Reason) => counts.reasons[name] ?? 0;
  const shown = REASONS.filter((name) => count(name) > 0 || name === reason);
  const counted = (name: string, many: number) => `${name} ${number(many)}`;
  return (
    <SegmentedControl<Reason | "all">
      label={t.whyHead}
      small
      choices={[
        { value: "all", content: counted(t.all, counts.total) },
        ...shown.map((value) => ({ value, content: counted(t.reason[value], count(value)) })),
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
    <div className="line">
      <Icon name={domain === null ? "user" : "globe"} />
      <span className="cut">
        {contactId ? (
          <Link to="/people/$id" params={{ id: contactId }}>
            <b>{name}</b>
          </Link>
        ) : (
          <b>{name}</b>
        )}{" "}
        {note && <span className="dim">{note}</span>}
      </span>
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
    </div>
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

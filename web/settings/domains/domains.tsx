// Sender domains: the list, and the open one beside it.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { curlOf } from "../../calls/curl.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton, Empty, type QueryState } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { domainsTexts } from "../../texts/areas.ts";
import { useCommands } from "../../commands.ts";
import { ListDetail } from "../list-detail.tsx";
import { SettingsBar } from "../settings-bar.tsx";
import { AddDomain } from "./add-domain.tsx";
import { domainsQuery, type Domain } from "./calls.ts";
import { DomainDetail } from "./detail.tsx";
import { DomainList } from "./list.tsx";
import "./domains.css";

const route = getRouteApi("/frame/settings/domains/{-$id}");

export function Domains() {
  const t = useTexts(domainsTexts);
  const { id } = route.useParams();
  const disabledReason = useDisabledReason("domains");
  const [adds, setAdds] = useState(false);
  const { data, ...asked } = useQuery(domainsQuery);
  const navigate = useNavigate();
  const open = (id: string) => void navigate({ to: "/settings/domains/{-$id}", params: { id } });
  const add = () => setAdds(true);
  useCommands([{ id: "add domain", name: t.add, icon: "plus", run: add, disabledReason }]);
  const shown = id ?? data?.[0]?.id;
  const title = data?.find((one) => one.id === id)?.domain;
  return (
    <div className={id === undefined ? "whole" : "whole open-second"}>
      <SettingsBar
        tab="domains"
        title={title}
        call={{ path: id === undefined ? "/domains" : `/domains/${id}` }}
        actions={
          <Button icon="plus" disabledReason={disabledReason} onClick={add}>
            {t.add}
          </Button>
        }
      />
      {data?.length === 0 ? (
        <NoDomain add={add} disabledReason={disabledReason} />
      ) : (
        <DomainsAndDetail data={data} of={asked} shown={shown} />
      )}
      {adds && <AddDomain close={() => setAdds(false)} onDone={open} />}
    </div>
  );
}

function DomainsAndDetail({
  data,
  of,
  shown,
}: {
  readonly data: readonly Domain[] | undefined;
  readonly of: QueryState;
  readonly shown: string | undefined;
}) {
  return (
    <ListDetail list={data ? <DomainList domains={data} shown={shown} /> : <Skeleton of={of} rows={3} columns={2} />}>
      <div className="scroll">{shown && <DomainDetail key={shown} id={shown} />}</div>
    </ListDetail>
  );
}

const FIRST = { method: "POST", path: "/domains", body: { domain: "example.com" } } as const;

function NoDomain({ add, disabledReason }: { readonly add: () => void; readonly disabledReason: string | undefined }) {
  const t = useTexts(domainsTexts);
  return (
    <div className="page">
      <Empty
        title={t.empty.title}
        curl={curlOf(FIRST)}
        action={
          <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={add}>
            {t.add}
          </Button>
        }
      >
        {t.empty.text}
      </Empty>
    </div>
  );
}

// Adds a sender domain, and shows its DNS records, which are checked again and again while the page is open.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { domainsQuery } from "../settings/domains/calls.ts";
import { WatchedRecords } from "../settings/domains/detail.tsx";
import { AddDomain } from "../settings/domains/add-domain.tsx";
import { DEMO_DOMAIN } from "../settings/senders-of.ts";
import { domainsTexts, firstStartTexts } from "../texts/areas.ts";
import "../settings/domains/domains.css";

export function DomainStep() {
  const t = useTexts(domainsTexts);
  const { data, ...asked } = useQuery(domainsQuery);
  const [adds, setAdds] = useState(false);
  if (!data) return <Skeleton of={asked} rows={3} columns={2} />;
  const own = data.filter(({ domain }) => domain !== DEMO_DOMAIN);
  return (
    <>
      {own.map(({ id, domain }) => (
        <OneDomain key={id} id={id} name={domain} />
      ))}
      <div>
        <Button icon="plus" kind={own.length === 0 ? "first" : undefined} onClick={() => setAdds(true)}>
          {t.add}
        </Button>
      </div>
      {adds && <AddDomain close={() => setAdds(false)} />}
    </>
  );
}

function OneDomain({ id, name }: { readonly id: string; readonly name: string }) {
  const t = useTexts(firstStartTexts).domain;
  return (
    <section className="stack l" aria-label={name}>
      <WatchedRecords id={id} />
      <div>
        <ButtonLink small to="/settings/domains/{-$id}" params={{ id }}>
          {t.more}
        </ButtonLink>
      </div>
    </section>
  );
}

// What can be done with a domain: hand its records on, replace its key, remove it.
import { useState } from "react";
import { calledWorkspace } from "../../api.ts";
import { useTexts } from "../../language.ts";
import { AnchorButton } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import { useDisabledReason } from "../../session.ts";
import { dnsProblemsTexts } from "../../texts/dns-problems.ts";
import { domainsTexts, frameTexts } from "../../texts/areas.ts";
import { useVerbs } from "../../verbs.ts";
import type { Domain } from "./calls.ts";
import { letterToAdmin } from "./letter.ts";
import { RemoveDomain, RotateKey } from "./risks.tsx";

export function DomainActions({ domain }: { readonly domain: Domain }) {
  const t = useTexts(domainsTexts);
  const { more } = useTexts(frameTexts);
  const disabledReason = useDisabledReason("domains");
  const [asked, ask] = useState<"rotate" | "remove" | null>(null);
  const isRotating = domain.nextSelector !== null || domain.records.some(({ removableAt }) => removableAt !== null);
  const rotateDisabledReason = disabledReason ?? (isRotating ? t.rotate.underWay : undefined);
  const risks = [
    {
      id: "rotate",
      name: t.rotate.action,
      icon: "again",
      disabledReason: rotateDisabledReason,
      run: () => ask("rotate"),
    },
    { id: "remove", name: t.remove.action, icon: "trash", disabledReason, risk: true, run: () => ask("remove") },
  ] as const;
  useVerbs(risks.map(({ id, name, ...verb }) => ({ ...verb, id: `${id} domain`, name: `${name} ${domain.domain}` })));
  const close = () => ask(null);
  return (
    <div className="actions">
      <AnchorButton small icon="get" href={`/domains/${domain.id}/zone?workspace=${calledWorkspace.get()}`} download>
        {t.zone}
      </AnchorButton>
      <AnchorButton small icon="send" href={letterToAdmin(domain, t, useTexts(dnsProblemsTexts))}>
        {t.mailIt}
      </AnchorButton>
      <Menu label={more} entries={risks} />
      {asked === "rotate" && <RotateKey domain={domain} close={close} />}
      {asked === "remove" && <RemoveDomain domain={domain} close={close} />}
    </div>
  );
}

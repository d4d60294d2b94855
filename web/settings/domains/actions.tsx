// Actions on a domain: send its records to an admin, rotate the key, remove it.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call, workspaceId } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { AnchorButton } from "../../parts/button.tsx";
import { ResourceActions } from "../../parts/overlays/resource-actions.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { dnsProblemsTexts } from "../../texts/dns-problems.ts";
import { domainsTexts, frameTexts } from "../../texts/areas.ts";
import { type Domain, cacheDomain } from "./calls.ts";
import { letterToAdmin } from "./email-to-admin.ts";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { queries } from "../../calls/queries.ts";

export function DomainActions({ domain }: { readonly domain: Domain }) {
  const t = useTexts(domainsTexts);
  const { more } = useTexts(frameTexts);
  const disabledReason = useDisabledReason("domains");
  const isRotating = domain.nextSelector !== null || domain.records.some(({ removableAt }) => removableAt !== null);
  return (
    <div className="actions">
      <AnchorButton small icon="get" href={`/domains/${domain.id}/zone?workspace=${workspaceId.get()}`} download>
        {t.zone}
      </AnchorButton>
      <AnchorButton small icon="send" href={letterToAdmin(domain, t, useTexts(dnsProblemsTexts))}>
        {t.mailIt}
      </AnchorButton>
      <ResourceActions
        label={more}
        kind="domain"
        thing={domain.domain}
        disabledReason={disabledReason}
        actions={[
          {
            id: "rotate",
            name: t.rotate.action,
            icon: "again",
            disabledReason: isRotating ? t.rotate.underWay : undefined,
            dialog: (close) => <RotateKey domain={domain} close={close} />,
          },
          {
            id: "remove",
            name: t.remove.action,
            icon: "trash",
            risk: true,
            dialog: (close) => <DeleteDomain domain={domain} close={close} />,
          },
        ]}
      />
    </div>
  );
}

type DialogProps = { readonly domain: Domain; readonly close: () => void };

/** Confirms a new DKIM key. */
function RotateKey({ domain, close }: DialogProps) {
  const t = useTexts(domainsTexts).rotate;
  const path = { id: domain.id };
  const rotation = useMutation({
    mutationFn: () => call("POST /domains/{id}/rotate", path),
    onSuccess: cacheDomain,
    onSettled: close,
  });
  return (
    <Question
      title={t.title(domain.domain)}
      text={t.text}
      close={close}
      action={t.action.replace(/…$/, "")}
      busy={rotation.isPending}
      run={() => rotation.mutate()}
    />
  );
}

function DeleteDomain({ domain, close }: DialogProps) {
  const t = useTexts(domainsTexts).remove;
  const navigate = useNavigate();
  const path = { id: domain.id };
  const removal = useMutation({
    mutationFn: () => call("DELETE /domains/{id}", path),
    onSuccess: async () => {
      await navigate({ to: "/settings/domains/{-$id}", params: { id: undefined } });
      await queries.invalidateQueries({ queryKey: ["domains", "all"] });
    },
    onSettled: close,
  });
  return (
    <Question
      title={t.title(domain.domain)}
      text={t.text}
      close={close}
      action={t.action.replace(/…$/, "")}
      risk
      busy={removal.isPending}
      run={() => removal.mutate()}
    />
  );
}

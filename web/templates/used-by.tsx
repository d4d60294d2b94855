// The uses of a template: workflow steps, and the emails sent from it.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { useTexts } from "../base/language.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { templatesTexts } from "../texts/areas.ts";
import type { Template } from "./calls.ts";

type Usage = Schemas["TemplateUses"] & { readonly hasMails: boolean };

async function usesOf(id: string): Promise<Usage> {
  const { data: mails } = await call("GET /emails", { templateId: id, limit: 1 });
  const { workflows } = await call("GET /templates/{id}/uses", { id });
  return { workflows, hasMails: mails.length > 0 };
}

export function useUses(id: string) {
  return useQuery({ queryKey: ["workflows", "using", id], queryFn: () => usesOf(id) });
}

export function UsedBy({ template }: { readonly template: Template }) {
  const t = useTexts(templatesTexts);
  const { data: uses, ...asked } = useUses(template.id);
  return (
    <div className="page narrow">
      <section className="panel" aria-label={t.tabs.used}>
        {uses ? (
          <Uses uses={uses} template={template.id} />
        ) : (
          <Skeleton of={asked} rows={2} columns={2} className="uses" />
        )}
      </section>
    </div>
  );
}

export function Uses({ uses, template }: { readonly uses: Usage; readonly template?: string }) {
  const t = useTexts(templatesTexts);
  return (
    <div className="rows uses">
      {uses.workflows.map(({ id, name, enabled, steps }) => (
        <div className="line" key={id}>
          <Icon name="workflows" />
          <span>
            <Link to="/workflows/$id" params={{ id }}>
              <b>{name}</b>
            </Link>{" "}
            <span className="dim">{steps.join(", ")}</span>
          </span>
          <span className="dim">{enabled ? t.on : t.off}</span>
        </div>
      ))}
      {uses.workflows.length === 0 && (
        <div className="line">
          <Icon name="workflows" />
          <span className="dim">{t.noWorkflow}</span>
        </div>
      )}
      <div className="line">
        <Icon name="mail" />
        {template !== undefined && uses.hasMails ? (
          <Link className="opens" to="/mail" search={{ templateId: template }}>
            {t.mails}
          </Link>
        ) : (
          <span className="dim">{uses.hasMails ? t.hasMails : t.noMails}</span>
        )}
      </div>
    </div>
  );
}

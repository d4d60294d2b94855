// What uses a template: the steps of workflows that send it, and the mails that it has made.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, told } from "../api.ts";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { Bones } from "../parts/layout.tsx";
import { templatesTexts } from "../texts/templates.ts";
import type { Template } from "./calls.ts";

type WorkflowUse = { readonly id: string; readonly name: string; readonly enabled: boolean; readonly steps: string[] };
type Usage = { readonly workflows: readonly WorkflowUse[]; readonly hasMails: boolean };

/** Workflows looked through: each is asked for by itself. */
const MOST_WORKFLOWS = 100;

async function usesOf(id: string): Promise<Usage> {
  const { data: mails } = await told(api.GET("/emails", { params: { query: { templateId: id, limit: 1 } } }));
  const { data } = await told(api.GET("/workflows", { params: { query: { pageSize: MOST_WORKFLOWS } } }));
  const whole = await Promise.all(
    data.map((one) => told(api.GET("/workflows/{id}", { params: { path: { id: one.id } } }))),
  );
  const workflows = whole.flatMap(({ id: workflow, name, enabled, steps }) => {
    const names = steps.filter((step) => sends(step, id)).map((step) => step.name);
    return names.length > 0 ? [{ id: workflow, name, enabled, steps: names }] : [];
  });
  return { workflows, hasMails: mails.length > 0 };
}

function sends(step: object, template: string): boolean {
  const { config } = step as { readonly config?: { readonly templateId?: string } };
  return config?.templateId === template;
}

export function useUses(id: string): Usage | undefined {
  return useQuery({ queryKey: ["workflows", "using", id], queryFn: () => usesOf(id) }).data;
}

export function UsedBy({ template }: { readonly template: Template }) {
  const t = useTexts(templatesTexts);
  const uses = useUses(template.id);
  return (
    <div className="page narrow">
      <section className="panel" aria-label={t.tabs.used}>
        {uses ? <Uses uses={uses} template={template.id} /> : <Bones rows={2} columns={2} className="uses" />}
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

// One form: its editor with a live preview, how it gets onto a page, and what it brought.
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useId } from "react";
import { CopyActions, ResourceBar, ResourceTabs } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Label } from "../parts/state.tsx";
import { showToast } from "../parts/toast.tsx";
import { useDisabledReason } from "../session.ts";
import { formsTexts } from "../texts/areas.ts";
import { FormActions } from "./actions.tsx";
import { formQuery, useChange } from "./calls.ts";
import { Editor } from "./editor.tsx";
import { Embed } from "./embed.tsx";
import { Results } from "./results.tsx";
import { TABS } from "./route.ts";
import "./styles.ts";

const route = getRouteApi("/frame/forms/$id");

export function FormScreen() {
  const { id } = route.useParams();
  return <LoadedForm key={id} id={id} />;
}

function LoadedForm({ id }: { readonly id: string }) {
  const t = useTexts(formsTexts);
  const { data: form } = useSuspenseQuery(formQuery(id));
  const { tab = "editor" } = route.useSearch();
  const disabledReason = useDisabledReason("campaigns.write");
  const formId = useId();
  const saving = useChange(id, () => showToast(t.saved));
  return (
    <>
      <ResourceBar
        back={<Link to="/forms">{t.title}</Link>}
        title={form.name}
        call={{ path: `/forms/${id}` }}
        actions={
          <>
            <CopyActions />
            {tab === "editor" && (
              <Button kind="first" type="submit" form={formId} disabledReason={disabledReason} busy={saving.isPending}>
                {t.save}
              </Button>
            )}
            <FormActions form={form} disabledReason={disabledReason} />
          </>
        }
      >
        {!form.enabled && (
          <Label pill icon="off">
            {t.closed}
          </Label>
        )}
        <ResourceTabs label={t.parts} names={TABS} texts={t.tabs} open={tab} first="editor" />
      </ResourceBar>
      {tab === "editor" && (
        <Editor key={form.updatedAt} id={formId} form={form} saving={saving} disabledReason={disabledReason} />
      )}
      {tab === "embed" && <Embed form={form} />}
      {tab === "results" && <Results form={form} />}
    </>
  );
}

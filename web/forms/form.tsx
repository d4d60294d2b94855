// One form: its editor with a live preview, the code to embed it, and its results.
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { CopyActions, ResourceBar, ResourceTabs } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Label } from "../parts/state.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useSeen } from "../saving/saved-over.ts";
import { KeptInFiles } from "../saving/kept-in-files.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { formsTexts } from "../texts/areas.ts";
import { FormActions } from "./actions.tsx";
import { formQuery, useChange } from "./calls.ts";
import { Editor } from "./editor.tsx";
import { Embed } from "./embed.tsx";
import { Results } from "./results.tsx";
import { TABS } from "./search.ts";
import "./styles.ts";

const route = getRouteApi("/frame/forms/$id");

export function FormScreen() {
  const { id } = route.useParams();
  return <LoadedForm key={id} id={id} />;
}

function LoadedForm({ id }: { readonly id: string }) {
  const t = useTexts(formsTexts);
  const { data: now } = useSuspenseQuery(formQuery(id));
  const [isChanged, setChanged] = useState(false);
  const form = useSeen(now, isChanged);
  const { tab = "editor" } = route.useSearch();
  const disabledReason = useDisabledReason("campaigns.write");
  const formId = useId();
  const saving = useChange(form, (_, isMine) => {
    setChanged(false);
    if (isMine) showToast(t.saved);
  });
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
            <FormActions form={now} disabledReason={disabledReason} />
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
      <KeptInFiles kind="forms" id={id} />
      {tab === "editor" && (
        <Editor
          key={form.updatedAt}
          id={formId}
          form={form}
          saving={saving}
          onChange={() => setChanged(true)}
          disabledReason={disabledReason}
        />
      )}
      {tab === "embed" && <Embed form={form} />}
      {tab === "results" && <Results form={form} />}
    </>
  );
}

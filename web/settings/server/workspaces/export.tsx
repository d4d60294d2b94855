// Downloads a workspace as one file.
import { useTexts } from "../../../base/language.ts";
import { beginOf } from "../../../base/days.ts";
import { Banner } from "../../../parts/banner.tsx";
import { Field } from "../../../parts/fields/form.tsx";
import { FormDialog } from "../../../parts/fields/form-dialog.tsx";
import { showToast } from "../../../parts/overlays/toast.tsx";
import { workspacesTexts } from "../../../texts/areas.ts";
import { useExport, type ListedWorkspace } from "./calls.ts";

type ExportDialogProps = { readonly workspace: ListedWorkspace; readonly close: () => void };

export function ExportDialog({ workspace: { id, name, disabledAt }, close }: ExportDialogProps) {
  const t = useTexts(workspacesTexts).export;
  const exporting = useExport(() => {
    showToast(t.done);
    close();
  });
  return (
    <FormDialog
      title={t.title(name)}
      close={close}
      sending={exporting}
      submit={t.submit}
      unsaved={false}
      onSubmit={({ since = "" }) => exporting.mutate({ id, since: beginOf(since) })}
    >
      <p className="row-text">{t.text}</p>
      <Banner tone="note">{disabledAt === null ? t.enabled : t.disabled}</Banner>
      <Field name="since" type="date" label={t.since} help={t.sinceHelp} autoFocus />
    </FormDialog>
  );
}

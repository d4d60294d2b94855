// What the list of mails is narrowed to, kept under a name.
import { useTexts } from "../language.ts";
import { showToast } from "../parts/toast.tsx";
import { mailTexts } from "../texts/areas.ts";
import { SaveDialog } from "../views/save-view.tsx";
import { tokensOf } from "./asked.ts";
import type { Filters } from "./filters.ts";
import { useSave } from "./saved-views.ts";

type SaveViewProps = { readonly filters: Filters; readonly close: () => void };

export function SaveView({ filters, close }: SaveViewProps) {
  const t = useTexts(mailTexts).saved;
  const saving = useSave(() => {
    showToast(t.done);
    close();
  });
  return (
    <SaveDialog
      help={t.help}
      save={(view) => saving.mutate({ ...view, filters })}
      fault={saving.error}
      busy={saving.isPending}
      close={close}
    >
      <Asked filters={filters} />
    </SaveDialog>
  );
}

function Asked({ filters }: { readonly filters: Filters }) {
  return (
    <p className="inline wrap">
      {tokensOf(filters).map(({ name, text }) => (
        <span className="tok" key={name}>
          {text}
        </span>
      ))}
      {filters.search && <span className="tok">{filters.search}</span>}
    </p>
  );
}

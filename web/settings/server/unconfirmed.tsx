// Settings that are reverted unless an owner confirms them, with the seconds left.
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { configurationTexts } from "../../texts/areas.ts";
import { useDecide, type ServerSettings } from "./configuration-calls.ts";

const ADDRESS = "http.base_url";

export function Unconfirmed({ configuration: { unconfirmed, data } }: { readonly configuration: ServerSettings }) {
  const t = useTexts(configurationTexts);
  const keeping = useDecide("confirm", () => showToast(t.kept));
  const undoing = useDecide("undo", () => showToast(t.undone));
  if (unconfirmed === null) return null;
  const address = data.find(({ key }) => key === ADDRESS)?.value;
  const isElsewhere = unconfirmed.keys.includes(ADDRESS) && address !== location.origin;
  return (
    <Banner
      tone="warn"
      role="alert"
      actions={
        <>
          <Button small busy={undoing.isPending} onClick={() => undoing.mutate()}>
            {t.undo}
          </Button>
          <Button small kind="first" busy={keeping.isPending} onClick={() => keeping.mutate()}>
            {t.keep}
          </Button>
        </>
      }
    >
      <b>{t.goesBack(unconfirmed.keys.join(", "), unconfirmed.seconds)}</b>{" "}
      {isElsewhere ? (
        <a href={`${String(address)}/app/settings/server`} target="_blank" rel="noreferrer">
          {t.openThere(String(address))}
        </a>
      ) : (
        t.confirmText
      )}
    </Banner>
  );
}

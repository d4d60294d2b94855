// The versions with executions: the people still in each, and restoring one.
import { useTexts } from "../../base/language.ts";
import { useFormats } from "../../base/formats.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { Tag } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { workflowsTexts } from "../../texts/areas.ts";
import { loadVersion, useVersions } from "../calls.ts";

type LoadedVersion = Awaited<ReturnType<typeof loadVersion>>;
type VersionsProps = {
  readonly id: string;
  readonly close: () => void;
  readonly draw: ((version: LoadedVersion) => void) | null;
};

export function Versions({ id, close, draw }: VersionsProps) {
  const { version: t } = useTexts(workflowsTexts);
  return (
    <Dialog title={t.title} isOpen onClose={close} actions={<Button onClick={close}>{t.close}</Button>}>
      <p className="dim">{t.text}</p>
      <Rows id={id} close={close} draw={draw} />
    </Dialog>
  );
}

function Rows({ id, close, draw }: VersionsProps) {
  const { version: t } = useTexts(workflowsTexts);
  const { number } = useFormats();
  const { data, ...asked } = useVersions(id);
  if (!data) return <Skeleton of={asked} rows={3} columns={3} />;
  if (data.versions.length === 0) return <p>{t.none}</p>;
  const restore = async (version: number) => {
    draw?.(await loadVersion(id, version));
    showToast(t.drawn(number(version)));
    close();
  };
  return (
    <div className="rows workflow-versions">
      {data.versions.map(({ version, createdAt, inside, isCurrent }) => (
        <div className="line" key={version}>
          <b>{t.name(number(version))}</b>
          <span className="dim small">{createdAt && <Time at={createdAt} as="brief" />}</span>
          <span className="dim">{t.inside(number(inside))}</span>
          <span className="end">
            {isCurrent ? (
              <Tag>{t.current}</Tag>
            ) : (
              draw && (
                <Button small onClick={() => void restore(version)}>
                  {t.draw}
                </Button>
              )
            )}
          </span>
        </div>
      ))}
    </div>
  );
}

// The versions: author and time, differences, and restoring one.
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { frameTexts, versionsTexts, visualTexts } from "../../texts/areas.ts";
import type { SavedRecord } from "../saving/autosave.ts";
import {
  useRestoring,
  useVersion,
  useVersions,
  type ComparedVersion,
  type ContentVersion,
  type VersionsOf,
} from "./calls.ts";
import { differences, linesOf } from "./lines.ts";
import "./versions.css";

type VersionedRow = SavedRecord & { readonly updatedBy: { readonly name: string | null } | null };

type VersionsProps = VersionsOf & {
  readonly row: VersionedRow;
  readonly disabledReason: string | undefined;
  /** Unsaved changes are saved before an earlier version can replace them. */
  readonly flush: () => Promise<void>;
};

/** The foot of the editor: "Eva Moser, 2 minutes ago · 14 versions". */
export function Versions({ of, id, row, disabledReason, flush }: VersionsProps) {
  const t = useTexts(versionsTexts);
  const { data: versions } = useVersions({ of, id });
  const [isOpen, open] = useState(false);
  return (
    <>
      <span>
        {row.updatedBy?.name && `${row.updatedBy.name}, `}
        <Time at={row.updatedAt} />
      </span>
      {versions && versions.length > 0 && (
        <button type="button" className="text-btn" onClick={() => void flush().then(() => open(true))}>
          {t.count(versions.length)}
        </button>
      )}
      {isOpen && <PastVersion of={of} id={id} row={row} disabledReason={disabledReason} close={() => open(false)} />}
    </>
  );
}

type PastVersionProps = VersionsOf & {
  readonly row: VersionedRow;
  readonly disabledReason: string | undefined;
  readonly close: () => void;
};

function PastVersion({ of, id, row, disabledReason, close }: PastVersionProps) {
  const t = useTexts(versionsTexts);
  const { close: closeName } = useTexts(frameTexts);
  const { data: versions = [] } = useVersions({ of, id });
  const [chosen, choose] = useState<string | undefined>(versions[0]?.id);
  const [against, compare] = useState<"before" | "now">("before");
  const latest = versions[0]?.id;
  const { data: version, ...asked } = useVersion({ of, id }, chosen, against === "now" ? latest : undefined);
  const restoring = useRestoring({ of, id }, () => {
    void queries.invalidateQueries({ queryKey: [of] });
    showToast(t.restored);
    close();
  });
  const isLatest = chosen === latest;
  const actions = (
    <>
      <Button onClick={close}>{closeName}</Button>
      <Button
        kind="first"
        icon="undo"
        disabledReason={disabledReason ?? (isLatest ? t.isNow : undefined)}
        busy={restoring.isPending}
        onClick={() => chosen && restoring.mutate({ versionId: chosen, updatedAt: row.updatedAt })}
      >
        {t.restore}
      </Button>
    </>
  );
  return (
    <Dialog title={t.title} isOpen onClose={close} wide actions={actions}>
      <div className="versions">
        <List versions={versions} chosen={chosen} choose={choose} />
        <div className="stack tight">
          <SegmentedControl
            label={t.against}
            small
            value={against}
            onChange={compare}
            choices={[
              { value: "before", content: t.changed },
              { value: "now", content: t.toNow },
            ]}
          />
          {version ? (
            <Differences version={version} isNow={against === "now"} />
          ) : (
            <Skeleton of={asked} rows={6} columns={1} />
          )}
        </div>
      </div>
    </Dialog>
  );
}

type VersionListProps = {
  readonly versions: readonly ContentVersion[];
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
};

function List({ versions, chosen, choose }: VersionListProps) {
  const t = useTexts(versionsTexts);
  return (
    <div className="rows version-list">
      {versions.map(({ id, number, savedAt, savedBy }, at) => (
        <button
          key={id}
          type="button"
          className="line"
          aria-current={id === chosen || undefined}
          onClick={() => choose(id)}
        >
          <b>{at === 0 ? t.now : <Time at={savedAt} as="brief" />}</b>
          <span className="dim small cut">
            {t.number(number)} · {savedBy?.name ?? t.program}
          </span>
        </button>
      ))}
    </div>
  );
}

/** Unchanged lines around a change. */
const CONTEXT_LINES = 3;

function Differences({ version, isNow }: { readonly version: ComparedVersion; readonly isNow: boolean }) {
  const t = useTexts(versionsTexts);
  const visual = useTexts(visualTexts);
  const own = linesOf(version.content, visual);
  const other = version.comparedWith && linesOf(version.comparedWith.content, visual);
  const lines = isNow ? differences(own, other ?? own) : differences(other ?? [], own);
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ is }) => is !== "same"),
  );
  if (!near.includes(true)) return <p className="dim row-text">{t.same}</p>;
  return (
    <div className="code diff wraps" tabIndex={0} role="group" aria-label={t.against}>
      {lines.map(({ is, text }, at) =>
        near[at] ? (
          <div className={is} key={at}>
            <span>{text || " "}</span>
          </div>
        ) : near[at - 1] ? (
          <div className="dim gap" key={at}>
            …
          </div>
        ) : null,
      )}
    </div>
  );
}

// The saving state in the head of a screen, and the choice after a conflict.
import { Suspense } from "react";
import { lazyPart, nothing } from "../../chunks.tsx";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { StatusIcon, type StatusIconName } from "../../parts/icons/icon.tsx";
import { UnsavedGuard } from "../../parts/fields/unsaved.tsx";
import { useSavedAgo } from "../../saving/saved-ago.ts";
import { writingTexts } from "../../texts/areas.ts";
import type { SavedRecord, Autosave } from "./autosave.ts";

const Differences = lazyPart(() => import("../../saving/differences.tsx"), "Differences", nothing);

type AutosaveStatus = Pick<
  Autosave<unknown, SavedRecord>,
  "state" | "isSlow" | "savedAt" | "again" | "settle" | "isRepaired"
>;

type SavingStateProps = { readonly saving: AutosaveStatus; readonly row: TheirVersion };

/** `row`: the server's version. Before the first save here, it shows who saved it last. */
export function SavingState({ saving: { state, isSlow, savedAt, again, settle, isRepaired }, row }: SavingStateProps) {
  const { saving: t, conflict } = useTexts(writingTexts);
  const { clock } = useFormats();
  const ago = useSavedAgo();
  const name = row.updatedBy?.name;
  // Only the author can resolve these states, so leaving asks without trying to save.
  const isStuck = state === "refused" || state === "conflict";
  const last = name ? conflict.by(name, ago(row.updatedAt)) : t.unchanged;
  const saved = (savedAt ? t.saved(clock(savedAt)) : last) + (isRepaired ? ` · ${t.repaired}` : "");
  return (
    <span className="live" role="status">
      {isStuck || state === "away" ? (
        <Warning text={t.refused} more={state === "refused" ? "" : t.why[state]} />
      ) : isSlow ? (
        <Warning text={t.slow} />
      ) : (
        <Calm text={state === "saved" ? saved : t[state]} icon={state === "saved" ? "check" : "waiting"} />
      )}
      {(state === "away" || isSlow) && (
        <Button kind="quiet" small onClick={() => void again()}>
          {t.again}
        </Button>
      )}
      {state !== "saved" && <UnsavedGuard {...(isStuck ? {} : { settle })} />}
    </span>
  );
}

/** `more`: hidden on a phone. */
function Warning({ text, more = "" }: { readonly text: string; readonly more?: string }) {
  return (
    <>
      <StatusIcon name="warn" tone="warn" />
      <span>
        {text}
        {more && <span className="wide-only">: {more}</span>}
      </span>
    </>
  );
}

/** On a phone only an icon, with the text as its accessible name. */
function Calm({ text, icon }: { readonly text: string; readonly icon: StatusIconName }) {
  return (
    <>
      <span className="narrow-only" role="img" aria-label={text} title={text}>
        <StatusIcon name={icon} tone="dim" />
      </span>
      <span className="wide-only">{text}</span>
    </>
  );
}

type TheirVersion = SavedRecord & { readonly updatedBy?: { readonly name: string | null } | null };

type ConflictState = Pick<
  Autosave<object, TheirVersion>,
  "value" | "theirs" | "theirValue" | "takeTheirs" | "keepMine"
>;
type ConflictProps = { readonly saving: ConflictState };

/** "Eva saved 2 min ago": asks for a choice between the versions. */
export function Conflict({ saving: { value, theirs, theirValue, takeTheirs, keepMine } }: ConflictProps) {
  const { conflict: t } = useTexts(writingTexts);
  const ago = useSavedAgo();
  if (!theirs) return null;
  const when = ago(theirs.updatedAt);
  const name = theirs.updatedBy?.name;
  return (
    <Banner
      tone="warn"
      role="alert"
      actions={
        <>
          <Button onClick={takeTheirs}>{t.theirs}</Button>
          <Button kind="first" onClick={keepMine}>
            {t.mine}
          </Button>
        </>
      }
    >
      <b>{name ? t.by(name, when) : t.somebody(when)}.</b> {t.text}
      <Suspense>{theirValue && <Differences theirs={theirValue} mine={value} />}</Suspense>
    </Banner>
  );
}

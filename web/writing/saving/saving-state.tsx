// The saving state in the head of a screen, and the choice after a conflict.
import { useEffect } from "react";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { StatusIcon } from "../../parts/icon.tsx";
import { useNow } from "../../parts/time.tsx";
import { UnsavedGuard } from "../../parts/unsaved.tsx";
import { frameTexts, writingTexts } from "../../texts/areas.ts";
import type { Saved, Saving } from "./autosave.ts";

const MINUTE_MS = 60_000;

type AnyRow = Pick<Saving<unknown, Saved>, "state" | "savedAt" | "flush" | "isRepaired">;

type SavingStateProps = { readonly saving: AnyRow; readonly row: TheirVersion };

/** `row`: as the server has it. Before anything is saved here, it is text who saved it last. */
export function SavingState({ saving: { state, savedAt, flush, isRepaired }, row }: SavingStateProps) {
  const { saving: t, conflict } = useTexts(writingTexts);
  const { clock } = useFormats();
  const ago = useAgo();
  const name = row.updatedBy?.name;
  const isBad = state === "refused" || state === "away" || state === "conflict";
  const last = name ? conflict.by(name, ago(row.updatedAt)) : t.unchanged;
  const text = state === "saved" ? (savedAt ? t.saved(clock(savedAt)) : last) : t[state];
  return (
    <span className="live" role="status">
      {isBad && <StatusIcon name="warn" tone="warn" />}
      {text}
      {state === "saved" && isRepaired && ` · ${t.repaired}`}
      {state === "away" && (
        <Button kind="quiet" small onClick={() => void flush()}>
          {t.again}
        </Button>
      )}
      {isBad ? <UnsavedGuard /> : state !== "saved" && <Closing />}
    </span>
  );
}

/** Closing the window loses unsaved changes; other ways of leaving save them. */
function Closing() {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return null;
}

type TheirVersion = Saved & { readonly updatedBy?: { readonly name: string | null } | null };

type ConflictProps = { readonly saving: Pick<Saving<unknown, TheirVersion>, "theirs" | "takeTheirs" | "keepMine"> };

/** "just now" or "2 min ago". */
function useAgo(): (at: string) => string {
  const { time } = useTexts(frameTexts);
  const { ago } = useFormats();
  const now = useNow();
  return (at) => (now.getTime() - Date.parse(at) < MINUTE_MS ? time.now : ago(new Date(at), now));
}

/** "Eva saved 2 min ago": choose theirs or mine. */
export function Conflict({ saving: { theirs, takeTheirs, keepMine } }: ConflictProps) {
  const { conflict: t } = useTexts(writingTexts);
  const ago = useAgo();
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
    </Banner>
  );
}

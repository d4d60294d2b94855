// Merges that can still be undone.
import { Link } from "@tanstack/react-router";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/layout.tsx";
import { More } from "../../parts/rows.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { Part } from "../../parts/card-part.tsx";
import { usePages } from "../../calls/query.ts";
import { mergesQuery, useUndoMerge, type Merge } from "../duplicates/calls.ts";

/** The newest merges of the workspace. */
export function Merges() {
  const { duplicates: t } = useTexts(peopleTexts);
  const { merges, ...pages } = useMerges();
  if (merges.length === 0) return null;
  return (
    <Panel title={t.recent}>
      <ul className="in-groups pad">
        {merges.map((one) => (
          <MergeLine key={one.id} merge={one} named />
        ))}
      </ul>
      <More name={t.more} className="foot" {...pages} />
    </Panel>
  );
}

/** The merges of one person. */
export function MergedFrom({ id }: { readonly id: string }) {
  const { duplicates: t } = useTexts(peopleTexts);
  const { merges, ...pages } = useMerges(id);
  if (merges.length === 0) return null;
  return (
    <Part title={t.mergedFrom}>
      <ul className="in-groups">
        {merges.map((one) => (
          <MergeLine key={one.id} merge={one} />
        ))}
      </ul>
      <More name={t.more} {...pages} />
    </Part>
  );
}

function useMerges(contactId?: string) {
  const { all: merges = [], ...pages } = usePages(mergesQuery(contactId));
  return { ...pages, merges };
}

function MergeLine({ merge, named = false }: { readonly merge: Merge; readonly named?: boolean }) {
  const { duplicates: t } = useTexts(peopleTexts);
  const formats = useFormats();
  const disabledReason = useDisabledReason("people.bulk");
  const undo = useUndoMerge();
  const { into, from, status, undoableUntil } = merge;
  const emails = from.map(({ email }) => email).join(", ");
  const until = formats.brief(new Date(undoableUntil), new Date());
  return (
    <li>
      <span>
        <span className="cut">{emails}</span>
        {named && (
          <Link to="/people/$id" params={{ id: into.id }} className="cut plain-link small">
            {t.into(into.email)}
          </Link>
        )}
        <span className="dim small">{status === "MOVED" ? t.undoUntil(until) : t.states[status]}</span>
      </span>
      <Button
        small
        icon="undo"
        label={t.undoOf(emails)}
        disabledReason={disabledReason ?? (status === "UNDOING" ? t.states.UNDOING : undefined)}
        busy={undo.isPending}
        onClick={() => undo.mutate(merge.id)}
      />
    </li>
  );
}

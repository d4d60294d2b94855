// The imports of the last 30 days: author, time, file and result, with Undo.
import { useNavigate } from "@tanstack/react-router";
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { Line } from "../../../lists/line.tsx";
import { List } from "../../../lists/list.tsx";
import { Empty } from "../../../parts/layout.tsx";
import { Label } from "../../../parts/state.tsx";
import { Time } from "../../../parts/time.tsx";
import { peopleTexts } from "../../../texts/areas.ts";
import type { ListedImport } from "../../calls.ts";
import { usePages } from "../../../calls/query.ts";
import { importsQuery } from "../calls.ts";
import { countOf, Imported, Invalid, knowsContacts } from "./links.tsx";
import { UndoImport } from "./undo.tsx";

export function ImportsList() {
  const { list: words } = useTexts(peopleTexts).import;
  const { all, first, ...pages } = usePages(importsQuery);
  return (
    <List
      isPart
      name={words.title}
      texts={words}
      className="imports"
      columns={[null, words.heads.file, words.heads.by, words.heads.result, words.heads.state, null]}
      of={pages}
      pages={pages}
      total={first?.total}
      items={all}
      row={(one) => <ImportRow key={one.id} import={one} />}
      empty={<Empty title={words.empty.title}>{words.empty.text}</Empty>}
    />
  );
}

function ImportRow({ import: one }: { readonly import: ListedImport }) {
  const { list: words, undo } = useTexts(peopleTexts).import;
  const navigate = useNavigate();
  return (
    <Line icon="inbox" name={one.fileName ?? words.noName} link={{ to: "/people/import", search: { job: one.id } }}>
      <span className="cut">
        {one.by.name ?? words.by[one.by.kind]}{" "}
        <span className="dim">
          <Time at={one.createdAt} as="brief" />
        </span>
      </span>
      <Counts import={one} />
      <ImportState import={one} />
      <span className="end">
        {knowsContacts(one) && (
          <UndoImport
            job={one}
            small
            name={undo.openOf(one.fileName ?? words.noName)}
            onStart={() => void navigate({ to: "/people/import", search: { job: one.id } })}
          />
        )}
      </span>
    </Line>
  );
}

/** Each number links to its contacts while they are known. */
function Counts({ import: one }: { readonly import: ListedImport }) {
  const { list: words } = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const { ADDED, FOUND } = countOf(one);
  const { failureCount } = one.result;
  return (
    <span className="dim parts">
      <Imported job={one} imported="ADDED">
        {words.added(number(ADDED))}
      </Imported>
      {FOUND > 0 && " · "}
      {FOUND > 0 && (
        <Imported job={one} imported="FOUND">
          {words.existed(number(FOUND))}
        </Imported>
      )}
      {failureCount > 0 && " · "}
      {failureCount > 0 && <Invalid job={one}>{words.invalid(number(failureCount))}</Invalid>}
    </span>
  );
}

function ImportState({ import: { status, undo } }: { readonly import: ListedImport }) {
  const { states } = useTexts(peopleTexts).import.list;
  if (undo?.status === "COMPLETED") return <Label icon="cancelled">{states.undone}</Label>;
  if (undo && undo.status !== "FAILED") return <Label icon="sending">{states.undoing}</Label>;
  if (status === "COMPLETED")
    return (
      <Label icon="check" tone="ok">
        {states.done}
      </Label>
    );
  if (status === "FAILED")
    return (
      <Label icon="failed" tone="bad">
        {states.failed}
      </Label>
    );
  return (
    <Label icon="sending" tone="note">
      {states.running}
    </Label>
  );
}

// Contacts that may be the same person: found on demand, merged or dismissed here.
import { Link } from "@tanstack/react-router";
import { useFormats } from "../../base/formats.ts";
import { CopyActions, useScreen } from "../../parts/bar.tsx";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Empty, Skeleton } from "../../parts/layout.tsx";
import { More } from "../../parts/rows.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { isOver } from "../import/calls.ts";
import { usePages } from "../../calls/query.ts";
import { duplicatesQuery, useFind } from "./calls.ts";
import { Group } from "./group.tsx";
import { MergeAll, MergeAllProgress, useMergeAllJob } from "./merge-all.tsx";
import { Merges } from "../person/merges.tsx";

export function DuplicatesScreen() {
  const t = useTexts(peopleTexts);
  const { duplicates: words } = t;
  const { number, brief } = useFormats();
  const { all: groups = [], first, ...pages } = usePages(duplicatesQuery);
  const find = useFind();
  const mayFind = useDisabledReason("people.write");
  useScreen(words.title, { path: "/contacts/duplicates" });
  const isRunning = first?.status === "RUNNING" || find.isPending;
  const job = useMergeAllJob(first?.mergeJobId);
  const isMerging = job !== undefined && !isOver(job);
  const search = (
    <Button
      kind="first"
      icon="search"
      disabledReason={mayFind ?? (isMerging ? words.all.running : undefined)}
      busy={isRunning}
      onClick={() => find.mutate()}
    >
      {first?.foundAt ? words.again : words.find}
    </Button>
  );
  return (
    <div className="fill">
      <header className="bar">
        <span className="trail wide-only">
          <Link to="/people">{t.title}</Link>
          <Icon name="right" />
        </span>
        <h1 className="cut">{words.title}</h1>
        <div className="actions">
          <CopyActions />
          {search}
        </div>
      </header>
      <div className="scroll">
        <div className="page stack l">
          {!first && <Skeleton of={pages} rows={8} columns={3} />}
          {first && (
            <p className="dim row-text" role="status">
              {isRunning && words.running}
              {!isRunning &&
                first.foundAt &&
                words.found(first.total, number(first.total), brief(new Date(first.foundAt), new Date()))}
              {!isRunning && !first.isComplete && ` ${words.cut}`}
            </p>
          )}
          {job && <MergeAllProgress job={job} />}
          <MergeAll isOffered={!isRunning && !isMerging && groups[0]?.reason === "address"} />
          {first?.status === "NONE" && !isRunning && <Empty title={words.none.title}>{words.none.text}</Empty>}
          {groups.map((group) => (
            <Group key={group.contacts.map(({ id }) => id).join(" ")} group={group} />
          ))}
          <More name={words.more} {...pages} />
          <Merges />
        </div>
      </div>
    </div>
  );
}

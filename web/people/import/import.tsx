// Imports a file of people: drop it, map its columns, preview, import. Nothing is stored before the last step.
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useRef, useState, type RefObject } from "react";
import { Fault } from "../../calls/api.ts";
import { knownKeys } from "../../calls/contact-fields.ts";
import { useScreen } from "../../parts/bar.tsx";
import { useTexts } from "../../base/language.ts";
import { NewButton } from "../../lists/new-button.tsx";
import { Banner } from "../../parts/banner.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import type { people } from "../../texts/en/people.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { AwkwardKeys } from "./awkward-keys.tsx";
import { headOf, type FileHead } from "./file/file-head.ts";
import { ImportPage } from "./import-page.tsx";
import { ImportsList } from "./job/imports-list.tsx";
import { ImportJobPanel } from "./job/job.tsx";
import { MovePanel } from "./moving.tsx";
import { otherFileIn } from "./file/other-files.ts";
import { OpenedFile } from "./opened-file.tsx";
import { packed } from "./file/pack.ts";
import { packedHeadOf } from "./file/packed-head.ts";
import { useDisabledReason } from "../../calls/session.ts";
import "./import.css";

const route = getRouteApi("/frame/people/import");

type ImportFile = {
  readonly head: FileHead;
  readonly keys: readonly string[];
  readonly number: number;
};

export function ImportScreen() {
  const t = useTexts(peopleTexts);
  const [opened, setOpened] = useState<ImportFile | null>(null);
  const [refused, refuse] = useState<FileProblem | null>(null);
  const [isOpening, setOpening] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const { job, from } = route.useSearch();
  const disabledReason = useDisabledReason("people.bulk");
  const field = useRef<HTMLInputElement>(null);
  const choose = () => field.current?.click();
  const navigate = useNavigate();
  const another = () => {
    setOpened(null);
    void navigate({ to: "/people/import", search: {} });
  };
  useScreen(t.import.title, { method: "POST", path: "/contacts/import/check" });
  const open = async (files: readonly [File, ...File[]]) => {
    const file = files.length > 1 ? await packed(files) : files[0];
    const kind = await otherFileIn(file);
    const isPacked = kind === "workbook" || kind === "zip";
    refuse(isPacked ? null : kind);
    if (kind && !isPacked) return;
    const [head, known] = await Promise.all([isPacked ? packedHeadOf(file) : headOf(file), knownKeys()]);
    const keys = known.map(({ key }) => key);
    if (!head) refuse("empty");
    setOpened((before) => head && { head, keys, number: (before?.number ?? 0) + 1 });
  };
  const tryToOpen = (files: readonly [File, ...File[]]) => {
    setFault(null);
    refuse(null);
    setOpening(true);
    void open(files)
      .catch((error: unknown) => {
        const problem = problemIn(error);
        if (problem in t.import.refused) refuse(problem as FileProblem);
        else setFault(error);
      })
      .finally(() => setOpening(false));
  };
  if (job)
    return (
      <ImportPage title={t.import.title} another={another}>
        <ImportJobPanel key={job} id={job} again={another} />
      </ImportPage>
    );
  if (from)
    return (
      <ImportPage
        title={t.import.moving.title}
        choose={
          <ButtonLink kind="quiet" to="/people/import" search={{}}>
            {t.import.moving.file}
          </ButtonLink>
        }
      >
        <MovePanel />
      </ImportPage>
    );
  if (opened)
    return (
      <OpenedFile
        key={opened.number}
        {...opened}
        another={another}
        onStart={(jobId) => void navigate({ to: "/people/import", search: { job: jobId } })}
      />
    );
  return (
    <ImportPage
      title={t.import.title}
      choose={
        <NewButton id="choose file" icon="inbox" name={t.import.choose} run={choose} disabledReason={disabledReason} />
      }
    >
      <AwkwardKeys />
      <Banner
        tone="note"
        actions={
          <ButtonLink small to="/people/import" search={{ from: "product" }}>
            {t.import.moving.open}
          </ButtonLink>
        }
      >
        {t.import.moving.offer}
      </Banner>
      {fault !== null && <FaultBanner fault={fault} />}
      <Drop {...{ field, choose, refused, isOpening, disabledReason }} open={tryToOpen} />
      <ImportsList />
    </ImportPage>
  );
}

/**
 * The server's code for an unreadable file; "" = another error, such as one in a file of an archive, which the message
 * names.
 */
function problemIn(error: unknown): string {
  const [first] = error instanceof Fault ? error.errors : [];
  return first && /^(This|There) /.test(first.message) ? (first.code ?? "").replace(/_file$/, "") : "";
}

/** The reason why a file is refused. */
type FileProblem = keyof (typeof people)["import"]["refused"];
type DropProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly choose: () => void;
  readonly open: (files: readonly [File, ...File[]]) => void;
  readonly refused: FileProblem | null;
  readonly isOpening: boolean;
  readonly disabledReason: string | undefined;
};

/** Accepts one file, or several as one import, by drop or by choice. */
function Drop({ field, choose, open, refused, isOpening, disabledReason }: DropProps) {
  const t = useTexts(peopleTexts);
  const [isOver, over] = useState(false);
  const openFiles = (files: FileList | null) => {
    const [first, ...others] = files ?? [];
    if (first && disabledReason === undefined) open([first, ...others]);
  };
  return (
    <section
      className="drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        over(true);
      }}
      onDragLeave={() => over(false)}
      onDrop={(event) => {
        event.preventDefault();
        over(false);
        openFiles(event.dataTransfer.files);
      }}
    >
      <Icon name="people" />
      <h2>{t.import.drop}</h2>
      <p className="dim">{t.import.dropText}</p>
      <input
        ref={field}
        type="file"
        multiple
        accept=".csv,.tsv,.txt,.xlsx,.zip,text/csv,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,application/zip"
        className="hidden-text"
        tabIndex={-1}
        aria-label={t.import.choose}
        onChange={(event) => {
          openFiles(event.target.files);
          // A file input fires no change event for the same file unless it is cleared.
          event.target.value = "";
        }}
      />
      <Button disabledReason={disabledReason} busy={isOpening} onClick={choose}>
        {t.import.browse}
      </Button>
      <p className="fault" role="alert">
        {refused && t.import.refused[refused]}
      </p>
      {disabledReason && <p className="disabled-reason">{disabledReason}</p>}
    </section>
  );
}

// Imports a workspace from its file: uploads it with progress, then shows the imported records.
import { useRef, useState } from "react";
import { Fault } from "../../../calls/api.ts";
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { Button } from "../../../parts/button.tsx";
import { Code } from "../../../parts/code.tsx";
import { Dialog } from "../../../parts/overlays/dialog.tsx";
import { Field } from "../../../parts/fields/form.tsx";
import { FormDialog } from "../../../parts/fields/form-dialog.tsx";
import { Facts } from "../../../parts/layout.tsx";
import { workspacesTexts } from "../../../texts/areas.ts";
import { useInstallation } from "../installation.ts";
import { useImport } from "./calls.ts";

type ImportWorkspaceProps = { readonly close: () => void };
type ArrivedWorkspace = NonNullable<ReturnType<typeof useImport>["data"]>;

export function ImportWorkspace({ close }: ImportWorkspaceProps) {
  const { import: t, close: closeText } = useTexts(workspacesTexts);
  const importing = useImport();
  const fileFault = useFileFault();
  const [wrong, setWrong] = useState<string>();
  const sending = useRef(new AbortController());
  if (importing.data) return <Arrived {...importing.data} close={close} />;
  const leave = () => {
    sending.current.abort();
    close();
  };
  const isSent = importing.sent === 1;
  return (
    <FormDialog
      title={t.title}
      close={isSent ? close : leave}
      cancel={importing.sent === null ? undefined : isSent ? closeText : t.stop}
      stays={importing.isPending}
      sending={{
        error: wrong === undefined ? inWords(importing.error, t.broken) : null,
        isPending: importing.isPending,
      }}
      submit={t.submit}
      onSubmit={({ name = "" }, form) => {
        const file = new FormData(form).get("file") as File;
        const fault = fileFault(file);
        setWrong(fault);
        if (fault === undefined) importing.mutate({ file, name: name.trim(), signal: sending.current.signal });
      }}
    >
      <p className="row-text">{t.text}</p>
      <Field
        name="file"
        label={t.file}
        help={t.fileHelp}
        type="file"
        accept=".tar,application/x-tar"
        fault={wrong}
        onChange={() => setWrong(undefined)}
      />
      <Field name="name" label={t.newName} help={t.nameHelp} maxLength={100} autoComplete="off" />
      {importing.sent !== null && <Progress sent={importing.sent} />}
    </FormDialog>
  );
}

/** The fault of a file, before the upload. */
function useFileFault(): (file: File) => string | undefined {
  const t = useTexts(workspacesTexts).import;
  const { bytes } = useFormats();
  const limit = useInstallation().data?.limits.importBytes ?? Infinity;
  return ({ size, name }) => {
    if (size === 0) return t.missing;
    if (size <= limit) return undefined;
    return t.tooLarge(bytes(size), bytes(limit), `posthorn workspace import "${name}"`);
  };
}

/** Without an answer, the file may or may not have arrived. */
function inWords(error: unknown, broken: string): unknown {
  return error instanceof Fault && error.code === "NO_ANSWER" ? new Fault(0, "CUT_OFF", broken) : error;
}

function Progress({ sent }: { readonly sent: number }) {
  const t = useTexts(workspacesTexts).import;
  const { percent } = useFormats();
  return (
    <div className="stack" role="status">
      <progress max={1} {...(sent === 1 ? {} : { value: sent })} aria-label={t.title} />
      <p className="dim row-text">{sent === 1 ? t.taking : t.sending(percent(sent))}</p>
    </div>
  );
}

function Arrived({ name, counts, emails, executions, hashes, close }: ArrivedWorkspace & ImportWorkspaceProps) {
  const { arrived: t, close: closeText } = useTexts(workspacesTexts);
  const { number } = useFormats();
  const tables = (Object.keys(t.tables) as (keyof typeof t.tables)[]).filter((table) => counts[table]);
  return (
    <Dialog title={t.title(name)} isOpen stays onClose={close} actions={<Button onClick={close}>{closeText}</Button>}>
      <div className="stack l">
        <Facts facts={tables.map((table) => [t.tables[table], number(counts[table] ?? 0)])} />
        <p>
          {emails + executions === 0
            ? t.nothingHeld
            : t.held(emails, executions, { emails: number(emails), executions: number(executions) })}
        </p>
        {hashes > 0 && <p>{t.hashes(hashes, number(hashes))}</p>}
        <p className="row-text">{t.next}</p>
        <Code text="posthorn domain list" what={t.domains} />
      </div>
    </Dialog>
  );
}

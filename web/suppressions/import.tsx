// Imports suppressions from a file.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Field, FaultBanner } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { Select } from "../parts/fields/select.tsx";
import { suppressionsTexts } from "../texts/areas.ts";
import { importQuery, listChanged, useImport } from "./calls.ts";

const REASONS = ["import", "bounce", "complaint", "manual"] as const;

export function ImportSuppressions({ close }: { readonly close: () => void }) {
  const t = useTexts(suppressionsTexts);
  const [jobId, setJobId] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const importing = useImport(setJobId);
  if (jobId !== null) return <Progress jobId={jobId} close={close} />;
  return (
    <FormDialog
      title={t.importTitle}
      close={close}
      sending={importing}
      submit={t.importNow}
      onSubmit={({ reason = "import", scope = "" }, form) => {
        const file = new FormData(form).get("file");
        const isThere = file instanceof File && file.size > 0;
        setMissing(!isThere);
        if (isThere) importing.mutate({ file, reason, scope });
      }}
    >
      <Field
        name="file"
        label={t.file}
        help={t.fileHelp}
        type="file"
        accept=".csv,.xlsx,text/csv,text/plain"
        fault={missing ? t.fileMissing : undefined}
        onChange={() => setMissing(false)}
      />
      <Select
        name="reason"
        label={t.otherwise}
        help={t.otherwiseHelp}
        first="import"
        options={REASONS.map((id) => ({ id, name: t.reason[id] }))}
      />
      <Select
        name="scope"
        label={t.stops}
        first=""
        options={[
          { id: "", name: t.byReason },
          { id: "all", name: t.scopes.all },
          { id: "marketing", name: t.scopes.marketing },
        ]}
      />
    </FormDialog>
  );
}

function Progress({ jobId, close }: { readonly jobId: string; readonly close: () => void }) {
  const t = useTexts(suppressionsTexts);
  const { number } = useFormats();
  const { data: job, error } = useQuery({ ...importQuery(jobId), throwOnError: false });
  const isOver = job?.status === "COMPLETED" || job?.status === "FAILED";
  useEffect(() => {
    if (isOver) listChanged();
  }, [isOver]);
  const { addedCount = 0, unchangedCount = 0, failureCount = 0, errors = [] } = job?.result ?? {};
  return (
    <Dialog title={t.importTitle} isOpen onClose={close} actions={<Button onClick={close}>{t.close}</Button>}>
      {error && <FaultBanner fault={error} />}
      <div role="status" className="stack">
        {!isOver && <p>{t.working(`${job?.progress ?? 0} %`)}</p>}
        {job?.status === "FAILED" && <p>{job.failedReason}</p>}
        {isOver && <p>{t.imported(number(addedCount), number(unchangedCount))}</p>}
        {failureCount > 0 && <p>{t.wrongRows(number(failureCount))}</p>}
      </div>
      {errors.length > 0 && (
        <ul className="small">
          {errors.slice(0, 5).map(({ row, target, error: why }) => (
            <li key={row}>{t.wrongRow(number(row), target, why)}</li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

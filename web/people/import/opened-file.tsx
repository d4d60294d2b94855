// An opened file: its columns, invalid rows and preview.
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { useDebounced } from "../../base/use-debounced.ts";
import { Banner } from "../../parts/banner.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { UnsavedGuard } from "../../parts/fields/unsaved.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged } from "../calls.ts";
import { InvalidRows } from "./invalid-rows.tsx";
import { startImport, checkQuery, hasNoEmailColumn, type Extras, type MarketingConsent } from "./calls.ts";
import { Columns } from "./columns.tsx";
import { guessMapping, type Encoding, type FileHead } from "./file/file-head.ts";
import { EncodingBanner } from "./encoding-banner.tsx";
import { ImportFiles } from "./files.tsx";
import { ImportPage } from "./import-page.tsx";
import { ReplacedValues } from "./replaced.tsx";
import { SkippedCells } from "./skipped-cells.tsx";
import { ImportPreview } from "./import-preview.tsx";

/** A long debounce, because each check uploads the file again. */
const TYPING_MS = 600;

type OpenedFileProps = {
  readonly head: FileHead;
  readonly keys: readonly string[];
  readonly number: number;
  readonly another: () => void;
  readonly onStart: (jobId: string) => void;
};

export function OpenedFile({ head, keys, number, another, onStart }: OpenedFileProps) {
  const t = useTexts(peopleTexts).import;
  const { bytes } = useFormats();
  const [mapping, map] = useState(() => guessMapping(head.columns, keys));
  const [encoding, setEncoding] = useState<Encoding | null>(null);
  const [resubscribe, setResubscribe] = useState(false);
  const [marketing, setMarketing] = useState<MarketingConsent | null>(null);
  const [consent, setConsent] = useState("");
  const [extras, setExtras] = useState<Extras>({ onlyEmpty: false, segment: null, tag: "" });
  const tag = useDebounced(extras.tag, TYPING_MS);
  const given = { head, mapping, encoding, resubscribe, marketing, consent, extras };
  const asked = useQuery({
    ...checkQuery({ ...given, extras: { ...extras, tag } }, number),
    placeholderData: keepPreviousData,
  });
  const { data, error, isFetching } = asked;
  const check = error ? undefined : data;
  const { mutate, isPending } = useMutation({
    mutationFn: () => startImport(given, (segment) => setExtras((now) => ({ ...now, segment }))),
    onSuccess: (jobId) => {
      peopleChanged();
      onStart(jobId);
    },
  });
  const isAsked = marketing !== null || (check?.undecided ?? 0) > 0;
  const readAs = encoding ?? check?.encoding ?? head.encoding;
  const { delimiter } = head;
  const written =
    delimiter === null
      ? [check?.files ? t.files.count(check.files.length) : t.firstSheet]
      : [t.encodings[readAs], t.separators[delimiter] ?? delimiter];
  return (
    <ImportPage
      title={t.of(head.name)}
      facts={[bytes(head.file.size), ...written, ...(check?.product ? [t.exportOf(check.product)] : [])]}
      another={another}
    >
      <UnsavedGuard />
      {error && !hasNoEmailColumn(error) ? <FaultBanner fault={error} /> : null}
      {(encoding !== null || readAs !== "utf-8") && <EncodingBanner encoding={readAs} choose={setEncoding} />}
      {check?.standing && <Banner tone="warn">{t.files.ofAll(t.files.standings[check.standing])}</Banner>}
      {check?.files && <ImportFiles files={check.files} />}
      <Columns head={head} mapping={mapping} check={check} map={map} />
      <div className="cols tried">
        <div className="stack l">
          {!error && <InvalidRows check={check} isLooking={isFetching} name={head.name} />}
          {check && <ReplacedValues columns={check.columns} />}
          {check && check.skippedCellCount > 0 && (
            <SkippedCells cells={check.skippedCells} count={check.skippedCellCount} />
          )}
        </div>
        <ImportPreview
          check={check}
          isLooking={isFetching}
          hasAddress={!hasNoEmailColumn(error)}
          question={isAsked ? { marketing, setMarketing, consent, setConsent } : null}
          extras={{ extras, set: setExtras }}
          resubscribe={{ is: resubscribe, set: setResubscribe }}
          isStarting={isPending}
          start={() => mutate()}
        />
      </div>
    </ImportPage>
  );
}

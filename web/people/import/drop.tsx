// Where a file is dropped, or chosen.
import { useRef, useState } from "react";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useDisabledReason } from "../../session.ts";
import { peopleTexts } from "../../texts/areas.ts";

type DropProps = { readonly open: (file: File) => void; readonly isEmpty: boolean };

export function Drop({ open, isEmpty }: DropProps) {
  const t = useTexts(peopleTexts);
  const disabledReason = useDisabledReason("people.bulk");
  const [isOver, over] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file && disabledReason === undefined) open(file);
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
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="people" />
      <h2>{t.import.drop}</h2>
      <p className="dim">{t.import.dropText}</p>
      <input
        ref={field}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        className="hidden-text"
        tabIndex={-1}
        aria-label={t.import.choose}
        onChange={(event) => take(event.target.files)}
      />
      <Button kind="first" disabledReason={disabledReason} onClick={() => field.current?.click()}>
        {t.import.choose}
      </Button>
      {isEmpty && <p className="fault">{t.import.empty}</p>}
      {disabledReason && <p className="disabled-reason">{disabledReason}</p>}
    </section>
  );
}

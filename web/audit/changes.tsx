// A dialog on the page of a record: who changed it, and when.
import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { More } from "../parts/rows.tsx";
import { auditTexts } from "../texts/areas.ts";
import { Did, entriesOf, When } from "./what.tsx";

type ChangesProps = { readonly id: string; readonly name: string; readonly close: () => void };

export function Changes({ id, name, close }: ChangesProps) {
  const t = useTexts(auditTexts);
  const { data, ...asked } = useInfiniteQuery({
    queryKey: ["changes", id],
    queryFn: ({ pageParam: page }) => call("GET /audit/changes", { target: id, page }),
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
    throwOnError: false,
  });
  const entries = data && entriesOf(data.pages);
  return (
    <Dialog title={t.changesOf(name)} isOpen onClose={close} wide actions={<Button onClick={close}>{t.close}</Button>}>
      {!entries ? (
        <Skeleton of={asked} className="changes" rows={4} columns={3} />
      ) : entries.length === 0 ? (
        <p>{t.noChanges}</p>
      ) : (
        <ul className="rows changes">
          {entries.map((entry) => (
            <li className="line" key={entry.id}>
              <b className="cut">{entry.by.name ?? t.nameless[entry.by.kind]}</b>
              <Did entry={entry} />
              <When entry={entry} />
            </li>
          ))}
        </ul>
      )}
      <More {...asked} name={t.older} className="pad" />
    </Dialog>
  );
}

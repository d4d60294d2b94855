// Fields whose names segments, conditions and emails cannot use: one button renames all.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { contactFieldsQuery } from "../../calls/contact-fields.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged } from "../calls.ts";
import { jobDone } from "../bulk/use-bulk.ts";

type AwkwardKey = { readonly key: string; readonly plain: string };
type KeyUse = { readonly kind: string; readonly id: string; readonly name: string };
type KeyRename = { readonly key: string; readonly uses: readonly KeyUse[]; readonly stayed: number };

async function rename(keys: readonly AwkwardKey[]): Promise<readonly KeyRename[]> {
  const done: KeyRename[] = [];
  for (const { key, plain } of keys) {
    const { jobId, uses } = await call("POST /contacts/fields/rename", { body: { from: key, to: plain } });
    const { result } = await jobDone(jobId);
    done.push({ key, uses, stayed: result.failureCount });
  }
  return done;
}

export function AwkwardKeys() {
  const { awkward: words } = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const mayNot = useDisabledReason("people.bulk");
  const { data } = useQuery(contactFieldsQuery);
  const [asked, ask] = useState<readonly AwkwardKey[] | null>(null);
  const renaming = useMutation({
    mutationFn: rename,
    onSettled: () => {
      peopleChanged();
      void queries.invalidateQueries({ queryKey: contactFieldsQuery.queryKey });
    },
    meta: { inForm: true },
  });
  const keys = data?.notPlain ?? [];
  const close = () => {
    ask(null);
    renaming.reset();
  };
  return (
    <>
      {keys.length > 0 && (
        <Banner
          tone="note"
          actions={
            <Button small disabledReason={mayNot} onClick={() => ask(keys)}>
              {words.open}
            </Button>
          }
        >
          {words.count(keys.length, number(keys.length))} {keys.map(({ key }) => key).join(", ")}
        </Banner>
      )}
      {asked && !renaming.data && (
        <Question
          title={words.title}
          text={words.means}
          action={words.action}
          close={close}
          busy={renaming.isPending}
          fault={renaming.error}
          run={() => renaming.mutate(asked)}
        >
          <ul className="rows renamed">
            {asked.map(({ key, plain }) => (
              <li className="line" key={key}>
                <code>{key}</code>
                <Icon name="arrow" />
                <code>{plain}</code>
              </li>
            ))}
          </ul>
        </Question>
      )}
      {renaming.data && <Renamed done={renaming.data} close={close} />}
    </>
  );
}

function Renamed({ done, close }: { readonly done: readonly KeyRename[]; readonly close: () => void }) {
  const { awkward: words } = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const stayed = done.reduce((sum, one) => sum + one.stayed, 0);
  const uses = [...new Map(done.flatMap((one) => one.uses).map((use) => [use.id, use])).values()];
  return (
    <Dialog title={words.done} isOpen onClose={close} actions={<Button onClick={close}>{words.close}</Button>}>
      {stayed > 0 && <p>{words.stayed(stayed, number(stayed))}</p>}
      {uses.length === 0 ? <p>{words.unused}</p> : <p>{words.used}</p>}
      {uses.length > 0 && (
        <ul>
          {uses.map(({ kind, id, name }) => (
            <li key={id}>{words.use(kind, name)}</li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

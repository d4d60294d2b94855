// Sends a test email with the data of the preview's person, to the user or to the recipients chosen last.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { components } from "../api.gen.ts";
import { lazyPart } from "../chunks.tsx";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { showFault, showToast } from "../parts/overlays/toast.tsx";
import { queries } from "../calls/queries.ts";
import { useMe } from "../calls/session.ts";
import { writingTexts } from "../texts/areas.ts";
import { useChosenPerson } from "../writing/preview/chosen-person.ts";
import { useTesters } from "./testers.ts";

const ChooseTesters = lazyPart(() => import("./choose-testers.tsx"), "ChooseTesters");

type TestProps = {
  /** Returns the id of the first email. */
  readonly send: (body: components["schemas"]["TestCampaignRequest"]) => Promise<string>;
  readonly flush: () => Promise<void>;
  readonly disabledReason: string | undefined;
  /** In the bar of the preview: only icons. */
  readonly small?: boolean;
};

export function SendTest({ send, flush, disabledReason, small = false }: TestProps) {
  const { test: t } = useTexts(writingTexts);
  const { email } = useMe();
  const [testers, remember] = useTesters();
  const [isChoosing, setChoosing] = useState(false);
  const [person] = useChosenPerson();
  const navigate = useNavigate();
  const sending = useMutation({
    mutationFn: async (emails: readonly string[]) => {
      await flush();
      return send({ emails: [...emails], ...(person ? { contactId: person.id } : {}) });
    },
    onSuccess: (id, emails) => {
      if (isChoosing) remember(emails);
      setChoosing(false);
      void queries.invalidateQueries({ queryKey: ["mails"] });
      const follow = () => void navigate({ to: "/mail/$id", params: { id } });
      showToast(t.sentTo(emails.join(", ")), { name: t.follow, run: follow });
    },
    meta: { inForm: true },
  });
  const isOwn = testers.length === 1 && testers[0] === email;
  const name = isOwn ? t.toMe : t.toSome(testers.length, testers[0] ?? "");
  const look = small ? ({ kind: "quiet", small, label: name } as const) : { children: name };
  return (
    <>
      <span className="inline tight">
        <Button
          {...look}
          icon="send"
          disabledReason={disabledReason}
          busy={sending.isPending && !isChoosing}
          onClick={() => sending.mutate(testers, { onError: showFault })}
        />
        <Button
          {...(small ? { kind: "quiet", small } : {})}
          icon="down"
          label={t.choose}
          disabledReason={disabledReason}
          onClick={() => setChoosing(true)}
        />
      </span>
      {!small && <p className="help">{`${t.help} ${person ? t.shownAs(person.name) : t.shownOwn}`}</p>}
      {isChoosing && (
        <Suspense>
          <ChooseTesters
            testers={testers}
            person={person}
            sending={sending}
            send={(emails) => sending.mutate(emails)}
            close={() => {
              sending.reset();
              setChoosing(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

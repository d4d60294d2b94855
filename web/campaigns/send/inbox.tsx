// An inbox preview: the email as three recipients would see it in a list.
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { campaignsTexts } from "../../texts/areas.ts";
import { personOf } from "../../writing/preview/people.ts";
import type { Content } from "../../writing/content.ts";
import { useAudiencePeople, type Audience } from "../audience/audience-calls.ts";

const SHOWN = 3;
const MAX_ASKED = 30;

type InboxProps = { readonly audience: Audience; readonly value: Content };

export function Inbox({ audience, value }: InboxProps) {
  const { check: t } = useTexts(campaignsTexts);
  const [from, setFrom] = useState(0);
  const { people, ...asked } = useAudiencePeople(audience, "willReceive", MAX_ASKED);
  const shown = people?.slice(from, from + SHOWN) ?? [];
  const mails = useSampleEmails(
    shown.map(({ id }) => id),
    value,
  );
  const next = () => setFrom(from + SHOWN < (people?.length ?? 0) ? from + SHOWN : 0);
  if (people?.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="inbox">
      <header>
        <h2 id="inbox">{t.inbox}</h2>
        <span className="row-text dim">{t.inboxText}</span>
        {(people?.length ?? 0) > SHOWN && (
          <span className="push">
            <Button kind="quiet" small icon="again" onClick={next}>
              {t.others}
            </Button>
          </span>
        )}
      </header>
      {people ? (
        <div className="rows inbox-lines">
          {shown.map((contact, at) => (
            <div className="line" key={contact.id}>
              <span className="dim cut">{personOf(contact).name}</span>
              <span className="cut">
                <b>{mails[at]?.subject ?? "…"}</b> <span className="dim">{mails[at]?.preheader}</span>
              </span>
            </div>
          ))}
        </div>
      ) : (
        <Skeleton of={asked} rows={SHOWN} columns={2} className="inbox-lines" />
      )}
    </section>
  );
}

/** The lines of these contacts. A preheader is rendered in the place of the subject, in a call of its own. */
function useSampleEmails(ids: readonly string[], { subject, preheader, body }: Content) {
  const asked = useQueries({
    queries: ids.map((contactId) => ({
      queryKey: ["preview", "line", contactId, subject, preheader],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const say = async (text: string) =>
          text === ""
            ? ""
            : (await call("POST /preview", { body: { subject: text, body, kind: "MARKETING", contactId }, signal }))
                .subject;
        return { subject: await say(subject), preheader: await say(preheader) };
      },
      throwOnError: false,
      retry: false,
    })),
  });
  return asked.map(({ data }) => data);
}

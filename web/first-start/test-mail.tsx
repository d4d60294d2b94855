// A test email to the owner, and its state, which is polled.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { mailQuery } from "../mail/calls.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { State } from "../parts/state.tsx";
import { useSenders } from "../settings/sender.ts";
import { TestForm } from "../settings/test-email.tsx";
import { waysQuery } from "../settings/ways/calls.ts";
import { firstStartTexts, testMailTexts } from "../texts/areas.ts";

export function TestMail() {
  const t = useTexts(firstStartTexts).test;
  const { send } = useTexts(testMailTexts);
  const senders = useSenders();
  const [sent, setSent] = useState<string | null>(null);
  return (
    <section className="stack" aria-labelledby="test-mail">
      <h3 id="test-mail">{t.title}</h3>
      {senders?.length === 0 && (
        <>
          <p className="row-text">{t.needsDomain}</p>
          <div>
            <ButtonLink to="/first-start" search={{ step: "domain" }}>
              {t.toDomain}
            </ButtonLink>
          </div>
        </>
      )}
      {senders && senders.length > 0 && (
        <TestForm senders={senders} onSent={setSent}>
          {(busy) => (
            <div>
              <Button type="submit" icon="send" busy={busy}>
                {send}
              </Button>
            </div>
          )}
        </TestForm>
      )}
      {sent !== null && <Outcome key={sent} id={sent} />}
    </section>
  );
}

const POLL_MS = 2_000;
/** These states may still change. */
const UNDER_WAY = ["QUEUED", "SENDING"];

function Outcome({ id }: { readonly id: string }) {
  const t = useTexts(firstStartTexts).test;
  const { follow } = useTexts(testMailTexts);
  const { data: ways } = useQuery(waysQuery);
  const { data: mail } = useQuery({
    ...mailQuery(id),
    refetchInterval: ({ state }) => (state.data && !UNDER_WAY.includes(state.data.status) ? false : POLL_MS),
  });
  return (
    <div className="stack tight" role="status">
      <span className="inline l">
        <State is={mail?.status ?? "QUEUED"} />
        <ButtonLink small to="/mail/$id" params={{ id }}>
          {follow}
        </ButtonLink>
      </span>
      {mail?.error && <p className="row-text">{mail.error}</p>}
      {ways && mail?.status === "SENT" && (
        <p className="dim row-text">{ways[0]?.kind === "capture" ? t.captured : t.taken}</p>
      )}
    </div>
  );
}

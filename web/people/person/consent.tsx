// The consents of a person as text, and their evidence to download or print.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { workspaceId } from "../../calls/api.ts";
import { useFormats, type Formats } from "../../base/formats.ts";
import { useLanguage, useTexts } from "../../base/language.ts";
import { AnchorButton, Button } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import { Skeleton, type TimelineItem } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { people as words } from "../../texts/en/people.ts";
import { consentQuery, type ConsentChange, type Contact } from "../calls.ts";
import { exportConsent } from "../export.ts";
import { Days } from "./days.tsx";

export function Consent({ contact }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts);
  const formats = useFormats();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    consentQuery(contact.id, useLanguage()),
  );
  const changes = data?.pages.flatMap((page) => page.data);
  if (error && !changes) return <FaultBanner fault={error} />;
  if (!changes) return <Skeleton of={null} rows={6} columns={2} />;
  if (changes.length === 0) return <p className="dim row-text">{t.consent.none}</p>;
  return (
    <>
      <Proof contact={contact} />
      <Days entries={changes} describe={(one, key) => describe(one, key, { t, formats, email: contact.email })} />
      {hasNextPage && (
        <span>
          <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.past.more}
          </Button>
        </span>
      )}
    </>
  );
}

function Proof({ contact: { id, email } }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts);
  const language = useLanguage();
  const disabledReason = useDisabledReason("people.write");
  const page = `/contacts/${id}/consent/page?workspace=${workspaceId.get()}&language=${language}`;
  return (
    <div className="consent-proof">
      <p className="dim row-text">{t.consent.about}</p>
      <span className="actions">
        <Button
          small
          icon="get"
          disabledReason={disabledReason}
          onClick={() => void exportConsent(id, email, language)}
        >
          {t.consent.download}
        </Button>
        {disabledReason === undefined && (
          <AnchorButton small icon="out" href={page} target="_blank" rel="noreferrer">
            {t.consent.print}
          </AnchorButton>
        )}
      </span>
    </div>
  );
}

const MARKS: Readonly<Partial<Record<ConsentChange["what"], readonly [StatusIconName, Tone?]>>> = {
  subscribed: ["on", "ok"],
  confirmed: ["on", "ok"],
  agreed: ["check", "ok"],
  "topic-joined": ["on", "ok"],
  unsuppressed: ["check"],
  unsubscribed: ["unsub"],
  "topic-left": ["unsub"],
  declined: ["unsub"],
  asked: ["waiting", "note"],
  paused: ["held", "warn"],
  resumed: ["on", "ok"],
  suppressed: ["bounced", "bad"],
};

type ConsentWords = { readonly t: typeof words; readonly formats: Formats; readonly email: string };

function describe(change: ConsentChange, id: string, { t, formats, email }: ConsentWords): TimelineItem {
  const { what, at, text, address, userAgent, emailId, form, number } = change;
  const [icon, tone] = MARKS[what] ?? ["changed"];
  const when = new Date(at);
  const facts = [address !== null && address !== email && t.consent.address(address), userAgent].filter(Boolean);
  return {
    id,
    icon,
    ...(tone ? { tone } : {}),
    title: text,
    when: (
      <time dateTime={at} title={formats.exact(when)}>
        {formats.clock(when)}
      </time>
    ),
    children: (
      <>
        {facts.length > 0 && <p>{facts.join(" · ")}</p>}
        <p>
          {number === null ? t.consent.unchained : t.consent.row(formats.number(number))}
          {form?.id && (
            <>
              {" · "}
              <Link to="/forms/$id" params={{ id: form.id }} preload={false}>
                {t.consent.form}
              </Link>
            </>
          )}
          {emailId !== null && (
            <>
              {" · "}
              <Link to="/mail/$id" params={{ id: emailId }} search={{}} preload={false}>
                {t.past.itsMail}
              </Link>
            </>
          )}
        </p>
      </>
    ),
  };
}

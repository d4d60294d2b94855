// Whether the workspace may write to a person, with the reason: the subscription, suppressions, and a pause.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFormats } from "../../base/formats.ts";
import { suppressionsOfQuery, type Suppression } from "../../suppressions/calls.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { StatusIcon, type StatusIconName, type Tone } from "../../parts/icons/icon.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { isPaused, subscriptionStatus, type Contact } from "../calls.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { useChange } from "./change.ts";
import { Part } from "../../parts/card-part.tsx";

export function EmailConsent({ contact }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts);
  const standing = subscriptionStatus(contact);
  const { date } = useFormats();
  const by = useSuppressionsOf(contact);
  const domain = domainAmong(by);
  const own = contact.suppressed === null ? t.mayWrite.marketing[standing] : t.mayWrite.why[contact.suppressed];
  const isOfDomain = contact.suppressed === null && domain !== null;
  const why = isOfDomain ? t.mayWrite.by.domain(domain) : own;
  const isForAll = by.some(({ scope }) => scope === "all");
  return (
    <Part title={t.mayWrite.title}>
      <ul className="answers">
        <Answer is={isForAll ? "no" : "yes"}>
          {isForAll ? t.mayWrite.by.transactional : t.mayWrite.transactional}
        </Answer>
        {(standing !== "SUBSCRIBED" || isOfDomain || !isPaused(contact)) && (
          <Answer
            is={isOfDomain ? "no" : standing === "SUBSCRIBED" ? "yes" : standing === "PENDING" ? "not yet" : "no"}
          >
            {why}
          </Answer>
        )}
        {isPaused(contact) && <Paused contact={contact} />}
        {by.length === 0 && (
          <Answer is={contact.suppressed === null ? "yes" : "no"}>
            {contact.suppressed === null ? t.mayWrite.free : t.mayWrite.suppressed}
          </Answer>
        )}
        {by.map(({ id, address, domain, scope, until, note }) => (
          <Answer is="no" key={id}>
            <Link to="/suppressions" search={{ search: address ?? domain ?? "" }}>
              {t.mayWrite.by[scope](address ?? domain ?? "")}
            </Link>
            {until && ` ${t.mayWrite.by.until(date(new Date(until)))}`}
            {note && <span className="dim"> {note}</span>}
          </Answer>
        ))}
      </ul>
      <Link to="/people/$id" params={{ id: contact.id }} search={{ kind: "CONSENT" }} className="small">
        {t.mayWrite.history}
      </Link>
    </Part>
  );
}

export function useSuppressionsOf({ email }: Contact): readonly Suppression[] {
  return useQuery({ ...suppressionsOfQuery(email), throwOnError: false }).data ?? [];
}

/** The suppressed domain; null = none. */
export function domainAmong(by: readonly Suppression[]): string | null {
  return by.find((one) => one.domain !== null)?.domain ?? null;
}

/** The end of the person's pause of marketing email. */
function Paused({ contact }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts).pause;
  const { date } = useFormats();
  const { resume, isPending } = useChange(contact);
  const disabledReason = useDisabledReason("people.write");
  const { pausedUntil } = contact;
  return (
    <Answer is="not yet">
      {t.until(date(new Date(pausedUntil ?? 0)))}{" "}
      <Button small busy={isPending} disabledReason={disabledReason} onClick={resume}>
        {t.end}
      </Button>
    </Answer>
  );
}

const MARKS = {
  yes: ["check", "ok"],
  no: ["cross", "bad"],
  "not yet": ["waiting", "note"],
} as const satisfies Record<string, readonly [StatusIconName, Tone]>;

function Answer({ is, children }: { readonly is: keyof typeof MARKS; readonly children: ReactNode }) {
  const [icon, tone] = MARKS[is];
  return (
    <li>
      <StatusIcon name={icon} tone={tone} />
      <span>{children}</span>
    </li>
  );
}

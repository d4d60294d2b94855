// Checks whether a person matches: the result of each filter, with the value that it found.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, Fault } from "../../calls/api.ts";
import { canonical, type SegmentCondition } from "../../condition/draft.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { Time } from "../../parts/time.tsx";
import { segmentsTexts } from "../../texts/areas.ts";
import type { Explanation } from "../calls.ts";
import { FilterResults } from "./filter-results.tsx";

/** An unsaved condition, or a static segment. */
export type CheckedCondition = { readonly condition: SegmentCondition | null } | { readonly segmentId: string };

type CheckPersonProps = {
  readonly of: CheckedCondition;
  readonly email: string;
  readonly ask: (email: string) => void;
};

export function CheckPerson({ of, email, ask }: CheckPersonProps) {
  const t = useTexts(segmentsTexts).why;
  return (
    <section className="why" aria-label={t.title}>
      <h3>{t.title}</h3>
      <PersonField key={email} email={email} ask={ask} />
      {email !== "" && <Answer of={of} email={email} />}
    </section>
  );
}

function PersonField({ email, ask }: Omit<CheckPersonProps, "of">) {
  const t = useTexts(segmentsTexts).why;
  const [typed, setTyped] = useState(email);
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        ask(typed.trim());
      }}
    >
      <input
        className="input"
        type="search"
        aria-label={t.email}
        placeholder={t.email}
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          if (currentTarget.value === "") ask("");
        }}
      />
      <Button type="submit">{t.ask}</Button>
    </form>
  );
}

function Answer({ of, email }: Omit<CheckPersonProps, "ask">) {
  const t = useTexts(segmentsTexts).why;
  const isAsked = "segmentId" in of || of.condition !== null;
  const { data, error } = useQuery({
    queryKey: ["contacts", "why", of, email],
    queryFn: ({ signal }) => {
      const what = "segmentId" in of ? of : { condition: canonical(of.condition as SegmentCondition) };
      return call("POST /segments/explain", { body: { ...what, email }, signal });
    },
    enabled: isAsked,
    throwOnError: false,
    retry: false,
  });
  if (!isAsked) return <p className="dim row-text">{t.needsCondition}</p>;
  if (error instanceof Fault && error.code === "CONTACT_NOT_FOUND") return <p className="row-text">{t.unknown}</p>;
  if (error instanceof Fault) return <Refusal fault={error} />;
  return data ? <ExplanationPanel explanation={data} /> : null;
}

function ExplanationPanel({ explanation }: { readonly explanation: Explanation }) {
  const t = useTexts(segmentsTexts).why;
  const { contact, matches, changesAt, filters } = explanation;
  const held = filters.filter(({ matches }) => matches).length;
  return (
    <>
      <div className={matches ? "banner ok" : "banner"} role="status">
        <StatusIcon name={matches ? "delivered" : "skipped"} tone={matches ? undefined : "dim"} />
        <span>
          <b>{matches ? t.in(contact.email) : t.out(contact.email)}</b>{" "}
          {filters.length === 0 ? t.byHand : t.held(held, filters.length)}
        </span>
      </div>
      <FilterResults explanation={explanation} />
      {changesAt && (
        <p className="row-text dim">
          {matches ? t.leaves : t.joins} <Time at={changesAt} as="brief" />.
        </p>
      )}
    </>
  );
}

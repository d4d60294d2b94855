// A file that was opened: its columns, the rows that cannot be read, and what would become of the others.
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FaultBanner } from "../../parts/form.tsx";
import { peopleChanged } from "../calls.ts";
import { BadRows } from "./bad-rows.tsx";
import { begin, checkQuery, lacksAddress, type Marketing } from "./calls.ts";
import { Columns } from "./columns.tsx";
import { guessed, type Head } from "./head.ts";
import { Trial } from "./trial.tsx";

type TriedProps = { readonly head: Head; readonly number: number; readonly begun: (jobId: string) => void };

export function Tried({ head, number, begun }: TriedProps) {
  const [mapping, map] = useState(() => guessed(head.columns));
  const [resubscribe, setResubscribe] = useState(false);
  const [marketing, setMarketing] = useState<Marketing | null>(null);
  const [consent, setConsent] = useState("");
  const given = { head, mapping, resubscribe, marketing, consent };
  const asked = useQuery({ ...checkQuery(given, number), placeholderData: keepPreviousData });
  const { data, error, isFetching } = asked;
  const check = error ? undefined : data;
  const { mutate, isPending } = useMutation({
    mutationFn: () => begin(given),
    onSuccess: (jobId) => {
      peopleChanged();
      begun(jobId);
    },
  });
  const isAsked = marketing !== null || (check?.undecided ?? 0) > 0;
  return (
    <>
      {error && !lacksAddress(error) ? <FaultBanner fault={error} /> : null}
      <Columns head={head} mapping={mapping} check={check} map={map} />
      <div className="cols tried">
        <BadRows check={check} name={head.name} />
        <Trial
          check={check}
          isLooking={isFetching}
          hasAddress={!lacksAddress(error)}
          question={isAsked ? { marketing, setMarketing, consent, setConsent } : null}
          resubscribe={{ is: resubscribe, set: setResubscribe }}
          isStarting={isPending}
          start={() => mutate()}
        />
      </div>
    </>
  );
}

// A file that was opened: its columns, the rows that cannot be read, and what would become of the others.
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FaultBanner } from "../../parts/form.tsx";
import { peopleChanged } from "../calls.ts";
import { BadRows } from "./bad-rows.tsx";
import { begin, checkQuery, isOtherEncoding } from "./calls.ts";
import { Columns } from "./columns.tsx";
import { guessed, type Head } from "./head.ts";
import { Trial } from "./trial.tsx";

type TriedProps = {
  readonly head: Head;
  readonly number: number;
  /** The file is in another encoding than it seemed. */
  readonly isOther: () => void;
  readonly begun: (jobId: string) => void;
};

export function Tried({ head, number, isOther, begun }: TriedProps) {
  const [mapping, map] = useState(() => guessed(head.columns));
  const [resubscribe, setResubscribe] = useState(false);
  const given = { head, mapping, resubscribe };
  const asked = useQuery({ ...checkQuery(given, number), placeholderData: keepPreviousData });
  const { data: check, error, isFetching } = asked;
  const { mutate, isPending } = useMutation({
    mutationFn: () => begin(given),
    onSuccess: (jobId) => (peopleChanged(), begun(jobId)),
  });
  const isWrong = isOtherEncoding(error);
  useEffect(() => {
    if (isWrong && head.encoding === "utf-8") isOther();
  }, [isWrong, head.encoding]);
  return (
    <>
      {error && !isWrong ? <FaultBanner fault={error} /> : null}
      <Columns head={head} mapping={mapping} check={error ? undefined : check} map={map} />
      <div className="cols tried">
        <BadRows check={error ? undefined : check} name={head.name} />
        <Trial
          check={error ? undefined : check}
          isLooking={isFetching}
          hasAddress={mapping.includes("email")}
          resubscribe={{ is: resubscribe, set: setResubscribe }}
          hasFlag={mapping.includes("subscribed")}
          isStarting={isPending}
          start={() => mutate()}
        />
      </div>
    </>
  );
}

// What people who are ticked become together: members of a segment that is kept by hand, or of a new one; and whom a new campaign is for.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { useFormats } from "../formats.ts";
import { Button } from "../parts/button.tsx";
import { Menu } from "../parts/menu.tsx";
import { useDisabledReason } from "../session.ts";
import { peopleTexts } from "../texts/areas.ts";
import { segmentsQuery } from "./calls.ts";
import type { Chosen } from "./chosen.ts";
import { SegmentOf, type Then } from "./segment-of.tsx";
import { useMembers } from "./use-bulk.ts";

/** The most that one call takes. */
const MOST_MEMBERS = 500;

export function Membership({ chosen }: { readonly chosen: Chosen }) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const mayNot = useDisabledReason("campaigns.write");
  const { data: segments = [] } = useQuery(segmentsQuery);
  const change = useMembers(chosen.none);
  const [asked, ask] = useState<Then | null>(null);
  const byHand = segments.filter(({ type }) => type === "STATIC");
  const emails = [...chosen.some.values()].map(({ email }) => email);
  const tooMany =
    chosen.isAll || emails.length > MOST_MEMBERS ? t.bulk.membersTooMany(number(MOST_MEMBERS)) : undefined;
  const disabledReason = mayNot ?? tooMany;
  if (disabledReason !== undefined)
    return (
      <Button small disabledReason={disabledReason}>
        {t.bulk.segment}
      </Button>
    );
  const moves = (action: "add" | "remove") =>
    byHand.map(({ id, name }) => ({
      id: `${action} ${id}`,
      name: action === "add" ? t.bulk.addTo(name) : t.bulk.removeFrom(name),
      run: () => change({ action, id, name, emails }),
    }));
  const make = (then: Then) => ({ id: `new ${then}`, name: t.bulk.make[then], run: () => ask(then) });
  const made = [make("segment"), make("campaign")];
  const entries =
    byHand.length === 0 ? made : [...made, "line" as const, ...moves("add"), "line" as const, ...moves("remove")];
  return (
    <>
      <Menu label={t.bulk.segment} className="btn s" entries={entries}>
        {t.bulk.segment}
      </Menu>
      {asked && <SegmentOf emails={emails} then={asked} close={() => ask(null)} done={chosen.none} />}
    </>
  );
}

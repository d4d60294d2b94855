// The way out: what is set and whether it works, or what to set; and a test email.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Facts, Skeleton } from "../parts/layout.tsx";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { waysQuery, tryQuery } from "../settings/ways/calls.ts";
import { WayList } from "../settings/ways/list.tsx";
import { TryResult } from "../settings/ways/questions.tsx";
import { AddWay } from "../settings/ways/way-form.tsx";
import { firstStartTexts, serverTexts, waysTexts } from "../texts/areas.ts";
import { FileLines } from "./file-lines.tsx";
import { wayLines, type FirstWayKind } from "./lines.ts";
import { Place } from "./place.tsx";
import { ADDRESS, useSetting } from "./state.ts";
import { TestMail } from "./test-mail.tsx";
import "../settings/ways/ways.css";

const KINDS: readonly FirstWayKind[] = ["smtp", "ses", "capture"];

export function WayStep() {
  const t = useTexts(firstStartTexts).way;
  const { transports } = useTexts(serverTexts);
  const { data: ways, ...asked } = useQuery(waysQuery);
  const transport = useSetting("delivery.transport");
  const first = ways?.[0];
  if (!first || !transport) return <Skeleton of={asked} rows={3} columns={2} />;
  return (
    <>
      <Facts
        facts={[
          [
            t.configured,
            <span key="transport">
              {transports[first.kind]} <Place setting={transport} />
            </span>,
          ],
        ]}
      />
      {first.kind === "capture" ? (
        <HowToSend isChosen={transport.source !== "DEFAULT"} />
      ) : (
        <Sending name={first.name} />
      )}
      <TestMail captures={first.kind === "capture"} />
    </>
  );
}

/** `isChosen`: somebody has written down that no email leaves. */
function HowToSend({ isChosen }: { readonly isChosen: boolean }) {
  const t = useTexts(firstStartTexts).way;
  const { kinds } = useTexts(waysTexts).fields;
  const [kind, setKind] = useState<FirstWayKind>(isChosen ? "capture" : "smtp");
  const address = useSetting(ADDRESS);
  const missing = address && missingAddress(address);
  return (
    <div className="stack">
      <SegmentedControl
        label={t.kind}
        choices={KINDS.map((value) => ({ value, content: kinds[value] }))}
        value={kind}
        onChange={setKind}
      />
      <p className="row-text">{t.kinds[kind]}</p>
      {!(isChosen && kind === "capture") && <FileLines text={wayLines(kind, missing ?? null)} />}
    </div>
  );
}

/** What is kept here is read after the start has been checked. */
function missingAddress({ source, value }: NonNullable<ReturnType<typeof useSetting>>): string | null {
  if (source === "DEFAULT") return "https://mail.example.com";
  return source === "INTERFACE" ? String(value) : null;
}

/** Tried at once: it connects and logs in, without an email. */
function Sending({ name }: { readonly name: string }) {
  const t = useTexts(waysTexts);
  const [adds, setAdds] = useState(false);
  const trying = useQuery(tryQuery(name));
  return (
    <>
      <TryResult of={trying} />
      <div className="actions">
        <Button icon="again" busy={trying.isFetching} onClick={() => void trying.refetch()}>
          {t.test.again}
        </Button>
        <Button icon="out" onClick={() => setAdds(true)}>
          {t.add.action}
        </Button>
      </div>
      <WayList />
      {adds && <AddWay close={() => setAdds(false)} />}
    </>
  );
}

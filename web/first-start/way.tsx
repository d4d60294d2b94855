// The way out: the one that is set and whether it works, or how to set one; and a test email.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { Facts, Skeleton } from "../parts/layout.tsx";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { Place } from "../settings/server/configuration-row.tsx";
import { waysQuery, tryQuery } from "../settings/ways/calls.ts";
import { TryResult } from "../settings/ways/questions.tsx";
import { firstStartTexts, serverTexts, waysTexts } from "../texts/areas.ts";
import { FileLines, type FirstWayKind } from "./file-lines.tsx";
import { ADDRESS, useSetting } from "./state.ts";
import { TestMail } from "./test-mail.tsx";

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
      <TestMail />
    </>
  );
}

/** `isChosen`: the file says that no email leaves. */
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
      {!(isChosen && kind === "capture") && <FileLines kind={kind} address={missing ?? null} />}
    </div>
  );
}

/** A start checks the file alone, so an address that is set here has to be there as well. */
function missingAddress({ source, value }: NonNullable<ReturnType<typeof useSetting>>): string | null {
  if (source === "DEFAULT") return "https://mail.example.com";
  return source === "INTERFACE" ? String(value) : null;
}

/** It is tried without an email: by connecting and logging in. */
function Sending({ name }: { readonly name: string }) {
  const t = useTexts(waysTexts);
  const trying = useQuery(tryQuery(name));
  return (
    <>
      <TryResult of={trying} />
      <div className="actions">
        <Button icon="again" busy={trying.isFetching} onClick={() => void trying.refetch()}>
          {t.test.again}
        </Button>
        <ButtonLink to="/settings/ways">{t.title}</ButtonLink>
      </div>
    </>
  );
}

// The way out: its configuration, with a form unless the file or the environment has it, a connection test, and a test
// email.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button, ButtonLink } from "../parts/button.tsx";
import { Form } from "../parts/fields/form.tsx";
import { Facts, Skeleton } from "../parts/layout.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { useSeen } from "../saving/saved-over.ts";
import { useChangeSettings, type ServerSettings } from "../settings/server/configuration-calls.ts";
import { changesIn, FaultsElsewhere, SettingField } from "../settings/server/configuration-form.tsx";
import { Place, SettingRow } from "../settings/server/configuration-row.tsx";
import { isOpen } from "../settings/server/setting-text.ts";
import { waysQuery, tryQuery } from "../settings/ways/calls.ts";
import { TryResult } from "../settings/ways/questions.tsx";
import { firstStartTexts, serverTexts, waysTexts } from "../texts/areas.ts";
import { ADDRESS, TRANSPORT, useConfiguration } from "./state.ts";
import { TestMail } from "./test-mail.tsx";
import "../settings/server/configuration.css";
import "../settings/ways/ways.css";

export function WayStep() {
  const t = useTexts(firstStartTexts).way;
  const { transports } = useTexts(serverTexts);
  const { data: ways, ...asked } = useQuery(waysQuery);
  const { data: configuration } = useConfiguration();
  const [isChanged, setChanged] = useState(false);
  const transport = configuration?.data.find(({ key }) => key === TRANSPORT);
  const first = ways?.[0];
  if (!first || !configuration || !transport) return <Skeleton of={asked} rows={3} columns={2} />;
  const isHere = isOpen(transport);
  const isTyped = isChanged || transport.source === "DEFAULT";
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
      {first.kind !== "capture" && <Sending name={first.name} />}
      {!isHere && first.kind === "capture" && <p className="row-text">{t.kinds.capture}</p>}
      {!isHere && <p className="disabled-reason">{t.elsewhere}</p>}
      {isHere && isTyped && <WayForm seen={configuration} done={() => setChanged(false)} />}
      {isHere && !isTyped && (
        <div>
          <Button onClick={() => setChanged(true)}>{t.change}</Button>
        </div>
      )}
      <TestMail />
    </>
  );
}

const FIELDS = {
  smtp: ["relay.host", "relay.port", "relay.tls", "relay.user", "relay.password"],
  ses: ["ses.region", "ses.access_key_id", "ses.secret_access_key"],
  capture: [],
} as const;
type FirstWayKind = keyof typeof FIELDS;
const KINDS = Object.keys(FIELDS) as FirstWayKind[];

type WayFormProps = { readonly seen: ServerSettings; readonly done: () => void };

function WayForm({ seen: now, done }: WayFormProps) {
  const t = useTexts(firstStartTexts).way;
  const { kinds } = useTexts(waysTexts).fields;
  const seen = useSeen(now);
  const saving = useChangeSettings(seen, done);
  const settingOf = (key: string) => seen.data.find((one) => one.key === key);
  const before = settingOf(TRANSPORT)?.value;
  const [kind, setKind] = useState(KINDS.find((one) => one === before && one !== "capture") ?? "smtp");
  const settings = FIELDS[kind].flatMap((key) => settingOf(key) ?? []);
  return (
    <Form
      fault={saving.error}
      onSubmit={(typed) => saving.mutate({ ...changesIn(settings, typed), [TRANSPORT]: kind })}
    >
      <SegmentedControl
        label={t.kind}
        choices={KINDS.map((value) => ({ value, content: kinds[value] }))}
        value={kind}
        onChange={setKind}
      />
      <p className="row-text">{t.kinds[kind]}</p>
      {kind !== "capture" && now.data.some(({ key, source }) => key === ADDRESS && source === "DEFAULT") && (
        <Banner
          tone="warn"
          actions={
            <ButtonLink small to="/first-start">
              {t.toAddress}
            </ButtonLink>
          }
        >
          {t.needsAddress}
        </Banner>
      )}
      <FaultsElsewhere fault={saving.error} settings={settings} />
      <WayFields settings={settings} />
      <div>
        <Button kind="first" type="submit" busy={saving.isPending}>
          {t.save[kind]}
        </Button>
      </div>
      {kind !== "capture" && (
        <p className="dim row-text">
          {t.more} <a href="/docs/guide/configuration#transports">{t.guide}</a>
        </p>
      )}
    </Form>
  );
}

function WayFields({ settings }: { readonly settings: ServerSettings["data"] }) {
  const t = useTexts(waysTexts).fields;
  const labels: Readonly<Record<string, string>> = {
    ...{ "relay.host": t.host, "relay.port": t.port, "relay.tls": t.tls, "relay.user": t.user },
    ...{ "relay.password": t.password, "ses.region": t.region },
    ...{ "ses.access_key_id": t.accessKeyId, "ses.secret_access_key": t.secretAccessKey },
  };
  return (
    <div className="pairs">
      {settings.map((one) =>
        isOpen(one) ? (
          <SettingField key={one.key} setting={one} label={labels[one.key] ?? one.key} words={t.tlsKinds} />
        ) : (
          <SettingRow key={one.key} setting={one} />
        ),
      )}
    </div>
  );
}

/** A test without an email: it connects and logs in. */
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

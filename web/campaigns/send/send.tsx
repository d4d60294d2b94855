// Sends a campaign now or later. The button is disabled while a check fails; the confirmation repeats the numbers.
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button, DisabledReason } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { Panel } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { localTime } from "../../base/zones.ts";
import { useZone } from "../../calls/zone.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import { useCommands } from "../../commands.ts";
import { audienceOf, useAudiencePeople, type AudienceNumbers } from "../audience/audience-calls.ts";
import { isUnsent, useSend, type Campaign } from "../calls.ts";
import { FixLink } from "./fix-link.tsx";
import { Forecast, NOW } from "../forecast.tsx";
import { LeavingTime } from "./leaving-time.tsx";
import { ChooseTime, parseTime } from "./choose-time.tsx";
import type { CampaignCheck } from "./checks.ts";
import { startUndoWindow, UNDO_SECONDS } from "./undo-send.tsx";
import { personOf } from "../../writing/preview/people.ts";
import { AudienceSum } from "../audience/audience-sum.tsx";
import { SendToMe } from "../send-to-me.tsx";

type SendProps = {
  readonly campaign: Campaign;
  readonly numbers: AudienceNumbers | undefined;
  readonly checks: readonly CampaignCheck[] | undefined;
  readonly flush: () => Promise<void>;
};

export function Send({ campaign, numbers, checks, flush }: SendProps) {
  const { send: t, toMeTitle } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const denied = useDisabledReason("campaigns.send");
  const { scheduledFor } = campaign;
  const zone = useZone();
  const [isLater, setLater] = useState(campaign.status === "SCHEDULED");
  // Null: unchanged; the field then shows the scheduled time, so that it can be moved.
  const [picked, setTime] = useState<string | null>(null);
  const time = picked ?? (scheduledFor ? localTime(new Date(scheduledFor).getTime(), zone) : "");
  const [isAsking, setAsking] = useState(false);
  const chosen = isLater ? parseTime(time, zone, t) : undefined;
  const people = numbers?.willReceive ?? 0;
  const bad = checks?.filter(({ is }) => is === "bad") ?? [];
  const disabledReason = denied ?? disabledReasonOf(campaign, checks, bad.length, t) ?? chosen?.disabledReason;
  const action = isLater ? t.actLater(people, number(people)) : t.action(people, number(people));
  useCommands([{ id: "send campaign", name: action, icon: "send", run: () => setAsking(true), disabledReason }]);
  return (
    <Panel title={t.title}>
      <div className="pad stack l">
        <div className="stack tight" role="radiogroup" aria-label={t.title}>
          <Option isChosen={!isLater} choose={() => setLater(false)} name={t.now}>
            {!isLater && <LeavingTime campaign={campaign} people={people} from={NOW} />}
          </Option>
          <Option
            isChosen={isLater}
            choose={() => setLater(true)}
            name={
              <>
                {t.later} <span className="dim">{t.zone(zone)}</span>
              </>
            }
          >
            {chosen?.moment != null && (
              <>
                {"· "}
                <LeavingTime campaign={campaign} people={people} from={chosen.moment} />
              </>
            )}
          </Option>
          {isLater && <ChooseTime value={time} zone={zone} onChange={setTime} />}
        </div>
        {isUnsent(campaign) && <Forecast campaign={campaign} from={chosen?.moment ?? NOW} isTimed={false} />}
        <div className="stack tight">
          <Button
            kind="first"
            wide
            disabledReason={disabledReason}
            onClick={() => void flush().then(() => setAsking(true))}
          >
            {action}
          </Button>
          {disabledReason !== undefined && (
            <DisabledReason>
              {disabledReason} {bad[0]?.mend && denied === undefined && <FixLink place={bad[0].mend} />}
            </DisabledReason>
          )}
        </div>
        <hr />
        <div className="stack tight">
          <span className="label">{toMeTitle}</span>
          <SendToMe campaign={campaign} flush={flush} />
        </div>
        <p className="help">{t.help}</p>
      </div>
      {isAsking && numbers && (
        <ConfirmSend
          campaign={campaign}
          numbers={numbers}
          zone={zone}
          moment={chosen?.moment ?? null}
          close={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

type SendTexts = ReturnType<typeof useTexts<Awaited<ReturnType<typeof campaignsTexts>>>>["send"];

function disabledReasonOf(
  campaign: Campaign,
  checks: SendProps["checks"],
  bad: number,
  t: SendTexts,
): string | undefined {
  if (!isUnsent(campaign)) return t.status;
  if (!checks) return t.offLooking;
  return bad > 0 ? t.off(bad) : undefined;
}

type OptionProps = {
  readonly isChosen: boolean;
  readonly choose: () => void;
  readonly name: React.ReactNode;
  /** The description, not part of the name: it is computed, and changes while the page is open. */
  readonly children: React.ReactNode;
};

function Option({ isChosen, choose, name, children }: OptionProps) {
  const id = useId();
  const [nameId, noteId] = [`${id}name`, `${id}note`];
  return (
    <label className="when">
      <input
        type="radio"
        name="when"
        checked={isChosen}
        onChange={choose}
        aria-labelledby={nameId}
        aria-describedby={noteId}
      />
      <span>
        <span id={nameId}>{name}</span>{" "}
        <span className="dim" id={noteId}>
          {children}
        </span>
      </span>
    </label>
  );
}

type ConfirmProps = {
  readonly campaign: Campaign;
  readonly numbers: AudienceNumbers;
  /** Null: now. */
  readonly moment: number | null;
  readonly zone: string;
  readonly close: () => void;
};

/** The most recipients that the question names, as examples. */
const MAX_NAMED = 3;

function ConfirmSend({ campaign, numbers, moment, zone, close }: ConfirmProps) {
  const { send: t, audience } = useTexts(campaignsTexts);
  const { number, inZone } = useFormats();
  const navigate = useNavigate();
  const { people = [] } = useAudiencePeople(audienceOf(campaign), "willReceive", MAX_NAMED);
  const { willReceive } = numbers;
  const sending = useSend(campaign.id, ({ id }) => {
    if (moment === null) startUndoWindow(id);
    close();
    void navigate({ to: "/campaigns/$id", params: { id }, search: { tab: "results" } });
  });
  const send = () =>
    sending.mutate(moment === null ? { delaySeconds: UNDO_SECONDS } : { scheduledFor: new Date(moment).toISOString() });
  const names = people.slice(0, MAX_NAMED).map((contact) => personOf(contact).name);
  return (
    <Question
      title={
        moment === null
          ? t.ask(willReceive, number(willReceive))
          : t.askLater(willReceive, number(willReceive), inZone(new Date(moment), zone))
      }
      wide
      close={close}
      action={moment === null ? t.confirm : t.confirmLater}
      autoFocus
      busy={sending.isPending}
      run={send}
    >
      <div className="stack l">
        {sending.error != null && <FaultBanner fault={sending.error} />}
        <AudienceSum numbers={numbers} isPlain />
        <Forecast campaign={campaign} from={moment ?? NOW} />
        {names.length > 0 && (
          <p className="dim row-text">
            {t.names} {audience.and(names.join(", "), willReceive - names.length, number(willReceive - names.length))}
          </p>
        )}
      </div>
    </Question>
  );
}

// The queue: how many emails wait and why, the sending rate, and when it will be empty.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { Skeleton, Facts, Panel } from "../parts/layout.tsx";
import { Number } from "../parts/number.tsx";
import { Time } from "../parts/time.tsx";
import { brakesTexts, overviewTexts } from "../texts/areas.ts";
import { queueQuery, type QueueFigures } from "./calls.ts";
import { MailsLink } from "./emails-link.tsx";

const SECOND_MS = 1_000;

export function QueuePanel() {
  const t = useTexts(overviewTexts).queue;
  const { data, ...asked } = useQuery(queueQuery);
  return (
    <Panel title={t.title}>
      {data ? (
        <div className="pad stack">
          <Numbers queue={data} />
          <Waiting queue={data} />
        </div>
      ) : (
        <Skeleton of={asked} rows={3} columns={2} />
      )}
    </Panel>
  );
}

function Waiting({ queue }: { readonly queue: QueueFigures }) {
  const t = useTexts(overviewTexts).queue;
  const { ways } = queue.relay;
  const relays: Fact[] =
    ways.length === 0
      ? [[t.relay, <Relay key="relay" relay={queue.relay} />]]
      : ways.map((way) => [way.name, <Relay key={way.name} relay={way} />]);
  return <Facts facts={[...useDueByLane(queue), ...useReasons(queue), ...useBrakes(queue), ...relays]} />;
}

function Numbers({ queue }: { readonly queue: QueueFigures }) {
  const t = useTexts(overviewTexts).queue;
  const { number, span } = useFormats();
  const { waiting, ratePerSecond, doneInSeconds, lanes } = queue;
  const moves = lanes.some(({ due, handingOver }) => due.count + handingOver > 0);
  const shown = waiting.isLowerBound ? t.atLeast(number(waiting.count)) : number(waiting.count);
  return (
    <div className="numbers">
      <Number
        value={shown}
        label={t.waiting}
        open={(text) => <MailsLink filters={{ status: "QUEUED,SENDING" }}>{text}</MailsLink>}
      />
      {moves && (
        <>
          <Number value={number(Math.round(ratePerSecond * 10) / 10)} label={t.aSecond} />
          <Number value={doneInSeconds === null ? "–" : span(doneInSeconds * SECOND_MS)} label={t.untilDone} />
        </>
      )}
    </div>
  );
}

type Fact = readonly [string, ReactNode];

/** The due emails of each lane, with the age of the oldest. */
function useDueByLane({ lanes }: QueueFigures): Fact[] {
  const t = useTexts(overviewTexts).queue;
  const { number } = useFormats();
  return lanes
    .filter(({ due, handingOver }) => due.count + handingOver > 0)
    .map(({ lane, due, oldestAt }) => [
      t.lanes[lane],
      <span key={lane}>
        {due.isLowerBound ? t.atLeast(number(due.count)) : number(due.count)}
        {oldestAt && (
          <>
            , {t.oldest} <Time at={oldestAt} />
          </>
        )}
      </span>,
    ]);
}

/** Emails that wait for a reason other than their turn; both lanes together. */
function useReasons({ reasons }: QueueFigures): Fact[] {
  const t = useTexts(overviewTexts).queue;
  const { number } = useFormats();
  const others = Map.groupBy(reasons, ({ reason }) => reason);
  others.delete("DUE");
  return [...others].map(([reason, ofLanes]) => {
    const count = number(ofLanes.reduce((sum, one) => sum + one.count.count, 0));
    const [nextAt] = ofLanes.flatMap((one) => one.nextAt ?? []).sort();
    return [
      t.reasons[reason],
      <span key={reason}>
        {ofLanes.some((one) => one.count.isLowerBound) ? t.atLeast(count) : count}
        {nextAt && (
          <>
            , {t.next} <Time at={nextAt} />
          </>
        )}
      </span>,
    ];
  });
}

/** Mailbox providers with a reduced rate or a pause. */
function useBrakes({ brakes }: QueueFigures): Fact[] {
  const t = useTexts(brakesTexts);
  const { number } = useFormats();
  return brakes.map(({ id, mailbox, state, perHour, pausedUntil, waiting }) => [
    t.provider(mailbox),
    <span key={id}>
      {state === "SLOWED" && t.perHour(number(perHour))}
      {pausedUntil && (
        <>
          {t.pausedUntil} <Time at={pausedUntil} as="brief" />
        </>
      )}
      {waiting.count > 0 && `, ${t.waiting(number(waiting.count) + (waiting.isLowerBound ? "+" : ""))}`}
    </span>,
  ]);
}

function Relay({ relay }: { readonly relay: Omit<QueueFigures["relay"], "ways"> }) {
  const t = useTexts(overviewTexts).queue;
  const { state, since, reply } = relay;
  return (
    <span className={state === "AWAY" ? "relay bad" : "relay"}>
      {state === "AWAY" && <StatusIcon name="failed" />}
      {t.relays[state]}
      {since && state !== "UNKNOWN" && (
        <>
          {" "}
          {t.since} <Time at={since} as="brief" />
        </>
      )}
      {state === "AWAY" && reply && `: ${reply}`}
    </span>
  );
}

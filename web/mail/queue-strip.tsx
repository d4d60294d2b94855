// The queue as a line that expands: waiting mail by reason, the sending rate, and the state of the relay.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BrakeList, useBriefBrakes } from "../brakes/brakes.tsx";
import { useFormats, type Formats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Icon, StatusIcon } from "../parts/icons/icon.tsx";
import { Time } from "../parts/time.tsx";
import { mailTexts } from "../texts/areas.ts";
import type { mail as texts } from "../texts/en/mail.ts";
import { queueQuery, type MailQueue } from "./calls.ts";

type Details = { readonly queue: MailQueue; readonly t: typeof texts; readonly formats: Formats };

export function QueueStrip() {
  const t = useTexts(mailTexts);
  const formats = useFormats();
  const { data: queue } = useQuery(queueQuery);
  if (!queue) return null;
  return <Strip queue={queue} t={t} formats={formats} />;
}

function Strip({ queue, t, formats }: Details) {
  const { brakes } = queue;
  const brief = useBriefBrakes(brakes);
  const isAway = queue.relay.state === "AWAY";
  if (queue.waiting.count === 0 && !isAway && brakes.length === 0) return null;
  const isBad = isAway || brakes.some(({ state }) => state === "PAUSED");
  return (
    <details className={isAway ? "strip away" : "strip"}>
      <summary>
        <StatusIcon name={isBad ? "warn" : "queued"} tone={isBad ? "warn" : "dim"} />
        <span className="cut">{summaryLine({ queue, t, formats }, brief)}</span>
        <Icon name="down" />
      </summary>
      <Reasons queue={queue} t={t} formats={formats} />
      <BrakeList brakes={brakes} />
      {queue.relay.ways.length === 0 ? (
        <Relay relay={queue.relay} />
      ) : (
        queue.relay.ways.map((way) => <Relay key={way.name} relay={way} name={way.name} />)
      )}
    </details>
  );
}

function summaryLine({ queue, t, formats }: Details, brief: readonly string[]): string {
  const { waiting, ratePerSecond, doneInSeconds, relay } = queue;
  const oldest = queue.lanes.flatMap(({ oldestAt }) => oldestAt ?? []).toSorted()[0];
  return [
    t.queue.waiting(countText(waiting, formats)),
    ...(relay.state === "AWAY" ? [t.queue.away] : []),
    ...brief,
    ...(ratePerSecond === 0 ? [] : [t.queue.rate(formats.number(Math.round(ratePerSecond * 10) / 10))]),
    ...(doneInSeconds === null || doneInSeconds === 0 ? [] : [t.queue.done(formats.span(doneInSeconds * 1_000))]),
    ...(oldest === undefined ? [] : [t.queue.oldest(formats.ago(new Date(oldest), new Date()))]),
  ].join(" · ");
}

function countText({ count, isLowerBound }: MailQueue["waiting"], { number }: Formats): string {
  return number(count) + (isLowerBound ? "+" : "");
}

function Reasons({ queue: { reasons, held, lanes }, t, formats }: Details) {
  const handingOver = lanes.reduce((sum, lane) => sum + lane.handingOver, 0);
  return (
    <ul className="strip-reasons">
      {handingOver > 0 && (
        <li>
          <b>{formats.number(handingOver)}</b>
          <span>{t.queue.handingOver}</span>
        </li>
      )}
      {reasons.map(({ reason, lane, count, nextAt }) => (
        <li key={`${reason} ${lane}`}>
          <b>{countText(count, formats)}</b>
          <span>
            {t.queue.reasons[reason]} <span className="dim">{t.queue.lanes[lane]}</span>
          </span>
          {nextAt && (
            <span className="dim end">
              {t.queue.next} <Time at={nextAt} />
            </span>
          )}
        </li>
      ))}
      {held.map(({ campaignId, name, count, text }) => (
        <li key={campaignId}>
          <b>{countText(count, formats)}</b>
          <span>
            <Link to="." search={{ campaignId, held: "true" }}>
              {name}
            </Link>{" "}
            <span className="dim">{text}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

type RelayProps = { readonly relay: Omit<MailQueue["relay"], "ways">; readonly name?: string };

/** `name`: the way out, if there are several. */
function Relay({ relay: { state, since, reply }, name }: RelayProps) {
  const t = useTexts(mailTexts);
  return (
    <p className="strip-relay">
      <StatusIcon
        name={state === "AWAY" ? "warn" : state === "ANSWERING" ? "delivered" : "info"}
        tone={state === "AWAY" ? "warn" : state === "ANSWERING" ? "ok" : "dim"}
      />
      <span>
        {name && <b>{name}: </b>}
        {t.queue.relay[state]} {since && <Time at={since} as="brief" />}
        {state === "AWAY" && reply && <code> {reply}</code>}
      </span>
    </p>
  );
}

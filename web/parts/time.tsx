// A relative time with the exact one on hover, refreshed every 30 seconds.
import { useFormats } from "../base/formats.ts";
import { useEffect } from "react";
import { signal, useSignal } from "../base/signal.ts";

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A date and time with a zone, as in the API. A date alone is the same in every zone and stays a text. */
export function isMoment(value: unknown): value is string {
  return typeof value === "string" && MOMENT.test(value) && !Number.isNaN(Date.parse(value));
}

const TICK_MS = 30_000;
const now = signal(new Date());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time, at most 30 seconds old. */
export function useNow(): Date {
  useEffect(() => {
    if (watchers++ === 0) {
      now.set(new Date());
      timer = setInterval(() => now.set(new Date()), TICK_MS);
    }
    return () => {
      if (--watchers === 0) clearInterval(timer);
    };
  }, []);
  return useSignal(now);
}

type TimeProps = {
  readonly at: string;
  /** `ago`: "2 minutes ago"; `brief`: the time of today or the day, for rows; `fine`: to the second. */
  readonly as?: "ago" | "brief" | "day" | "fine" | "exact";
};

export function Time({ at, as = "ago" }: TimeProps) {
  const formats = useFormats();
  const present = useNow();
  const date = new Date(at);
  const shown = {
    ago: () => formats.ago(date, present),
    day: () => formats.date(date),
    brief: () => formats.brief(date, present),
    fine: () => formats.fine(date),
    exact: () => formats.exact(date),
  }[as]();
  return (
    <time dateTime={at} title={formats.exact(date)}>
      {shown}
    </time>
  );
}

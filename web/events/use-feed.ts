// The live list: new events arrive by themselves unless it is paused; older ones load on request.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { pageOf, type Event, type ListQuery } from "./calls.ts";
import { showFault } from "../parts/overlays/toast.tsx";
import { extended, feedOf, refreshed, type EventFeed } from "./feed.ts";

type Tail = {
  /** Undefined until the first page is loaded. */
  readonly events: readonly Event[] | undefined;
  readonly fault: unknown;
  readonly older: (() => void) | undefined;
  readonly isAsking: boolean;
};

/** For another list, remount the component with another `key`. */
export function useTail(asked: ListQuery, isPaused: boolean): Tail {
  const [feed, setFeed] = useState<EventFeed>();
  const [isAsking, setAsking] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["events", "tail", asked],
    queryFn: ({ signal }) => pageOf(asked, undefined, signal),
    enabled: !isPaused,
    gcTime: 0,
    throwOnError: false,
  });
  useEffect(() => {
    if (data) setFeed((known) => (known ? refreshed(known, data) : feedOf(data)));
  }, [data]);
  const next = feed?.next;
  const older = async () => {
    if (isAsking || next == null) return;
    setAsking(true);
    try {
      const page = await pageOf(asked, next);
      setFeed((known) => known && (known.next === next ? extended(known, page) : known));
    } catch (error) {
      showFault(error);
    } finally {
      setAsking(false);
    }
  };
  return { events: feed?.events, fault: error, older: next == null ? undefined : () => void older(), isAsking };
}

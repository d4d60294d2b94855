// Says that what is on the screen may be old: the browser is offline, or the server does not answer.
import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTexts } from "../language.ts";
import { Banner } from "../parts/banner.tsx";
import { serverIsAway } from "../queries.ts";
import { useSignal } from "../signal.ts";
import { frameTexts } from "../texts/areas.ts";

const watch = (listener: () => void) => onlineManager.subscribe(listener);

export function Offline() {
  const t = useTexts(frameTexts);
  const isOnline = useSyncExternalStore(watch, () => onlineManager.isOnline());
  const isAway = useSignal(serverIsAway);
  if (isOnline && !isAway) return null;
  return (
    <Banner tone="warn" role="status">
      {isOnline ? t.serverAway : t.offline}
    </Banner>
  );
}

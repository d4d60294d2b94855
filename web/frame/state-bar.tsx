// The banner of the whole page: no network, a server that does not answer, a failed load, or a new version.
import type { Query } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { isOutdated, trouble, tryNow } from "../base/connection.ts";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { Reason, shownFaults } from "../parts/failed.tsx";
import { askAgain, isTransient, queries } from "../calls/queries.ts";
import { useSignal } from "../base/signal.ts";
import { frameTexts } from "../texts/areas.ts";
import { canLeave, leaveAtOnce } from "../base/unsaved.ts";

export function StateBar() {
  const t = useTexts(frameTexts);
  const what = useSignal(trouble);
  const fault = useHiddenFault();
  const isOld = useSignal(isOutdated);
  if (what !== null)
    return (
      <Banner tone="warn" role="status" actions={<Again name={t.trouble.now} run={() => void tryNow()} />}>
        {t.trouble[what]}
      </Banner>
    );
  if (fault !== null)
    return (
      <Banner tone="warn" role="status" actions={<Again name={t.failed.again} run={askAgain} />}>
        {t.failed.some} <Reason fault={fault} />
      </Banner>
    );
  if (!isOld) return null;
  return (
    <Banner tone="note" role="status" actions={<Again name={t.newVersion.reload} run={() => void reload()} />}>
      {t.newVersion.offer}
    </Banner>
  );
}

function Again({ name, run }: { readonly name: string; readonly run: () => void }) {
  return (
    <Button small icon="again" onClick={run}>
      {name}
    </Button>
  );
}

/** Asks first if there is unsaved work. */
async function reload(): Promise<void> {
  if (!(await canLeave())) return;
  leaveAtOnce();
  location.reload();
}

/** The fault of a failing query of this page, if no part of the page shows a fault; null = none. */
function useHiddenFault(): unknown {
  const isShown = useSignal(shownFaults).length > 0;
  const fault = useSyncExternalStore(watchQueries, currentFault);
  return isShown ? null : fault;
}

const watchQueries = (listener: () => void) => queries.getQueryCache().subscribe(listener);

let lastFault: unknown = null;

/** The last fault stays while its query is repeated. */
function currentFault(): unknown {
  const failing = queries.getQueryCache().findAll({ type: "active", predicate: isFailing });
  if (failing.length === 0) return null;
  return (lastFault = failing.find(({ state }) => state.error !== null)?.state.error ?? lastFault);
}

function isFailing({ state: { error, data, errorUpdateCount } }: Query): boolean {
  return error === null ? data === undefined && errorUpdateCount > 0 : isTransient(error);
}

// The mailbox providers that are sent less email: each with its reply, the waiting mail, and a button to end the brake.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/fields/form-dialog.tsx";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { queries } from "../calls/queries.ts";
import { useDisabledReason } from "../calls/session.ts";
import { brakesTexts } from "../texts/areas.ts";
import "./brakes.css";

export type Brake = components["schemas"]["Brake"];

export function BrakeList({ brakes }: { readonly brakes: readonly Brake[] }) {
  if (brakes.length === 0) return null;
  return (
    <ul className="brakes">
      {brakes.map((brake) => (
        <Line key={brake.id} brake={brake} />
      ))}
    </ul>
  );
}

function Line({ brake }: { readonly brake: Brake }) {
  const t = useTexts(brakesTexts);
  const { number } = useFormats();
  const { state, holds, mailbox, perHour, pausedUntil, reply, since, waiting, way } = brake;
  const name = t.provider(mailbox);
  return (
    <li>
      <StatusIcon name={state === "PAUSED" ? "held" : "waiting"} tone="warn" />
      <div>
        <p>
          {state === "PAUSED" ? t.PAUSED(name) : t.SLOWED(name, number(perHour))}{" "}
          {pausedUntil && (
            <>
              {t.askedAgain} <Time at={pausedUntil} />.
            </>
          )}{" "}
          {holds === "MARKETING" && t.onlyMarketing}
        </p>
        <p className="dim">
          {t.said} <q>{reply}</q>
        </p>
        <p className="dim">
          {t.waiting(number(waiting.count) + (waiting.isLowerBound ? "+" : ""))} · {t.since}{" "}
          <Time at={since} as="brief" />
          {way !== DEFAULT_WAY && ` · ${t.way(way)}`}
        </p>
      </div>
      <EndBrake brake={brake} />
    </li>
  );
}

/** Not shown: most servers have no other way. */
const DEFAULT_WAY = "default";

function EndBrake({ brake: { id, mailbox } }: { readonly brake: Brake }) {
  const t = useTexts(brakesTexts);
  const name = t.provider(mailbox);
  const disabledReason = useDisabledReason("mail.send");
  const [isAsking, ask] = useState(false);
  const ending = useMutation({
    mutationFn: async () => call("DELETE /queue/brakes/{id}", { id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["queue"] });
      showToast(t.done(name));
      ask(false);
    },
    meta: { inForm: true },
  });
  return (
    <>
      <Button small disabledReason={disabledReason} onClick={() => ask(true)}>
        {t.end}
      </Button>
      {isAsking && (
        <Question
          title={t.endQuestion(name)}
          close={() => ask(false)}
          action={t.end}
          busy={ending.isPending}
          fault={ending.error}
          run={() => ending.mutate()}
          text={t.endText}
        />
      )}
    </>
  );
}

/** Each brake in a few words: "Gmail is sent less". */
export function useBriefBrakes(brakes: readonly Brake[]): string[] {
  const t = useTexts(brakesTexts);
  return brakes.map(({ state, mailbox }) => t.brief[state](t.provider(mailbox)));
}

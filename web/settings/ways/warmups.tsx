// The active warm-ups of ways out, and the question that starts one.
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../base/language.ts";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { warmupTexts } from "../../texts/areas.ts";
import { useWarmupAct } from "../domains/warmup/calls.ts";
import { WarmupOfWay } from "../domains/warmup/warmup.tsx";
import { waysQuery, type SendingRoute } from "./calls.ts";

export function Warmups() {
  const { data = [] } = useQuery(waysQuery);
  return data.map(({ name, kind }) => kind !== "capture" && <WarmupOfWay key={name} way={name} />);
}

export function StartQuestion({ way: { name }, close }: { readonly way: SendingRoute; readonly close: () => void }) {
  const t = useTexts(warmupTexts);
  const act = useWarmupAct({ way: name }, close);
  return (
    <Question
      title={t.startTitle(name)}
      text={t.startText}
      close={close}
      action={t.start}
      busy={act.isPending}
      fault={act.error}
      run={() => act.mutate("restart")}
    />
  );
}

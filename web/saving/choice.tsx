// Mounts the choice between two versions, after another person has saved the record of a form.
import { Suspense } from "react";
import { lazyPart, nothing } from "../chunks.tsx";
import { useSignal } from "../base/signal.ts";
import { choice } from "./asked-choice.ts";

const ChoiceDialog = lazyPart(() => import("./choice-dialog.tsx"), "ChoiceDialog", nothing);

export function SavingChoice() {
  const asked = useSignal(choice);
  return <Suspense>{asked && <ChoiceDialog {...asked} />}</Suspense>;
}

// Whose version stays, once somebody else has saved what a form shows: the dialog, and where the frame has it.
import { Suspense } from "react";
import { lazyPart, nothing } from "../chunks.tsx";
import { useSignal } from "../signal.ts";
import { choice } from "./asked-choice.ts";

const ChoiceDialog = lazyPart(() => import("./choice-dialog.tsx"), "ChoiceDialog", nothing);

export function SavingChoice() {
  const asked = useSignal(choice);
  return <Suspense>{asked && <ChoiceDialog {...asked} />}</Suspense>;
}

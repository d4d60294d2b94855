// "Who changed this" in the menu of a record; the code of the list is loaded when the dialog opens.
import { Suspense } from "react";
import { lazyPart } from "../chunks.tsx";
import { useTexts } from "../base/language.ts";
import type { ResourceAction } from "../parts/overlays/resource-actions.tsx";
import { frameTexts } from "../texts/areas.ts";

const Changes = lazyPart(() => import("./changes.tsx"), "Changes");

export function useChangesAction({ id, name }: { readonly id: string; readonly name: string }): ResourceAction {
  const t = useTexts(frameTexts);
  return {
    id: "changes",
    name: t.whoChanged,
    icon: "user",
    reads: true,
    dialog: (close) => (
      <Suspense>
        <Changes id={id} name={name} close={close} />
      </Suspense>
    ),
  };
}

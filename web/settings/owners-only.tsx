// Shows settings of the installation to owners; to others, whom to ask.
import type { ReactNode } from "react";
import { useTexts } from "../base/language.ts";
import { Empty } from "../parts/layout.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { serverTexts } from "../texts/areas.ts";

export function OwnersOnly({ children }: { readonly children: ReactNode }) {
  const { closed, ask } = useTexts(serverTexts);
  const disabledReason = useDisabledReason("installation");
  if (disabledReason === undefined) return children;
  return (
    <Empty title={closed}>
      {disabledReason} {ask}
    </Empty>
  );
}

// Below the list: how many are known, which keys there are, and for what has failed a way to send it again.
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Keys } from "../parts/layout.tsx";
import { mailTexts } from "../texts/areas.ts";
import { useSignal } from "../signal.ts";
import type { Filters } from "./filters.ts";
import { mayRetry, Retry, retryJob } from "./retry.tsx";

type FootProps = { readonly filters: Filters; readonly count: number; readonly hasMore: boolean };

export function Foot({ filters, count, hasMore }: FootProps) {
  const job = useSignal(retryJob);
  const t = useTexts(mailTexts);
  const { number } = useFormats();
  return (
    <div className="foot">
      <span className="stay">{hasMore ? t.soFar(number(count)) : t.inAll(count, number(count))}</span>
      {(mayRetry(filters) || job !== null) && <Retry filters={filters} />}
      <span className="hints push">
        <span>
          <Keys keys={["j", "k"]} /> {t.keys.move}
        </span>
        <span>
          <Keys keys={["⏎"]} /> {t.keys.open}
        </span>
        <span>
          <Keys keys={["r"]} /> {t.keys.again}
        </span>
      </span>
    </div>
  );
}

// Below the list: how many are known, which keys there are, and for what has failed a way to send it again.
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Keys } from "../parts/layout.tsx";
import { mailTexts } from "../texts/mail.ts";
import type { Filters } from "./filters.ts";

type FootProps = { readonly filters: Filters; readonly count: number; readonly hasMore: boolean };

export function Foot({ count, hasMore }: FootProps) {
  const t = useTexts(mailTexts);
  const { number } = useFormats();
  return (
    <div className="foot">
      <span>{hasMore ? t.soFar(number(count)) : t.inAll(count, number(count))}</span>
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

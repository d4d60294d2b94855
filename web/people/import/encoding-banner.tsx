// Shows the encoding of a file that is not UTF-8, with a choice of others.
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Picker } from "../../condition/picker.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { Encoding } from "./file/file-head.ts";

type EncodingBannerProps = { readonly encoding: Encoding; readonly choose: (encoding: Encoding) => void };

export function EncodingBanner({ encoding, choose }: EncodingBannerProps) {
  const { encodings, readAs, encoding: label } = useTexts(peopleTexts).import;
  const choices = (Object.keys(encodings) as Encoding[]).map((id) => ({ id, name: encodings[id] }));
  return (
    <Banner
      tone="note"
      actions={
        <span className="encoding">
          <Picker
            label={label}
            value={encoding}
            shown={encodings[encoding]}
            choices={choices}
            onChange={(id) => choose(id as Encoding)}
          />
        </span>
      }
    >
      {readAs(encodings[encoding])}
    </Banner>
  );
}

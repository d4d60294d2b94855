// The banner of a record that is kept in files: the file, and whether the record has changed here since it was applied.
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { savingTexts } from "../texts/areas.ts";

type KeptBannerProps = { readonly file: string; readonly isChanged: boolean };

export function KeptBanner({ file, isChanged }: KeptBannerProps) {
  const t = useTexts(savingTexts).kept;
  return (
    <Banner tone={isChanged ? "warn" : "note"}>
      {t.inFiles} <code>{file}</code>. {isChanged ? t.isChanged : t.mayChange}
    </Banner>
  );
}

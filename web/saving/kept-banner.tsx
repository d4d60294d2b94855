// The words of what is kept in files, and of what has changed here since these were applied.
import { useTexts } from "../language.ts";
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

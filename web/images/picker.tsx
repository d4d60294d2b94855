// The dialog to choose or upload an image.
import { useTexts } from "../base/language.ts";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { imagesTexts } from "../texts/areas.ts";
import type { Image } from "./calls.ts";
import { Gallery } from "./gallery.tsx";

type PickerProps = {
  readonly disabledReason: string | undefined;
  readonly pick: (image: Image) => void;
  readonly close: () => void;
};

export function ImagePicker({ disabledReason, pick, close }: PickerProps) {
  const t = useTexts(imagesTexts);
  const select = (image: Image) => {
    close();
    pick(image);
  };
  return (
    <Dialog title={t.choose} isOpen onClose={close} wide>
      <Gallery disabledReason={disabledReason} pick={select} />
    </Dialog>
  );
}

// Asks for the alternative text of an image when it is inserted, for readers who do not see the image.
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { imagesTexts } from "../texts/areas.ts";
import { ownPath, type Image } from "./calls.ts";
import "./describe.css";

export type DescribedImage = Pick<Image, "url" | "width"> & {
  readonly alt: string;
  /** The image is only decoration, so screen readers skip it. */
  readonly isDecorative: boolean;
};

type DescribeProps = {
  readonly image: Image;
  readonly insert: (image: DescribedImage) => void;
  readonly close: () => void;
};

export function DescribeImage({ image, insert, close }: DescribeProps) {
  const t = useTexts(imagesTexts).describe;
  const [alt, setAlt] = useState("");
  const [isDecorative, setDecorative] = useState(false);
  const words = alt.trim();
  const { url, width } = image;
  return (
    <FormDialog
      title={t.title}
      close={close}
      sending={{ error: null, isPending: false }}
      submit={t.insert}
      disabledReason={words !== "" || isDecorative ? undefined : t.missing}
      unsaved={false}
      onSubmit={() => {
        insert({ url, width, alt: isDecorative ? "" : words, isDecorative });
        close();
      }}
    >
      <img className="described" src={ownPath(url) ?? ""} alt={image.name} />
      {!isDecorative && (
        <Field
          name="alt"
          label={t.alt}
          help={t.altHelp}
          autoFocus
          value={alt}
          onChange={({ target }) => setAlt(target.value)}
        />
      )}
      <Checkbox checked={isDecorative} onChange={({ target }) => setDecorative(target.checked)}>
        {t.decorative}
      </Checkbox>
    </FormDialog>
  );
}

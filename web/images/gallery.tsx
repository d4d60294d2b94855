// The image library, newest first. Files can be dropped to upload them.
import { useRef, useState, type DragEvent } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { More } from "../parts/rows.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { showWarning } from "../parts/overlays/toast.tsx";
import { imagesTexts } from "../texts/areas.ts";
import { imageFiles, ownPath, useImages, useDelete, useUpload, type Image } from "./calls.ts";
import "./images.css";

type GalleryProps = {
  readonly disabledReason: string | undefined;
  /** In a dialog: called with the chosen image. */
  readonly pick?: (image: Image) => void;
};

export function Gallery({ disabledReason, pick }: GalleryProps) {
  const t = useTexts(imagesTexts);
  const { all, ...pages } = useImages();
  const [isOver, setOver] = useState(false);
  const uploading = useUpload((images) => {
    const [first] = images;
    if (pick && images.length === 1 && first) pick(first);
  });
  const add = (files: readonly File[]) => {
    const images = imageFiles(files);
    if (images.length < files.length) showWarning(t.kinds);
    if (images.length > 0 && disabledReason === undefined) uploading.mutate(images);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add([...event.dataTransfer.files]);
  };
  return (
    <div
      className={isOver ? "gallery over" : "gallery"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="inline l">
        <Upload disabledReason={disabledReason} busy={uploading.isPending} add={add} />
        <span className="dim small">{t.drop}</span>
      </div>
      {!all && <Skeleton of={pages} rows={2} columns={4} />}
      {all?.length === 0 && <p className="dim row-text">{t.none}</p>}
      <ul className="pictures">
        {all?.map((image) => (
          <ImageTile key={image.id} image={image} disabledReason={disabledReason} {...(pick ? { pick } : {})} />
        ))}
      </ul>
      <More {...pages} name={t.more} />
    </div>
  );
}

type UploadProps = {
  readonly disabledReason: string | undefined;
  readonly busy: boolean;
  readonly add: (files: File[]) => void;
};

function Upload({ disabledReason, busy, add }: UploadProps) {
  const t = useTexts(imagesTexts);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="plus" disabledReason={disabledReason} busy={busy} onClick={() => input.current?.click()}>
        {t.upload}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={t.upload}
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}

function ImageTile({ image, disabledReason, pick }: GalleryProps & { readonly image: Image }) {
  const t = useTexts(imagesTexts);
  const { bytes } = useFormats();
  const removing = useDelete();
  const { name, url, width, height, size, isUsed } = image;
  const picture = <img src={ownPath(url) ?? ""} alt="" loading="lazy" />;
  return (
    <li>
      {pick ? (
        <button type="button" className="frame" aria-label={t.take(name)} onClick={() => pick(image)}>
          {picture}
        </button>
      ) : (
        <span className="frame">{picture}</span>
      )}
      <span className="cut small" title={name}>
        {name}
      </span>
      <span className="inline dim small">
        {width} × {height}, {bytes(size)}
        {!pick && (
          <Button
            kind="quiet"
            small
            icon="trash"
            label={t.remove(name)}
            disabledReason={disabledReason ?? (isUsed ? t.isUsed : undefined)}
            busy={removing.isPending}
            onClick={() => removing.mutate(image)}
          />
        )}
      </span>
    </li>
  );
}

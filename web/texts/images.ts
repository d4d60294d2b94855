// The texts of images.
import { area } from "../language.ts";

export const imagesTexts = area({
  en: () => import("./en/images.ts").then(({ images }) => images),
  de: () => import("./de/images.ts").then(({ images }) => images),
});

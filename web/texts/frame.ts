// The texts of the frame and of the shared parts.
import { area } from "../language.ts";

export const frameTexts = area({
  en: () => import("./en/frame.ts").then(({ frame }) => frame),
  de: () => import("./de/frame.ts").then(({ frame }) => frame),
});

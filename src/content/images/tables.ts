// The tables of pictures: what each says of itself (src/store/table.ts).
import { deleteImagesOf } from "./queries.ts";
import { table } from "../../store/table.ts";

table("images", {
  of: "workspace",
  onReset: { called: "images", inPieces: deleteImagesOf },
  onLeave: { isLarge: true },
});
table("image_uses", { of: "images", onLeave: "goes" });

// An image in the API.
import { t } from "elysia";
import { countShape, idShape, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { updatedByShape } from "../../tenant/access/saving-shape.ts";
import { IMAGE_TYPES, type Image } from "./queries.ts";

export const imageShape = t.Object(
  {
    id: idShape,
    url: t.String({ description: "Public, and the same forever." }),
    name: t.String(),
    type: oneOf(...IMAGE_TYPES),
    width: countShape,
    height: countShape,
    size: { ...countShape, description: "Bytes." },
    isUsed: t.Boolean({ description: "An email, template, campaign, version, block or the brand names it." }),
    projectId: idShape,
    createdAt: timeShape,
    createdBy: updatedByShape,
  },
  { title: "Image" },
);

type ImageBase = { readonly workspaceId: string; readonly baseUrl: string };

export function imageRecord(image: Image, { workspaceId, baseUrl }: ImageBase): typeof imageShape.static {
  const { id, hash, name, type, width, height, size, isUsed, createdAt, createdBy } = image;
  const url = `${baseUrl}/i/${hash}.${type}`;
  return { id, url, name, type, width, height, size, isUsed, projectId: workspaceId, createdAt, createdBy };
}

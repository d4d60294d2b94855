// /images: the images of a workspace.
import type { Config } from "../../base/config.ts";
import { t } from "elysia";
import { pageShapeOf } from "../../http/answer-shapes.ts";
import { optional, pageShape, wholeNumber } from "../../http/schemas.ts";
import { answerOnce } from "../../http/idempotency.ts";
import { secretKeyWithAttachments, type Access } from "../../tenant/access/auth.ts";
import { get, page, remove, route, routes } from "../../tenant/access/route-table.ts";
import { bytesIn, findImage, keepImage, removeImage } from "./image.ts";
import { MAX_UPLOAD_BYTES, MAX_WIDTH, type ImagePreparation } from "./prepare.ts";
import { imagesPage, stockOf } from "./queries.ts";
import { imageRecord, imageShape } from "./record.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const LONGEST_CONTENT = Math.ceil(MAX_UPLOAD_BYTES / 3) * 4 + 200_000;
const upload = t.Object(
  {
    name: t.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[^\\r\\n]*$",
      description: "Such as the name of the file.",
    }),
    content: t.String({
      minLength: 1,
      maxLength: LONGEST_CONTENT,
      description: "Base64 of a PNG, JPEG, GIF or WebP up to 5 MB.",
    }),
    maxWidth: optional(
      wholeNumber(1, MAX_WIDTH, MAX_WIDTH),
      "Pixels. A wider picture is made smaller, unless it is animated.",
    ),
  },
  { examples: [{ name: "logo.png", content: PIXEL }] },
);

const found = ["IMAGE_NOT_FOUND"] as const;

type ImageRouteOptions = {
  readonly http: Pick<Config["http"], "baseUrl">;
  readonly preparing: ImagePreparation;
  readonly forget: (hash: string) => void;
};

export function imageRoutes(access: Access, { http, preparing, forget }: ImageRouteOptions) {
  return routes(access, [
    page(
      "/images",
      {
        name: "listImages",
        summary: "List images, newest first",
        answers: { 200: pageShapeOf(imageShape) },
        permission: "read",
        query: t.Object(pageShape),
      },
      async (reader, { caller: { workspace, workspaceId } }) => ({
        total: async () => (await stockOf(reader, workspace)).images,
        items: async (...piece) =>
          (await imagesPage(reader, workspace, ...piece)).map((image) =>
            imageRecord(image, { workspaceId, baseUrl: http.baseUrl }),
          ),
      }),
    ),
    get(
      "/images/:id",
      {
        name: "getImage",
        summary: "Get an image's record",
        answers: { 200: imageShape },
        permission: "read",
        refuses: found,
      },
      async (reader, { params, caller: { workspace, workspaceId } }) =>
        imageRecord(await findImage(reader, workspace, params.id), { workspaceId, baseUrl: http.baseUrl }),
    ),
    remove(
      "/images/:id",
      {
        name: "deleteImage",
        summary: "Delete an image that nothing names",
        answers: { 204: null },
        permission: "templates.write",
        refuses: [...found, "CONFLICT"],
      },
      async (tx, { params, caller }) => {
        const { hash } = await removeImage(tx, caller.workspace, params.id);
        forget(hash);
      },
    ),
  ]).use(uploadRoutes(access, { http, preparing }));
}

/** An upload may be as large as a mail with attachments. */
function uploadRoutes(access: Access, { http, preparing }: Omit<ImageRouteOptions, "forget">) {
  const uploading = route(
    "POST",
    "/images",
    {
      name: "createImage",
      summary: "Upload an image",
      answers: { 201: imageShape },
      permission: "templates.write",
      body: upload,
      refuses: ["CONFLICT"],
      description:
        "It is decoded and written anew, without what it tells of places and devices. The same picture again is answered as it is there.",
    },
    async ({ body, caller, request, set }) => {
      const picture = await preparing.run(caller.workspace, bytesIn(body.content), body.maxWidth ?? MAX_WIDTH);
      const place = { workspaceId: caller.workspaceId, baseUrl: http.baseUrl };
      const asked = { body, caller, request, set };
      return answerOnce(
        access.store,
        asked,
        async (tx) => imageRecord(await keepImage(tx, caller, body.name, picture), place),
        201,
      );
    },
  );
  return routes(access, [uploading], secretKeyWithAttachments);
}

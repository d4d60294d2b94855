// /workspace/brand: the look of a workspace's mails.
import { t } from "elysia";
import { timeShape } from "../../../http/answer-shapes.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, put, routes } from "../../../tenant/access/route-table.ts";
import { updatedByShape } from "../../../tenant/access/saving-shape.ts";
import { findBrand, replaceBrand } from "./brand.ts";
import { brandInputShape, brandShape } from "./shape.ts";
import type { KeptBrand } from "./queries.ts";
import { noted } from "../written.ts";

const keptShape = t.Object(
  { ...brandShape.properties, updatedAt: timeShape, updatedBy: updatedByShape },
  { title: "KeptBrand" },
);

export function brandRoutes(access: Access) {
  return routes(access, [
    get(
      "/workspace/brand",
      { name: "getBrand", summary: "Get the brand", answers: { 200: keptShape }, permission: "read" },
      async (reader, { caller }) => brandRecord(await findBrand(reader, caller.workspace)),
    ),
    put(
      "/workspace/brand",
      {
        name: "updateBrand",
        summary: "Set the brand",
        answers: { 200: keptShape },
        permission: "templates.write",
        body: brandInputShape,
        refuses: ["CONFLICT"],
        description:
          "All of it: what the body does not name is none. Emails that are written already stay as they are.",
      },
      async (tx, { body, caller }) => brandRecord(await replaceBrand(tx, caller, noted(body))),
    ),
  ]);
}

function brandRecord({ brand, updatedAt, updatedBy }: KeptBrand): typeof keptShape.static {
  return { ...brand, updatedAt, updatedBy };
}

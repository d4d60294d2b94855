// The files of Swagger UI: compressed in the executable (build/executable.ts), as they are where Posthorn runs from
// source.
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

export const SWAGGER_FILES = {
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
} as const;
export type SwaggerFile = keyof typeof SWAGGER_FILES;

/** Not by an import, which would embed the file as it is. */
export function swaggerPath(name: SwaggerFile): string {
  return Bun.resolveSync(`swagger-ui-dist/${name}`, import.meta.dir);
}

export async function fileOfSwagger(name: SwaggerFile): Promise<Response> {
  const headers = { "content-type": SWAGGER_FILES[name] };
  // Bun puts a hash between the name and its ending.
  const packed = Bun.embeddedFiles.find((file) => (file as File).name.replace(/-\w+(?=\.br$)/, "") === `${name}.br`);
  if (!packed) return new Response(Bun.file(swaggerPath(name)), { headers });
  const bytes = await promisify(brotliDecompress)(await packed.bytes());
  return new Response(bytes, { headers });
}

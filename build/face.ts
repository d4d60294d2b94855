// Part of `npm run build`: the face as one compressed file, which the executable embeds. `bun build/face.ts
// dist/face.pack`
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { bundleFace } from "../src/desk/face/bundle.ts";
import { writePack } from "../src/desk/face/pack.ts";

const [target = "dist/face.pack"] = process.argv.slice(2);
const files = await bundleFace();
const packed = await Promise.all(
  files.map(async (file) => ({ ...file, bytes: await compressed(await file.bytes.bytes()) })),
);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, writePack(packed));
console.log(`${target}: ${files.length} files, ${packed.reduce((sum, { bytes }) => sum + bytes.length, 0)} bytes`);

function compressed(bytes: Uint8Array): Promise<Uint8Array> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return promisify(brotliCompress)(bytes, { params });
}

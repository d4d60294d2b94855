// Part of `npm run build`: dist/posthorn, one file that embeds the program, its threads and the face, and knows its commit.
import { join } from "node:path";
import { commitOf } from "../src/version.ts";

const THREADS = [
  "src/backup/backup-worker.ts",
  "src/delivery/carrier/carrier-worker.ts",
  "src/emails/rendering/render-worker.ts",
  "src/inbound/inbound-worker.ts",
  "src/store/sqlite-worker.ts",
];
const { commit, date } = commitOf(join(import.meta.dir, ".."));
const built = Bun.spawnSync(
  [
    ...[process.execPath, "build", "--compile", "--minify", "--bytecode", "--format=esm"],
    // What threads share is in the file once, and what is loaded late is a piece of its own.
    ...["--splitting", "--entry-naming=[name].[ext]", "--sourcemap=none"],
    ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
    ...["--define", `POSTHORN_COMMIT=${JSON.stringify(commit)}`],
    ...["--define", `POSTHORN_DATE=${JSON.stringify(date ?? "")}`],
    ...["src/main.ts", ...THREADS, "dist/face.pack", "--outfile", "dist/posthorn"],
  ],
  { stdio: ["ignore", "inherit", "inherit"] },
);
process.exit(built.exitCode);

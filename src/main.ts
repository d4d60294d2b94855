// argv → a verb → an exit code.
import { loadConfig } from "./config.ts";
import { serve } from "./cli/serve.ts";

process.exit(await serve(loadConfig({})));

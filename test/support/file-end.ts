// Preloaded in all tests (bunfig.toml): what the tests of a process share ends with its last file.
import { afterAll } from "bun:test";
import { endAll } from "./ends.ts";

afterAll(endAll);

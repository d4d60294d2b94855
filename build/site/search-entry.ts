// What search.js of the site consists of.
import { searchGuide } from "../../src/http/guide/search.ts";

Object.assign(globalThis, { searchGuide });

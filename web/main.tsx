// The face starts.
import { start } from "./shell.tsx";

void start();

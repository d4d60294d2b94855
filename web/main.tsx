// Starts the web interface.
import { start } from "./shell.tsx";

void start();

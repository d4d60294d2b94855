// Code that every page needs. Lazy screens import it too (src/desk/face/whole-files.ts), so that it stays one file.
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { language } from "./base/language.ts";
import { Toasts } from "./parts/overlays/toast.tsx";
import { queries } from "./calls/queries.ts";
import { router } from "./router.tsx";
import { frameTexts } from "./texts/areas.ts";

/** Loads the texts, then the page. */
export async function start(): Promise<void> {
  await frameTexts(language.get());
  createRoot(document.getElementById("root") as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Suspense>
          <Toasts />
        </Suspense>
      </QueryClientProvider>
    </StrictMode>,
  );
}

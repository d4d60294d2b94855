// Set-up → Brand: colours, fonts, logo, sender and footer with which visual mails begin, a mail that has them, and the images.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Gallery } from "../images/gallery.tsx";
import { useTexts } from "../language.ts";
import { Panel } from "../parts/layout.tsx";
import { useDisabledReason } from "../session.ts";
import { SetUpBar } from "../set-up/bar.tsx";
import { brandTexts } from "../texts/areas.ts";
import { brandQuery, lookOf, type Brand } from "./calls.ts";
import { BrandForm } from "./form.tsx";
import { Sample } from "./sample.tsx";
import "./brand.css";

export function BrandScreen() {
  const t = useTexts(brandTexts);
  const { data: saved } = useSuspenseQuery(brandQuery);
  const disabledReason = useDisabledReason("templates.write");
  const [shown, show] = useState<Brand>(saved);
  return (
    <>
      <SetUpBar tab="brand" call={{ path: "/workspace/brand" }} />
      <div className="page brand">
        <p className="dim">{t.what}</p>
        <div className="cols brand-cols">
          <BrandForm key={saved.updatedAt} saved={saved} shown={shown} show={show} disabledReason={disabledReason} />
          <Panel title={t.sample}>
            <Sample look={lookOf(shown)} />
          </Panel>
        </div>
        <Panel title={t.images}>
          <div className="pad">
            <Gallery disabledReason={disabledReason} />
          </div>
        </Panel>
      </div>
    </>
  );
}

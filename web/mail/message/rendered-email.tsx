// The email as the recipient sees it, in a sandboxed frame. Remote images load only on request.
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { mailTexts } from "../../texts/areas.ts";
import { addressOf, type MailContent, type WholeMail } from "../calls.ts";

export type EmailLook = {
  readonly width: "wide" | "phone";
  readonly scheme: "system" | "light" | "dark";
  readonly hasImages: boolean;
};

type LookProps = { readonly look: EmailLook; readonly choose: (look: EmailLook) => void };

export function LookBar({ look, choose }: LookProps) {
  const t = useTexts(mailTexts);
  return (
    <span className="inline">
      <SegmentedControl
        label={t.look.width}
        icons
        small
        value={look.width}
        onChange={(width) => choose({ ...look, width })}
        choices={[
          { value: "wide", label: t.look.wide, content: <Icon name="desktop" /> },
          { value: "phone", label: t.look.phone, content: <Icon name="phone" /> },
        ]}
      />
      <SegmentedControl
        label={t.look.scheme}
        icons
        small
        value={look.scheme}
        onChange={(scheme) => choose({ ...look, scheme })}
        choices={[
          { value: "system", label: t.look.system, content: <Icon name="half" /> },
          { value: "light", label: t.look.light, content: <Icon name="sun" /> },
          { value: "dark", label: t.look.dark, content: <Icon name="moon" /> },
        ]}
      />
    </span>
  );
}

type RenderedEmailProps = LookProps & { readonly mail: WholeMail; readonly content: MailContent };

export function RenderedEmail({ mail, content, look, choose }: RenderedEmailProps) {
  const t = useTexts(mailTexts);
  const { html } = content;
  if (html === null) return <p className="well-text dim">{t.noHtml}</p>;
  const { width, scheme, hasImages } = look;
  return (
    <div className="well">
      {!hasImages && hasRemoteImages(html) && (
        <p className="images-off">
          <StatusIcon name="info" />
          <span>{t.imagesOff}</span>
          <Button small onClick={() => choose({ ...look, hasImages: true })}>
            {t.showImages}
          </Button>
        </p>
      )}
      <iframe
        className={`sheet ${width} ${scheme}`}
        title={t.tabs.message}
        sandbox=""
        referrerPolicy="no-referrer"
        src={addressOf(`/app/-/message/${mail.id}`, hasImages ? { images: "1" } : {})}
      />
    </div>
  );
}

/** Whether there may be remote images. The frame's policy decides what loads. */
function hasRemoteImages(html: string): boolean {
  return /(src|background|srcset)\s*=\s*["']?\s*(https?:)?\/\/|url\(\s*["']?\s*(https?:)?\/\//i.test(html);
}

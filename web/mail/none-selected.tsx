// The text beside the list while no email is open.
import { useTexts } from "../base/language.ts";
import { mailTexts } from "../texts/areas.ts";

export function NoneSelected() {
  const t = useTexts(mailTexts);
  return (
    <div className="unchosen">
      <h2>{t.unchosen.title}</h2>
      <p>{t.unchosen.text}</p>
    </div>
  );
}

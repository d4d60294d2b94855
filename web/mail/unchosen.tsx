// Beside the list while no mail is open.
import { useTexts } from "../language.ts";
import { mailTexts } from "../texts/areas.ts";

export function Unchosen() {
  const t = useTexts(mailTexts);
  return (
    <div className="unchosen">
      <h2>{t.unchosen.title}</h2>
      <p>{t.unchosen.text}</p>
    </div>
  );
}

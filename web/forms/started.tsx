// The workflows that a form starts, or a link to create one.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { formsTexts } from "../texts/areas.ts";
import { startedByQuery } from "../workflows/calls.ts";

type StartedProps = { readonly form: string; readonly event: string };

export function Started({ form, event }: StartedProps) {
  const t = useTexts(formsTexts);
  const { data: workflows } = useQuery({ ...startedByQuery(event), enabled: event !== "" });
  if (event === "" || workflows?.length === 0)
    return (
      <Link className="small" to="/workflows" search={{ make: "true", form }}>
        {t.welcome}
      </Link>
    );
  if (!workflows) return null;
  return (
    <p className="help">
      {t.starts}{" "}
      {workflows.map(({ id, name, enabled }, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <Link to="/workflows/$id" params={{ id }}>
            {name}
          </Link>
          {!enabled && ` (${t.startsOff})`}
        </span>
      ))}
    </p>
  );
}

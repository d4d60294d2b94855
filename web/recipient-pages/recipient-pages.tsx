// Set-up → Recipient pages: what recipients see, as the server makes it for them, in each language. Laid out as the
// domains are.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { Beside } from "../set-up/beside.tsx";
import { SetUpBar } from "../set-up/bar.tsx";
import { recipientPagesTexts } from "../texts/areas.ts";
import { PAGES, pageNamed } from "./pages.ts";
import { Preview } from "./preview.tsx";
import "./recipient-pages.css";

const route = getRouteApi("/frame/set-up/pages");

export function RecipientPages() {
  const t = useTexts(recipientPagesTexts);
  const search = route.useSearch();
  const open = pageNamed(search.page);
  return (
    <div className={search.page === undefined ? "whole" : "whole open-second"}>
      <SetUpBar tab="pages" call={{ path: "/workspace" }} />
      <Beside
        list={
          <div className="rows">
            {PAGES.map(({ name, icon }) => (
              <Link
                key={name}
                className="line"
                from="/set-up/pages"
                search={(before) => ({ ...before, page: name })}
                aria-current={name === open ? "true" : undefined}
              >
                <Icon name={icon} />
                <span>
                  <b className="cut">{t.pages[name].title}</b>
                  <span className="dim small cut">{t.pages[name].brief}</span>
                </span>
              </Link>
            ))}
          </div>
        }
      >
        <Preview page={open} />
      </Beside>
    </div>
  );
}

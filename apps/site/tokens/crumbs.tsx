import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';

/** The way from the list of estates to a page. */
export function TokenCrumbs(props: {
  readonly locale: Locale;
  readonly between?: readonly { readonly path: string; readonly text: string }[];
  readonly here: string;
}) {
  const { locale, between = [], here } = props;
  const { text } = locale;
  return (
    <nav className="crumbs" aria-label={text.crumbs}>
      <ol>
        {[{ path: '/tokenizacao', text: text.nav.tokens }, ...between].map((one) => (
          <li key={one.path}>
            <a href={pathIn(locale, one.path)}>{one.text}</a>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}

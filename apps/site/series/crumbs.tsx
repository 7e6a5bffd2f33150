import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';

/** The way from the list of operations to a page of a series. */
export function SeriesCrumbs(props: {
  readonly locale: Locale;
  readonly operation: { readonly slug: string; readonly name: string };
  readonly between?: { readonly path: string; readonly text: string };
  readonly here: string;
}) {
  const { locale, operation, between, here } = props;
  const { text } = locale;
  const way = [
    { path: '/emissoes', text: text.nav.operations },
    { path: `/emissoes/${operation.slug}`, text: operation.name },
    ...(between === undefined ? [] : [between]),
  ];
  return (
    <nav className="crumbs" aria-label={text.crumbs}>
      <ol>
        {way.map((one) => (
          <li key={one.path}>
            <a href={pathIn(locale, one.path)}>{one.text}</a>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}

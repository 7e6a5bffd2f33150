import { pathIn } from './layout.js';
import type { Locale } from './locale.js';

export interface Step {
  readonly path: string;
  readonly text: string;
}

export const operationsStep = ({ text }: Locale): Step => ({ path: '/emissoes', text: text.nav.operations });
export const tokensStep = ({ text }: Locale): Step => ({ path: '/tokenizacao', text: text.nav.tokens });
export const operationStep = ({ slug, name }: { readonly slug: string; readonly name: string }): Step => ({
  path: `/emissoes/${slug}`,
  text: name,
});

/** The way from a list to a page. */
export function Crumbs(props: { readonly locale: Locale; readonly way: readonly Step[]; readonly here: string }) {
  const { locale, way, here } = props;
  return (
    <nav className="crumbs" aria-label={locale.text.crumbs}>
      <ol>
        {way.map(({ path, text }) => (
          <li key={path}>
            <a href={pathIn(locale, path)}>{text}</a>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}

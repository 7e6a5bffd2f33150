import type { ReactNode } from 'react';
import { pathIn } from './layout.js';
import type { Locale } from './page.js';

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

export function Head(props: {
  readonly locale: Locale;
  readonly way: readonly Step[];
  readonly here: string;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  const { locale, way, here, title, children } = props;
  return (
    <div className="head">
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
      <h1>{title}</h1>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import { chartScript, fonts, styleSheet } from '../design/assets.js';
import { themePath } from '../design/theme.js';
import { documentOf, frameOf } from '../design/shell.js';
import { type Content, type Site, locales, type Locale } from './page.js';

export const cardPath = '/cartao.png';

export function htmlOf(content: Content, locale: Locale, site: Site): string {
  const { title, description, body, path, area, image, feeds, data, framed, hasChart, scripted } = content;
  const script = hasChart === true ? chartScript.path : undefined;
  if (framed === true) return frameOf({ lang: locale.code, title, files: filesOf(site), script, children: body });
  const alternates = locales.map((one) => ({ lang: one.code, href: `${site.url}${pathIn(one, path)}` }));
  return documentOf({
    ...frameOfSite(locale, site, path, area),
    script,
    ...(scripted === undefined
      ? {}
      : { files: { ...filesOf(site), styles: [scripted.style, themePath] }, script: scripted.script }),
    title,
    description,
    canonical: `${site.url}${pathIn(locale, path)}`,
    alternates: [...alternates, { lang: 'x-default', href: `${site.url}${pathIn(locales[0], path)}` }],
    feeds: feeds ?? [],
    image: `${site.url}${image ?? pathIn(locale, cardPath)}`,
    data,
    children: body,
  });
}

/** Returns the HTML of a page that is not to be found by search engines. @param options.path of the same page in the other languages */
export function unlistedHtmlOf(
  title: string,
  body: ReactNode,
  locale: Locale,
  site: Site,
  { path = '/', script }: { readonly path?: string; readonly script?: string } = {},
): string {
  const frame = { ...frameOfSite(locale, site, path), search: undefined };
  return documentOf({ ...frame, title, description: title, script, children: body });
}

export function pathIn(locale: Locale, path: string): string {
  return path === '/' && locale.prefix !== '' ? locale.prefix : `${locale.prefix}${path}`;
}

export const filesOf = ({ house }: Site) => ({
  styles: [styleSheet.path, themePath],
  font: fonts[0]?.path ?? '',
  icon: house.mark.path,
});

function frameOfSite(locale: Locale, site: Site, path: string, area?: Content['area']) {
  const { text } = locale;
  const own = (to: string) => pathIn(locale, to);
  return {
    lang: locale.code,
    siteName: site.house.name,
    files: filesOf(site),
    skip: text.skip,
    home: own('/'),
    navLabel: text.nav.label,
    nav: [
      { href: own('/emissoes'), text: text.nav.operations, current: area === 'operations' },
      { href: own('/tokenizacao'), text: text.nav.tokens, current: area === 'tokens' },
      { href: own('/tokenizacao/ativos'), text: text.nav.assets, current: area === 'assets' },
      { href: own('/docs'), text: text.nav.reference, current: area === 'reference' },
    ],
    search: { action: own('/emissoes'), label: text.nav.search },
    enter: { href: own('/painel'), text: text.enter },
    languages: {
      label: text.languages,
      items: locales.map((one) => ({
        href: pathIn(one, path),
        text: one.name,
        lang: one.code,
        current: one === locale,
      })),
    },
    themes: text.theme,
    foot: (
      <>
        <span>{text.foot.source}</span>
        <a href={own('/status')}>{text.status.title}</a>
        <span>
          {text.foot.programs} <a href={own('/docs')}>{text.nav.reference}</a>
        </span>
      </>
    ),
  };
}

interface Step {
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
